/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/create.h"

enum { PATH_BYTES_MAX = 2 * 1024 };

void create_begin(struct json_writer *json, enum object_kind kind, const char *namespace,
                  const char *name)
{
    json_begin_object(json);
    json_member_string(json, "apiVersion", kind_of(kind)->api_version);
    json_member_string(json, "kind", kind_of(kind)->kind);
    json_member_object(json, "metadata");
    json_member_string(json, "name", name);
    json_member_optional(json, "namespace", namespace);
}

bool create_send(struct cli *cli, enum object_kind kind, const char *namespace,
                 const struct text *object, bool dry_run, struct text *out_reply,
                 struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(kind), namespace, NULL, NULL, &path);
    text_append(&path, dry_run ? "?dryRun=All" : "");
    struct request request = {.method = METHOD_POST,
                              .path = path.bytes,
                              .content_type = "application/json",
                              .body = object->bytes,
                              .body_bytes = object->length_bytes};
    return text_check(&path, "the namespace", error) && text_check(object, "the options", error) &&
           cli_call(cli, &request, out_reply, error);
}
