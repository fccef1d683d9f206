/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/write_name.h"

#include "api/kind.h"
#include "api/names.h"
#include "base/json_merge.h"
#include "base/limits.h"

#include <string.h>

/* .../PLURAL/NAME/SUBRESOURCE, the last two may be absent. */
struct place {
    const char *kind;
    struct text name, subresource;
};

bool write_name_is_write(const struct request *request)
{
    return request->method != METHOD_GET && strstr(request->path, "/leases") == NULL;
}

static const char *take_segment(const char *at, struct text *out)
{
    size_t bytes = strcspn(at, "/?");
    text_append_bytes(out, at, bytes);
    return at[bytes] == '/' ? at + bytes + 1 : "";
}

/* The plural as a whole segment of the path; NULL: it is none. Namespaces' names may begin like
   one. */
static const char *find_segment(const char *path, const char *plural)
{
    size_t bytes = strlen(plural);
    for (const char *at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/')) {
        const char *end = at + 1 + bytes;
        if (strncmp(at + 1, plural, bytes) == 0 && (*end == '\0' || strchr("/?", *end) != NULL)) {
            return end;
        }
    }
    return NULL;
}

static void find_place(const char *path, struct place *place)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const struct kind *row = kind_of((enum object_kind)kind);
        const char *end = find_segment(path, row->plural);
        if (end == NULL || kind == KIND_NAMESPACE) {
            continue; /* "namespaces" is a part of most paths; an operator writes none */
        }
        place->kind = row->kind;
        if (*end == '/') {
            (void)take_segment(take_segment(end + 1, &place->name), &place->subresource);
        }
        return;
    }
}

static void append_created(const struct request *request, const struct place *place,
                           struct text *out)
{
    cleanup_text struct text name;
    struct error error;
    bool found = false;
    text_init(&name, LIMIT_BODY_BYTES);
    if (!json_extract(request->body, "metadata.name", &name, &found, &error) || !found) {
        text_append(&name, "\"?\"");
    }
    text_print(out, "create %s %.*s", place->kind, (int)(name.length_bytes - 2), name.bytes + 1);
}

/* A patch that tests one state and sets another names both; the later state is the new one. */
static void append_volume(const struct request *request, struct text *out)
{
    if (strstr(request->body, "\"op\":\"remove\"") != NULL) {
        text_append(out, "PersistentVolume loses its labels");
        return;
    }
    static const char *const states[] = {STATE_DISPOSING, STATE_RETIRING, STATE_CLAIMED,
                                         STATE_WARM};
    for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
        cleanup_text struct text quoted;
        text_init(&quoted, LIMIT_BODY_BYTES);
        text_print(&quoted, "\"%s\"", states[i]);
        if (strstr(request->body, quoted.bytes) != NULL) {
            text_print(out, "PersistentVolume becomes %s", states[i]);
            return;
        }
    }
    text_append(out, "patch PersistentVolume");
}

void write_name_append(const struct request *request, struct text *out)
{
    struct place place = {.kind = "something"};
    text_init(&place.name, LIMIT_BODY_BYTES);
    text_init(&place.subresource, LIMIT_BODY_BYTES);
    find_place(request->path, &place);
    if (strstr(request->path, "dryRun=") != NULL) {
        text_append(out, "dry runs");
    } else if (request->method == METHOD_POST) {
        append_created(request, &place, out);
    } else if (request->method == METHOD_DELETE) {
        text_print(out, "delete %s %s", place.kind, place.name.bytes);
    } else if (place.subresource.length_bytes > 0) {
        text_print(out, "%s of %s %s", place.subresource.bytes, place.kind, place.name.bytes);
    } else if (text_equal(place.kind, "PersistentVolume")) {
        append_volume(request, out);
    } else if (strstr(request->body, "finalizers") != NULL) {
        text_print(out, "finalizer of %s %s", place.kind, place.name.bytes);
    } else {
        text_print(out, "patch %s %s", place.kind, place.name.bytes);
    }
    text_release(&place.name);
    text_release(&place.subresource);
}
