/* SPDX-License-Identifier: Apache-2.0 */
#include "support/link_fixture.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static enum link_fate arriving(void *self, const struct link_request *request,
                               struct link_refusal *out_refusal)
{
    struct link_fixture *fixture = self;
    const char *kind = request->is_watch     ? "watch"
                       : request->is_dry_run ? "dry-run"
                       : request->is_write   ? "write"
                                             : "read";
    text_print(&fixture->asked, "%d:%s:%s ", (int)request->number, method_name(request->method),
               kind);
    *out_refusal = fixture->refusal;
    return fixture->arriving_fate;
}

static enum link_fate answered(void *self, const struct link_request *request, int http_status,
                               struct link_refusal *out_refusal)
{
    struct link_fixture *fixture = self;
    text_print(&fixture->asked, "%d=%d ", (int)request->number, http_status);
    *out_refusal = fixture->refusal;
    return fixture->answered_fate;
}

static int64_t watch_lag(void *self, const char *path)
{
    struct link_fixture *fixture = self;
    assert_true(text_starts_with(path, WIRE_MAPS));
    return fixture->watch_lag_ms;
}

static void woken(void *self)
{
    struct link_fixture *fixture = self;
    fixture->woken_count++;
    if (fixture->when_woken != NULL) {
        fixture->when_woken(fixture);
    }
}

static const struct link_options options = {"tester", LINK_FIXTURE_ONE_WAY_MS,
                                            LINK_FIXTURE_ONE_WAY_MS};

int link_fixture_set_up(void **state)
{
    static struct link_faults faults;
    struct link_fixture *fixture = memory_new(1, sizeof(*fixture));
    void *wire = NULL;
    wire_set_up(&wire);
    fixture->wire = wire;
    text_init(&fixture->asked, 10000);
    for (size_t i = 0; i < LINK_FIXTURE_CALLS_MAX; i++) {
        fixture->heard[i].fixture = fixture;
        text_init(&fixture->heard[i].text, 10000);
        text_init(&fixture->heard[i].body, 10000);
    }
    faults = (struct link_faults){arriving, answered, watch_lag, fixture};
    fixture->link = link_new(fixture->wire->server, &options, &faults, woken, fixture);
    *state = fixture;
    return 0;
}

int link_fixture_tear_down(void **state)
{
    struct link_fixture *fixture = *state;
    void *wire = fixture->wire;
    link_free(fixture->link);
    wire_tear_down(&wire);
    for (size_t i = 0; i < LINK_FIXTURE_CALLS_MAX; i++) {
        text_release(&fixture->heard[i].text);
        text_release(&fixture->heard[i].body);
    }
    text_release(&fixture->asked);
    memory_free(fixture);
    return 0;
}

static void hear_head(void *self, int http_status, int64_t retry_after_ms)
{
    struct heard *heard = self;
    assert_false(heard->fixture->is_starting);
    heard->retry_after_ms = retry_after_ms;
    text_print(&heard->text, "%d ", http_status);
}

static void hear_bytes(void *self, const char *bytes, size_t byte_count)
{
    struct heard *heard = self;
    assert_false(heard->fixture->is_starting);
    text_append_bytes(&heard->body, bytes, byte_count);
}

static void hear_end(void *self, const struct error *error)
{
    struct heard *heard = self;
    assert_false(heard->fixture->is_starting);
    heard->call = NULL;
    text_print(&heard->text, "end %s ", error_class_name(error->class));
}

static struct heard *start_call(struct link_fixture *fixture, const struct request *request)
{
    assert_true(fixture->call_count < LINK_FIXTURE_CALLS_MAX);
    struct heard *heard = &fixture->heard[fixture->call_count++];
    struct transport transport = link_transport(fixture->link);
    struct sink sink = {hear_head, hear_bytes, hear_end, heard};
    fixture->is_starting = true;
    heard->call = transport.start(transport.self, request, sink);
    fixture->is_starting = false;
    assert_non_null(heard->call);
    return heard;
}

struct heard *link_fixture_begin_get(struct link_fixture *fixture, const char *path)
{
    return start_call(fixture, &(struct request){.method = METHOD_GET,
                                                 .path = path,
                                                 .deadline_ms = LINK_FIXTURE_DEADLINE_MS});
}

struct heard *link_fixture_begin_post(struct link_fixture *fixture, const char *query)
{
    static const char body[] = "{\"metadata\":{\"name\":\"a\"}}";
    char path[200];
    snprintf(path, sizeof(path), WIRE_MAPS "%s", query);
    return start_call(fixture, &(struct request){
                                   .method = METHOD_POST,
                                   .path = path,
                                   .content_type = "application/json",
                                   .body = body,
                                   .body_bytes = sizeof(body) - 1,
                                   .deadline_ms = LINK_FIXTURE_DEADLINE_MS,
                               });
}

struct heard *link_fixture_begin_watch(struct link_fixture *fixture, const char *query)
{
    char path[200];
    snprintf(path, sizeof(path), WIRE_MAPS "?watch=1%s", query);
    return start_call(
        fixture, &(struct request){
                     .method = METHOD_GET, .path = path, .watch = true, .deadline_ms = 90 * 1000});
}

void link_fixture_cancel(struct link_fixture *fixture, struct heard *heard)
{
    struct transport transport = link_transport(fixture->link);
    fixture->is_starting = true;
    transport.cancel(transport.self, heard->call);
    fixture->is_starting = false;
}

void link_fixture_run(struct link_fixture *fixture, int64_t for_ms)
{
    int64_t until_ms = world_now(fixture->wire->world).mono_ms + for_ms;
    while (world_run_next(fixture->wire->world, until_ms)) {
    }
}

void link_fixture_heard(struct link_fixture *fixture, struct heard *heard, int64_t after_ms,
                        const char *expected)
{
    link_fixture_run(fixture, after_ms);
    assert_string_equal(heard->text.bytes, expected);
    text_clear(&heard->text);
}

bool link_fixture_map_exists(struct link_fixture *fixture)
{
    return objects_get(apiserver_objects(fixture->wire->server), &resource_config_maps, "dev",
                       "a") != NULL;
}
