/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/change.h"

#include "base/limits.h"
#include "cli/output.h"

#include <stdarg.h>

enum { TRIES_MAX = 8, PATH_BYTES_MAX = 2 * 1024, TEXT_BYTES_MAX = 4 * 1024 };

static bool write_body(const struct change *change, const struct object *object, struct text *out,
                       struct error *error)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_object(&json, "metadata");
    json_member_string(&json, "resourceVersion", object->meta.resource_version);
    json_end_object(&json);
    json_member_object(&json, "spec");
    bool can_be = change->write(change->self, object, &json, error);
    json_end_object(&json);
    json_end_object(&json);
    return can_be;
}

bool change_send(struct cli *cli, const struct object *instance, const char *body,
                 size_t body_bytes, struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(KIND_INSTANCE), instance->meta.namespace, instance->meta.name, NULL, &path);
    struct request request = {.method = METHOD_PATCH,
                              .path = path.bytes,
                              .content_type = "application/merge-patch+json",
                              .body = body,
                              .body_bytes = body_bytes};
    return cli_call(cli, &request, NULL, error);
}

/* fetched is of this try. */
static bool try_once(struct change *change, struct error *error)
{
    struct cli *cli = change->cli;
    cleanup_text struct text body;
    text_init(&body, LIMIT_BODY_BYTES);
    fetched_init(&change->fetched, KIND_INSTANCE);
    if (!cli_connect(cli, error) ||
        !fetch_one(cli, cli_namespace(cli), change->name, &change->fetched, error)) {
        return false;
    }
    const struct object *object = change->fetched.objects[0];
    if (object->meta.deleting_ms != 0) {
        return error_set(error, ERROR_INVALID, "Instance %s/%s is being deleted",
                         object->meta.namespace, object->meta.name);
    }
    return write_body(change, object, &body, error) &&
           change_send(cli, object, body.bytes, body.length_bytes, error);
}

enum exit_code change_instance(struct change *change)
{
    struct error error = {.class = ERROR_NONE};
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        if (tries > 0) {
            fetched_release(&change->fetched);
        }
        if (try_once(change, &error)) {
            return CLI_OK;
        }
        if (error.class != ERROR_CONFLICT) {
            break;
        }
    }
    return cli_fail_with(change->cli, KIND_INSTANCE, &error);
}

void change_say(const struct change *change, const char *format, ...)
{
    cleanup_arena struct arena arena;
    cleanup_text struct text out;
    arena_init(&arena, 0);
    text_init(&out, TEXT_BYTES_MAX);
    output_name(KIND_INSTANCE, change->name, &out);
    va_list arguments;
    va_start(arguments, format);
    text_append(&out, arena_print_list(&arena, format, arguments));
    va_end(arguments);
    text_append(&out, "\n");
    cli_print(change->cli, out.bytes);
}
