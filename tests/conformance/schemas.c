/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of tests/crds, as its script plays them with kubectl: good ones are taken, their status
   too, and become what their header says; bad ones are refused with what it expects. */
#include "conformance/stage.h"
#include "conformance/topics.h"

#include "base/limits.h"
#include "base/memory.h"
#include "conformance/expectation.h"
#include "io/file.h"
#include "io/yaml.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOOD "tests/crds/good"
#define BAD "tests/crds/bad"
#define STRICT "?fieldValidation=Strict"
#define MERGE_PATCH "application/merge-patch+json"

enum { PATH_BYTES = 512, CREATED = 201, FINE = 200, INVALID = 422, BAD_REQUEST = 400 };

struct file {
    char *bytes; /* with its header of comments */
    char *json;
};

static bool take_json(void *self, const char *json, struct error *error)
{
    struct file *file = self;
    (void)error;
    memory_free(file->json);
    file->json = memory_copy_text(json);
    return true;
}

static bool file_open(struct stage *stage, const char *path, struct file *out)
{
    struct error error;
    size_t byte_count = 0;
    *out = (struct file){0};
    bool read = file_read(path, LIMIT_FILE_BYTES, &out->bytes, &byte_count, &error) &&
                yaml_to_json(out->bytes, byte_count, take_json, out, &error);
    return read || stage_check(stage, false, "%s: %s", path, error.message);
}

static void file_close(struct file *file)
{
    memory_free(file->bytes);
    memory_free(file->json);
}

/* The rest of the next line "# key: ..." from *at on, which moves behind it. false: none. */
static bool next_header(const char **at, const char *key, struct text *out)
{
    char begin[32];
    (void)snprintf(begin, sizeof(begin), "# %s: ", key);
    const char *found = strstr(*at, begin);
    if (found == NULL) {
        return false;
    }
    found += strlen(begin);
    text_clear(out);
    text_append_bytes(out, found, strcspn(found, "\n"));
    *at = found;
    return true;
}

/* ---- requests ---- */

static void object_path(const char *json, const char *end, bool with_name, struct text *out)
{
    cleanup_text struct text kind;
    cleanup_text struct text name;
    text_init(&kind, LIMIT_BODY_BYTES);
    text_init(&name, LIMIT_BODY_BYTES);
    (void)expectation_find(json, "kind", &kind);
    (void)expectation_find(json, "metadata.name", &name);
    text_clear(out);
    text_print(out, "$ours/%s%s%s%s", text_equal(kind.bytes, "Pool") ? "pools" : "instances",
               with_name ? "/" : "", with_name ? name.bytes : "", end);
}

/* The body is JSON as it is, which has no gaps: only ' in it would be taken for ". */
static const struct exchange *send(struct stage *stage, enum method method, const char *json,
                                   const char *end)
{
    cleanup_text struct text path;
    cleanup_text struct text body;
    text_init(&path, LIMIT_BODY_BYTES);
    text_init(&body, LIMIT_BODY_BYTES);
    object_path(json, end, method != METHOD_POST, &path);
    for (const char *at = json; *at != '\0'; at++) {
        if (*at == '\'' || *at == '`' || *at == '$') {
            text_print(&body, "\\u%04x", (unsigned)*at);
        } else {
            text_append_char(&body, *at);
        }
    }
    return stage_send(stage, &(struct step){
                                 .method = method,
                                 .path = path.bytes,
                                 .content_type = method == METHOD_PATCH ? MERGE_PATCH : NULL,
                                 .body = method == METHOD_DELETE ? NULL : body.bytes,
                             });
}

static void check_status(struct stage *stage, const char *what, const char *name,
                         const struct exchange *exchange, int expected)
{
    (void)stage_check(stage, exchange->http_status == expected, "%s %s: %d %s", name, what,
                      exchange->http_status, exchange->body.bytes);
}

/* ---- good ones ---- */

/* "{.spec.a[0].b} value", as kubectl's jsonpath has it. */
static void check_becomes(struct stage *stage, const char *name, const char *stored,
                          const char *header)
{
    cleanup_text struct text path;
    cleanup_text struct text value;
    const char *end = strchr(header, '}');
    text_init(&path, LIMIT_BODY_BYTES);
    text_init(&value, LIMIT_BODY_BYTES);
    for (const char *at = header + strlen("{."); at < end; at++) {
        if (*at != ']') {
            text_append_char(&path, (char)(*at == '[' ? '.' : *at));
        }
    }
    (void)expectation_find(stored, path.bytes, &value);
    (void)stage_check(stage, text_equal(value.bytes, end + strlen("} ")), "%s: %s is %s", name,
                      header, value.bytes);
}

static void try_good(struct stage *stage, const char *path)
{
    struct file file;
    cleanup_text struct text header;
    cleanup_memory char *stored = NULL;
    text_init(&header, LIMIT_BODY_BYTES);
    if (!file_open(stage, path, &file)) {
        return;
    }
    const struct exchange *exchange = send(stage, METHOD_POST, file.json, STRICT);
    check_status(stage, "is taken", path, exchange, CREATED);
    if (strstr(file.bytes, "\nstatus:") != NULL) {
        exchange = send(stage, METHOD_PATCH, file.json, "/status" STRICT);
        check_status(stage, "has its status taken", path, exchange, FINE);
    }
    exchange = send(stage, METHOD_GET, file.json, "");
    stored = memory_copy_text(exchange->body.bytes);
    const char *at = file.bytes;
    while (next_header(&at, "becomes", &header)) {
        check_becomes(stage, path, stored, header.bytes);
    }
    check_status(stage, "is deleted", path, send(stage, METHOD_DELETE, file.json, ""), FINE);
    file_close(&file);
}

/* ---- bad ones ---- */

static void check_refused(struct stage *stage, const char *path, const struct exchange *exchange,
                          const char *expected)
{
    cleanup_text struct text message;
    text_init(&message, LIMIT_BODY_BYTES);
    (void)expectation_find(exchange->body.bytes, "message", &message);
    bool refused = exchange->http_status == INVALID || exchange->http_status == BAD_REQUEST;
    (void)stage_check(stage, refused && strstr(message.bytes, expected) != NULL,
                      "%s: expected '%s' in: %d %s", path, expected, exchange->http_status,
                      exchange->body.bytes);
}

/* As kubectl replaces: what the object does not have any more goes. */
static char *at_version(const char *json, const char *stored)
{
    static const char metadata[] = "\"metadata\":{";
    cleanup_text struct text version;
    cleanup_text struct text out;
    text_init(&version, LIMIT_BODY_BYTES);
    text_init(&out, LIMIT_BODY_BYTES);
    (void)expectation_find(stored, "metadata.resourceVersion", &version);
    const char *at = strstr(json, metadata) + strlen(metadata);
    text_append_bytes(&out, json, (size_t)(at - json));
    text_print(&out, "\"resourceVersion\":\"%s\",%s", version.bytes, at);
    return memory_copy_text(out.bytes);
}

/* As a change of the good object of that name. */
static void try_change(struct stage *stage, const char *path, const struct file *bad,
                       const char *before, const char *expected)
{
    struct file good;
    char good_path[PATH_BYTES];
    (void)snprintf(good_path, sizeof(good_path), GOOD "/%s.yaml", before);
    if (!file_open(stage, good_path, &good)) {
        return;
    }
    const struct exchange *made = send(stage, METHOD_POST, good.json, STRICT);
    cleanup_memory char *after = at_version(bad->json, made->body.bytes);
    check_refused(stage, path, send(stage, METHOD_PUT, after, STRICT "&dryRun=All"), expected);
    (void)send(stage, METHOD_DELETE, good.json, "");
    file_close(&good);
}

static void try_bad(struct stage *stage, const char *path)
{
    struct file file;
    cleanup_text struct text expected;
    cleanup_text struct text before;
    text_init(&expected, LIMIT_BODY_BYTES);
    text_init(&before, LIMIT_BODY_BYTES);
    if (!file_open(stage, path, &file)) {
        return;
    }
    const char *at = file.bytes;
    (void)next_header(&at, "expect", &expected);
    at = file.bytes;
    if (next_header(&at, "before", &before)) {
        try_change(stage, path, &file, before.bytes, expected.bytes);
    } else {
        check_refused(stage, path, send(stage, METHOD_POST, file.json, STRICT "&dryRun=All"),
                      expected.bytes);
    }
    file_close(&file);
}

/* ---- all of them ---- */

static int is_yaml(const struct dirent *entry)
{
    return text_ends_with(entry->d_name, ".yaml");
}

static void try_folder(struct stage *stage, const char *folder,
                       void (*try)(struct stage *stage, const char *path))
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_yaml, alphasort);
    (void)stage_check(stage, count > 0, "%s has no cases", folder);
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
        try(stage, path);
        free(entries[i]);
    }
    free(entries);
}

static void play(struct stage *stage)
{
    try_folder(stage, GOOD, try_good);
    try_folder(stage, BAD, try_bad);
}

const struct topic topic_schemas = {.name = "our schemas", .play = play};
