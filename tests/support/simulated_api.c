/* SPDX-License-Identifier: Apache-2.0 */
#include "support/simulated_api.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WALL_MS = 1000 };

int simulated_api_set_up(void **state)
{
    struct simulated_api *api = memory_new(1, sizeof(*api));
    api->world = world_new(1, INT64_C(1767225600) * WALL_MS); /* 2026-01-01T00:00:00Z */
    api->server = apiserver_new(api->world);
    api->options = (struct verb_options){.actor = "tester"};
    assert_created(api_post(api, &resource_namespaces, NULL, "{'metadata':{'name':'dev'}}"));
    *state = api;
    return 0;
}

int simulated_api_tear_down(void **state)
{
    struct simulated_api *api = *state;
    apiserver_free(api->server);
    world_free(api->world);
    memory_free(api);
    return 0;
}

cJSON *simulated_json(const char *text)
{
    struct error error;
    cJSON *value = NULL;
    cleanup_memory char *json = memory_copy_text(text);
    for (char *at = json; *at != '\0'; at++) {
        *at = (char)(*at == '\'' ? '"' : *at);
    }
    if (!value_parse(json, &value, &error)) {
        fail_msg("%s: %s", error.message, text);
    }
    return value;
}

struct outcome api_post(struct simulated_api *api, const struct resource *resource,
                        const char *namespace, const char *body)
{
    return apiserver_create(api->server, resource, namespace, simulated_json(body), &api->options);
}

struct outcome api_put(struct simulated_api *api, const struct resource *resource,
                       const char *namespace, const char *name, const char *body)
{
    return apiserver_update(api->server, resource, namespace, name, simulated_json(body),
                            &api->options);
}

struct outcome api_patch(struct simulated_api *api, const struct resource *resource,
                         const char *namespace, const char *name, enum patch_type type,
                         const char *patch)
{
    cJSON *value = simulated_json(patch);
    struct outcome outcome =
        apiserver_patch(api->server, resource, namespace, name, type, value, &api->options);
    cJSON_Delete(value);
    return outcome;
}

struct outcome api_delete(struct simulated_api *api, const struct resource *resource,
                          const char *namespace, const char *name)
{
    return apiserver_delete(api->server, resource, namespace, name, NULL, &api->options);
}

struct outcome api_get(struct simulated_api *api, const struct resource *resource,
                       const char *namespace, const char *name)
{
    return apiserver_get(api->server, resource, namespace, name);
}

static void assert_status(struct outcome outcome, int http_status)
{
    if (outcome.http_status != http_status) {
        fail_msg("%d %s", outcome.http_status, outcome.message);
    }
    outcome_release(&outcome);
}

void assert_created(struct outcome outcome)
{
    assert_status(outcome, 201);
}

void assert_fine(struct outcome outcome)
{
    assert_status(outcome, 200);
}

void assert_refused(struct outcome outcome, int http_status, const char *reason,
                    const char *message)
{
    assert_string_equal(outcome.message, message);
    assert_refused_like(outcome, http_status, reason, message);
}

void assert_refused_like(struct outcome outcome, int http_status, const char *reason,
                         const char *beginning)
{
    assert_null(outcome.record);
    assert_int_equal(outcome.http_status, http_status);
    assert_string_equal(outcome.reason, reason);
    if (!text_starts_with(outcome.message, beginning)) {
        fail_msg("%s", outcome.message);
    }
    outcome_release(&outcome);
}

static bool contains(const cJSON *value, const cJSON *members)
{
    const cJSON *member = NULL;
    if (!cJSON_IsObject(members)) {
        return cJSON_IsNull(members) ? value == NULL : value_equal(value, members);
    }
    cJSON_ArrayForEach(member, members)
    {
        const cJSON *present = cJSON_GetObjectItemCaseSensitive(value, member->string);
        if ((present == NULL && !cJSON_IsNull(member)) || !contains(present, member)) {
            return false;
        }
    }
    return true;
}

void assert_has(const struct record *record, const char *members)
{
    assert_non_null(record);
    cJSON *expected = simulated_json(members);
    bool found = contains(record->value, expected);
    cJSON_Delete(expected);
    if (!found) {
        fail_msg("%s is not in %s", members, record_text(record));
    }
}
