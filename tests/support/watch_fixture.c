/* SPDX-License-Identifier: Apache-2.0 */
#include "support/watch_fixture.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void hear_opened(void *self)
{
    struct watch_fixture *fixture = self;
    text_append(&fixture->said, "(");
}

static void hear_bytes(void *self, const char *bytes, size_t byte_count)
{
    struct watch_fixture *fixture = self;
    text_append_bytes(&fixture->line, bytes, byte_count);
    text_append_bytes(&fixture->raw, bytes, byte_count);
    if (bytes[byte_count - 1] != '\n') {
        return;
    }
    const char *line = fixture->line.bytes;
    static const char head[] = "{\"type\":\"";
    assert_int_equal(strncmp(line, head, strlen(head)), 0);
    const char *name = strstr(line, "\"name\":\"");
    name = name == NULL ? "" : name + strlen("\"name\":\"");
    text_print(&fixture->said, "%c:%.*s ", line[strlen(head)], (int)strcspn(name, "\""), name);
    text_clear(&fixture->line);
}

static void hear_ended(void *self)
{
    struct watch_fixture *fixture = self;
    fixture->watch = NULL;
    text_append(&fixture->said, ")");
}

static void hear_settled(void *self)
{
    struct watch_fixture *fixture = self;
    text_append(&fixture->said, ".");
}

static int64_t lag_of(void *self)
{
    struct watch_fixture *fixture = self;
    return fixture->lag_ms;
}

int watch_fixture_set_up(void **state)
{
    struct watch_fixture *fixture = memory_new(1, sizeof(*fixture));
    void *wire = NULL;
    wire_set_up(&wire);
    fixture->wire = wire;
    text_init(&fixture->said, 100000);
    text_init(&fixture->line, 100000);
    text_init(&fixture->raw, 100000);
    *state = fixture;
    return 0;
}

int watch_fixture_tear_down(void **state)
{
    struct watch_fixture *fixture = *state;
    void *wire = fixture->wire;
    watch_close(fixture->watch);
    route_reply_release(&fixture->refusal);
    wire_tear_down(&wire);
    text_release(&fixture->said);
    text_release(&fixture->line);
    text_release(&fixture->raw);
    memory_free(fixture);
    return 0;
}

bool watch_fixture_open_path(struct watch_fixture *fixture, const char *path, const char *accept)
{
    struct watch_sink sink = {
        .opened = hear_opened,
        .bytes = hear_bytes,
        .ended = hear_ended,
        .settled = hear_settled,
        .lag_ms = lag_of,
        .self = fixture,
    };
    struct request request = {
        .method = METHOD_GET, .path = path, .accept = accept, .watch = true, .deadline_ms = 1000};
    assert_true(route_is_watch(&request));
    fixture->watch = watch_open(fixture->wire->server, &request, &sink, &fixture->refusal);
    assert_int_equal(fixture->said.length_bytes, 0);
    return fixture->watch != NULL;
}

bool watch_fixture_open_maps(struct watch_fixture *fixture, const char *query)
{
    char path[300];
    snprintf(path, sizeof(path), WIRE_MAPS "?watch=true&%s", query);
    return watch_fixture_open_path(fixture, path, NULL);
}

void watch_fixture_open_since(struct watch_fixture *fixture, uint64_t revision, const char *query)
{
    char whole[200];
    snprintf(whole, sizeof(whole), "resourceVersion=%llu&%s", (unsigned long long)revision, query);
    assert_true(watch_fixture_open_maps(fixture, whole));
}

uint64_t watch_fixture_revision(const struct watch_fixture *fixture)
{
    return objects_revision(apiserver_objects(fixture->wire->server));
}

static void run(struct watch_fixture *fixture, int64_t for_ms)
{
    int64_t until_ms = world_now(fixture->wire->world).mono_ms + for_ms;
    while (world_run_next(fixture->wire->world, until_ms)) {
    }
}

void watch_fixture_said(struct watch_fixture *fixture, int64_t after_ms, const char *expected)
{
    run(fixture, after_ms);
    assert_string_equal(fixture->said.bytes, expected);
    text_clear(&fixture->said);
}
