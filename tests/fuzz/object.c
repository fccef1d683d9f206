/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever an object says: read as each kind whose name it has, by that kind's own filter, it is
   refused with words, or it has what every object has. */
#include "api/object.h"

#include "api/kind.h"
#include "base/limits.h"
#include "base/memory.h"
#include "support/fuzz_input.h"

#include <string.h>

static void require_labels(const struct label *labels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fuzz_require(labels[i].key != NULL && labels[i].value != NULL, "labels are whole");
    }
}

static void require_whole(const struct object *object)
{
    const struct object_meta *meta = &object->meta;
    fuzz_require(meta->name[0] != '\0', "it has a name");
    fuzz_require(meta->namespace != NULL && meta->uid != NULL && meta->resource_version != NULL,
                 "what is not said is empty");
    require_labels(meta->labels, meta->label_count);
    require_labels(meta->annotations, meta->annotation_count);
    for (size_t i = 0; i < meta->finalizer_count; i++) {
        fuzz_require(object_has_finalizer(object, meta->finalizers[i]), "it has its finalizers");
    }
    for (size_t i = 0; i < meta->owner_count; i++) {
        fuzz_require(meta->owners[i].uid != NULL && meta->owners[i].kind != NULL,
                     "owners are whole");
    }
    fuzz_require(object_compare_age(object, object) == 0, "it is as old as itself");
}

static bool take_object(void *self, const char *text, size_t byte_count, struct error *error)
{
    const enum object_kind *kind = self;
    (void)error;
    cleanup_object struct object *object = NULL;
    struct error refusal = {0};
    if (object_decode(*kind, text, byte_count, NULL, &object, &refusal)) {
        require_whole(object);
    } else {
        fuzz_require(refusal.class != ERROR_NONE && refusal.message[0] != '\0',
                     "a refusal says why");
    }
    return true;
}

static void read_as(enum object_kind kind, const char *text)
{
    struct error ignored;
    struct json_scan *scan = json_scan_new(JSON_SCAN_PLAIN, &kind_of(kind)->filter,
                                           LIMIT_OBJECT_BYTES, take_object, &kind);
    bool read = json_scan_feed(scan, text, strlen(text), &ignored) && json_scan_end(scan, &ignored);
    (void)read;
    json_scan_free(scan);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *text = fuzz_input_text(&input);
    for (enum object_kind kind = 0; kind < KIND_COUNT; kind++) {
        if (strstr(text, kind_of(kind)->kind) != NULL) {
            read_as(kind, text);
        }
    }
    return 0;
}
