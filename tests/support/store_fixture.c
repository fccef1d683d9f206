/* SPDX-License-Identifier: Apache-2.0 */
#include "support/store_fixture.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void hear(void *self, const struct object *before, const struct object *after)
{
    struct store_fixture *fixture = self;
    const struct object *object = after == NULL ? before : after;
    char sign = before == NULL ? '+' : after == NULL ? '-' : '~';
    text_print(&fixture->heard, "%c%s:%s ", sign, object->meta.name, object->meta.resource_version);
    if (before != NULL && after != NULL) {
        assert_string_equal(before->meta.uid, after->meta.uid);
    }
}

int store_fixture_set_up(void **state)
{
    static struct store_fixture fixture;
    text_init(&fixture.heard, 10000);
    struct store_listener listener = {.changed = hear, .self = &fixture};
    fixture.store = store_new(STORE_FIXTURE_OBJECTS_MAX, listener);
    *state = &fixture;
    return 0;
}

int store_fixture_tear_down(void **state)
{
    struct store_fixture *fixture = *state;
    store_free(fixture->store);
    text_release(&fixture->heard);
    return 0;
}

bool store_fixture_put(struct store_fixture *fixture, const char *name, const char *uid,
                       const char *version, enum store_source source)
{
    char json[800];
    snprintf(json, sizeof(json),
             "{'metadata':{'namespace':'dev','name':'%s','uid':'%s','resourceVersion':'%s'}}", name,
             uid, version);
    return store_put_take(fixture->store, object_from(KIND_JOB, json), source);
}

bool store_fixture_remove(struct store_fixture *fixture, const char *name, const char *uid,
                          const char *version)
{
    return store_remove(fixture->store, KIND_JOB, "dev", name, uid, version);
}

void assert_store_version(const struct store_fixture *fixture, const char *name,
                          const char *version)
{
    const struct object *object = store_get(fixture->store, KIND_JOB, "dev", name);
    assert_non_null(object);
    assert_string_equal(object->meta.resource_version, version);
}

void assert_store_absent(const struct store_fixture *fixture, const char *name)
{
    assert_null(store_get(fixture->store, KIND_JOB, "dev", name));
}

void assert_store_heard(struct store_fixture *fixture, const char *expected)
{
    assert_string_equal(fixture->heard.bytes, expected);
    text_clear(&fixture->heard);
}
