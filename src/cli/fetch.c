/* SPDX-License-Identifier: Apache-2.0 */
/* A list is asked for whole: a command is over before pages could save anything, and the reply has
   a limit of its own. */
#include "cli/fetch.h"

#include "base/json_merge.h"
#include "base/json_scan.h"
#include "base/limits.h"
#include "base/memory.h"
#include "cli/json_layout.h"

#include <string.h>

enum { PATH_BYTES_MAX = 2048, JSON_BYTES_MAX = CLI_BODY_BYTES_MAX };

#define WITHOUT_MANAGED_FIELDS "{\"metadata\":{\"managedFields\":null}}"

void fetched_init(struct fetched *fetched, enum object_kind kind)
{
    *fetched = (struct fetched){.kind = kind};
    text_init(&fetched->json, JSON_BYTES_MAX);
}

void fetched_release(struct fetched *fetched)
{
    for (size_t i = 0; i < fetched->count; i++) {
        object_free(fetched->objects[i]);
    }
    memory_free(fetched->objects);
    text_release(&fetched->json);
}

static bool add_decoded(void *self, const char *text, size_t byte_count, struct error *error)
{
    struct fetched *fetched = self;
    struct object *object = NULL;
    if (!object_decode(fetched->kind, text, byte_count, NULL, &object, error)) {
        return false;
    }
    fetched->objects = memory_resize(fetched->objects, fetched->count + 1, sizeof(struct object *));
    fetched->objects[fetched->count++] = object;
    return true;
}

static bool decode(struct fetched *fetched, enum json_scan_shape shape, const char *body,
                   size_t byte_count, struct error *error)
{
    struct json_scan *scan = json_scan_new(shape, &kind_of(fetched->kind)->filter,
                                           LIMIT_OBJECT_BYTES, add_decoded, fetched);
    bool decoded = json_scan_feed(scan, body, byte_count, error) && json_scan_end(scan, error);
    json_scan_free(scan);
    return decoded;
}

static bool add_json(struct fetched *fetched, const char *object, struct error *error)
{
    if (fetched->json.length_bytes > 0) {
        text_append_char(&fetched->json, ',');
    }
    return json_merge(object, WITHOUT_MANAGED_FIELDS, &fetched->json, error) &&
           text_check(&fetched->json, "the list", error);
}

static bool add_items(struct fetched *fetched, const char *items, struct error *error)
{
    size_t byte_count = 0;
    for (const char *at = json_element_first(items, &byte_count); at != NULL;
         at = json_element_next(at, &byte_count)) {
        cleanup_text struct text object;
        text_init(&object, JSON_BYTES_MAX);
        text_append_bytes(&object, at, byte_count);
        if (!add_json(fetched, object.bytes, error)) {
            return false;
        }
    }
    return true;
}

bool fetched_add_reply(struct fetched *fetched, const char *body, size_t byte_count,
                       struct error *error)
{
    cleanup_text struct text items;
    text_init(&items, JSON_BYTES_MAX);
    bool is_list = false;
    if (!json_extract(body, "items", &items, &is_list, error)) {
        return error_wrap(error, "the reply is no JSON");
    }
    enum json_scan_shape shape = is_list ? JSON_SCAN_LIST : JSON_SCAN_PLAIN;
    if (!decode(fetched, shape, body, byte_count, error)) {
        return false;
    }
    if (!is_list) {
        return add_json(fetched, body, error);
    }
    return !text_starts_with(items.bytes, "[") || add_items(fetched, items.bytes, error);
}

static bool fetch(struct cli *cli, const char *path, struct fetched *fetched, struct error *error)
{
    cleanup_text struct text body;
    text_init(&body, CLI_BODY_BYTES_MAX);
    struct request request = {.method = METHOD_GET, .path = path};
    return cli_call(cli, &request, &body, error) &&
           fetched_add_reply(fetched, body.bytes, body.length_bytes, error);
}

bool fetch_one(struct cli *cli, const char *namespace, const char *name, struct fetched *fetched,
               struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(fetched->kind), namespace, name, NULL, &path);
    return text_check(&path, "the name", error) && fetch(cli, path.bytes, fetched, error);
}

bool fetch_list(struct cli *cli, const char *namespace, struct fetched *fetched,
                struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(fetched->kind), namespace, NULL, NULL, &path);
    return text_check(&path, "the namespace", error) && fetch(cli, path.bytes, fetched, error);
}

bool fetch_json(struct cli *cli, const char *path, struct json_document **out, struct error *error)
{
    cleanup_text struct text reply;
    text_init(&reply, CLI_BODY_BYTES_MAX);
    struct request request = {.method = METHOD_GET, .path = path};
    return cli_call(cli, &request, &reply, error) &&
           json_parse(reply.bytes, reply.length_bytes, out, error);
}
