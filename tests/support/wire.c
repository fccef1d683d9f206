/* SPDX-License-Identifier: Apache-2.0 */
#include "support/wire.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char METADATA[] = "\"metadata\":{";

/* The caller's; NULL for NULL. */
static char *unquoted(const char *json)
{
    char *text = memory_copy_text(json);
    for (char *at = text; at != NULL && *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    return text;
}

int wire_set_up(void **state)
{
    struct wire *wire = memory_new(1, sizeof(*wire));
    wire->world = world_new(1, 1782907200000);
    wire->server = apiserver_new(wire->world);
    assert_int_equal(
        wire_ask(wire, METHOD_POST, "/api/v1/namespaces", "{'metadata':{'name':'dev'}}"), 201);
    *state = wire;
    return 0;
}

int wire_tear_down(void **state)
{
    struct wire *wire = *state;
    route_reply_release(&wire->reply);
    apiserver_free(wire->server);
    world_free(wire->world);
    memory_free(wire);
    return 0;
}

int wire_send(struct wire *wire, enum method method, const char *path, const char *content_type,
              const char *accept, const char *json)
{
    char *body = unquoted(json);
    struct request request = {
        .method = method,
        .path = path,
        .content_type = content_type,
        .accept = accept,
        .body = body,
        .body_bytes = body == NULL ? 0 : strlen(body),
        .deadline_ms = 1000,
    };
    route_reply_release(&wire->reply);
    route_handle(wire->server, "tester", &request, &wire->reply);
    memory_free(body);
    assert_int_equal(wire->reply.body_bytes, strlen(wire->reply.body));
    return wire->reply.http_status;
}

int wire_ask(struct wire *wire, enum method method, const char *path, const char *json)
{
    const char *type = method == METHOD_PATCH ? "application/merge-patch+json" : "application/json";
    return wire_send(wire, method, path, json == NULL ? NULL : type, NULL, json);
}

int wire_get(struct wire *wire, const char *path)
{
    return wire_ask(wire, METHOD_GET, path, NULL);
}

void wire_put_map(struct wire *wire, const char *name, const char *labels)
{
    char path[200];
    char json[400];
    snprintf(path, sizeof(path), WIRE_MAPS "/%s", name);
    snprintf(json, sizeof(json), "{'metadata':{'name':'%s','labels':{%s}}}", name, labels);
    if (wire_get(wire, path) == 404) {
        assert_int_equal(wire_ask(wire, METHOD_POST, WIRE_MAPS, json), 201);
    } else {
        assert_int_equal(wire_ask(wire, METHOD_PUT, path, json), 200);
    }
}

void wire_delete_map(struct wire *wire, const char *name)
{
    char path[200];
    snprintf(path, sizeof(path), WIRE_MAPS "/%s", name);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, path, NULL), 200);
}

bool wire_has(const struct wire *wire, const char *json)
{
    char *text = unquoted(json);
    bool has = strstr(wire->reply.body, text) != NULL;
    memory_free(text);
    return has;
}

void wire_assert_has(const struct wire *wire, const char *json)
{
    if (!wire_has(wire, json)) {
        fail_msg("no %s in %s", json, wire->reply.body);
    }
}

const char *wire_text(struct wire *wire, const char *member)
{
    char key[100];
    snprintf(key, sizeof(key), "\"%s\":\"", member);
    const char *found = strstr(wire->reply.body, key);
    const char *begin = found == NULL ? "" : found + strlen(key);
    snprintf(wire->value, sizeof(wire->value), "%.*s", (int)strcspn(begin, "\""), begin);
    return wire->value;
}

const char *wire_names(struct wire *wire)
{
    wire->value[0] = '\0';
    const char *at = strstr(wire->reply.body, "\"items\":[");
    assert_non_null(at);
    for (at = strstr(at, METADATA); at != NULL; at = strstr(at + 1, METADATA)) {
        const char *name = strstr(at, "\"name\":\"");
        assert_non_null(name);
        name += strlen("\"name\":\"");
        size_t length = strlen(wire->value);
        snprintf(wire->value + length, sizeof(wire->value) - length, "%s%.*s",
                 length == 0 ? "" : " ", (int)strcspn(name, "\""), name);
    }
    return wire->value;
}
