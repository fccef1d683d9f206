/* SPDX-License-Identifier: Apache-2.0 */
/* Each step is done twice, since "a second step at the same now does nothing" is every test's. */
#include "support/informer_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void hear(void *self, const struct object *before, const struct object *after)
{
    struct informer_fixture *fixture = self;
    const struct object *object = after == NULL ? before : after;
    char sign = before == NULL ? '+' : after == NULL ? '-' : '~';
    text_print(&fixture->heard, "%c%s ", sign, object->meta.name);
}

static bool keep(void *self, const struct object *object)
{
    struct informer_fixture *fixture = self;
    return fixture->kept_label == NULL || object_label(object, fixture->kept_label) != NULL;
}

void informer_fixture_use(struct informer_fixture *fixture, enum object_kind kind, uint64_t seed)
{
    informer_free(fixture->informer);
    struct random random;
    random_init(&random, seed);
    fixture->informer =
        informer_new(kind, &fixture->options, fake_transport_seam(fixture->transport),
                     fixture->store, keep, fixture, &random);
}

int informer_fixture_set_up(void **state)
{
    static struct informer_fixture fixture;
    fixture = (struct informer_fixture){.options = informer_options_default};
    fixture.options.page_objects = 2;
    fixture.options.backoff_ms_min = 100;
    fixture.options.backoff_ms_max = 10 * 1000;
    fixture.transport = fake_transport_new();
    text_init(&fixture.heard, 1000 * 1000);
    struct store_listener listener = {.changed = hear, .self = &fixture};
    fixture.store = store_new(100 * 1000, listener);
    informer_fixture_use(&fixture, KIND_NAMESPACE, 1);
    *state = &fixture;
    return 0;
}

int informer_fixture_tear_down(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_free(fixture->informer);
    assert_int_equal(fake_transport_running(fixture->transport), 0);
    store_free(fixture->store);
    fake_transport_free(fixture->transport);
    text_release(&fixture->heard);
    return 0;
}

void informer_fixture_step(struct informer_fixture *fixture, int64_t mono_ms)
{
    assert_true(mono_ms >= fixture->mono_ms);
    fixture->mono_ms = mono_ms;
    struct now now = {.mono_ms = mono_ms};
    informer_step(fixture->informer, now);
    size_t call_count = fake_transport_count(fixture->transport);
    assert_true(informer_wake_at(fixture->informer) > mono_ms);
    assert_false(informer_due(fixture->informer));
    informer_step(fixture->informer, now);
    assert_int_equal(fake_transport_count(fixture->transport), call_count);
    assert_true(fake_transport_running(fixture->transport) <= 1);
}

void informer_fixture_step_when_due(struct informer_fixture *fixture)
{
    int64_t wake_ms = informer_wake_at(fixture->informer);
    assert_true(wake_ms < NOW_NEVER);
    informer_fixture_step(fixture, wake_ms > fixture->mono_ms ? wake_ms : fixture->mono_ms);
}

struct fake_call *informer_fixture_call(struct informer_fixture *fixture)
{
    struct fake_call *call = fake_transport_last(fixture->transport);
    assert_int_equal(call->state, FAKE_CALL_RUNNING);
    return call;
}

void informer_fixture_list(struct informer_fixture *fixture, const char *version,
                           const char *continue_token, const char *items)
{
    cleanup_text struct text body;
    text_init(&body, 100 * 1000);
    text_print(&body, "{'kind':'List','metadata':{'resourceVersion':'%s'", version);
    if (continue_token != NULL) {
        text_print(&body, ",'continue':'%s'", continue_token);
    }
    text_print(&body, "},'items':[%s]}", items);
    fake_call_reply(informer_fixture_call(fixture), 200, body.bytes);
    assert_true(informer_due(fixture->informer));
    informer_fixture_step(fixture, fixture->mono_ms);
}

void informer_fixture_sync(struct informer_fixture *fixture, const char *version, const char *items)
{
    informer_fixture_step(fixture, fixture->mono_ms);
    informer_fixture_list(fixture, version, NULL, items);
    assert_true(informer_synced(fixture->informer));
    assert_true(informer_fixture_call(fixture)->request.watch);
    fake_call_head(informer_fixture_call(fixture), 200, 0);
    text_clear(&fixture->heard);
}

void informer_fixture_assert_path_has(struct informer_fixture *fixture, const char *part)
{
    const char *path = informer_fixture_call(fixture)->request.path;
    if (strstr(path, part) == NULL) {
        fail_msg("%s lacks %s", path, part);
    }
}

void informer_fixture_assert_path_lacks(struct informer_fixture *fixture, const char *part)
{
    const char *path = informer_fixture_call(fixture)->request.path;
    if (strstr(path, part) != NULL) {
        fail_msg("%s has %s", path, part);
    }
}

void informer_fixture_assert_heard(struct informer_fixture *fixture, const char *expected)
{
    assert_string_equal(fixture->heard.bytes, expected);
    text_clear(&fixture->heard);
}
