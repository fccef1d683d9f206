/* SPDX-License-Identifier: Apache-2.0 */
/* A thousand volumes carry the same dozen keys, and foreign tools' annotations are often larger
   than all the rest (kubectl's last-applied-configuration, CloudNativePG's manifest of a whole
   Cluster). So the keys we know are not copied but point at their constants, and what we do not
   know is not kept. */
#include "api/object_meta.h"

#include "api/field.h"
#include "api/names.h"
#include "base/text.h"

#include <string.h>

#define KNOWN(name)                                                                                \
    {                                                                                              \
        name, sizeof(name) - 1                                                                     \
    }

static const struct {
    const char *key;
    size_t length;
} KNOWN_KEYS[] = {
    KNOWN(LABEL_ROLE),
    KNOWN(LABEL_STATE),
    KNOWN(LABEL_POOL_UID),
    KNOWN(LABEL_POOL),
    KNOWN(LABEL_POOL_NAMESPACE),
    KNOWN(LABEL_INSTANCE_UID),
    KNOWN(LABEL_INSTANCE),
    KNOWN(LABEL_INSTANCE_NAMESPACE),
    KNOWN(ANNOTATION_GOLDEN),
    KNOWN(ANNOTATION_GOLDEN_UID),
    KNOWN(ANNOTATION_SYSTEM_ID),
    KNOWN(ANNOTATION_DATABASE),
    KNOWN(ANNOTATION_OWNER),
    KNOWN(ANNOTATION_DELETION_POLICY),
    KNOWN(ANNOTATION_DATA_CLAIM_UID),
    KNOWN(ANNOTATION_HOLDING_UID),
    KNOWN(ANNOTATION_OFFER),
    KNOWN(ANNOTATION_AT),
    KNOWN(ANNOTATION_ADOPT),
    KNOWN(ANNOTATION_HIBERNATED),
    KNOWN(ANNOTATION_BOUND_BY_CONTROLLER),
    KNOWN(CNPG_LABEL_CLUSTER),
    KNOWN(CNPG_LABEL_INSTANCE_NAME),
    KNOWN(CNPG_LABEL_PVC_ROLE),
    KNOWN(CNPG_LABEL_MAJOR_VERSION),
    KNOWN(CNPG_ANNOTATION_NODE_SERIAL),
    KNOWN(CNPG_ANNOTATION_PVC_STATUS),
    KNOWN(CNPG_ANNOTATION_HIBERNATION),
};

/* NULL: not one of ours or CloudNativePG's. */
static const char *known_key(const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < sizeof(KNOWN_KEYS) / sizeof(KNOWN_KEYS[0]); i++) {
        /* Many begin alike, few are as long. */
        if (KNOWN_KEYS[i].length == length && memcmp(KNOWN_KEYS[i].key, key, length) == 0) {
            return KNOWN_KEYS[i].key;
        }
    }
    return NULL;
}

static bool is_kept(const char *key, bool all)
{
    return all || text_starts_with(key, NAME_GROUP "/") || known_key(key) != NULL;
}

static size_t count_kept(const struct json *map, bool all)
{
    size_t count = 0;
    for (const struct json *at = json_first(map); at != NULL; at = json_next(at)) {
        count += is_kept(json_key(at), all);
    }
    return count;
}

static const struct label *read_labels(struct json_reader *reader, const struct json *metadata,
                                       const char *key, bool all, size_t *out_count)
{
    const struct json *map = field_object(reader, metadata, key);
    size_t count = count_kept(map, all);
    *out_count = 0;
    if (count == 0) {
        return NULL;
    }
    struct label *labels = arena_new(reader->arena, count, sizeof(*labels));
    for (const struct json *at = json_first(map); at != NULL; at = json_next(at)) {
        if (!is_kept(json_key(at), all)) {
            continue;
        }
        const char *known = known_key(json_key(at));
        labels[*out_count] = (struct label){
            .key = known != NULL ? known : json_keep(reader, json_key(at)),
            .value = field_string(reader, map, json_key(at)),
            .key_bytes = strlen(json_key(at)),
        };
        *out_count += 1;
    }
    return labels;
}

static const struct owner_reference *read_owners(struct json_reader *reader,
                                                 const struct json *metadata, size_t *out_count)
{
    const struct json *array = field_array(reader, metadata, "ownerReferences");
    size_t count = json_count(array);
    *out_count = 0;
    if (count == 0) {
        return NULL;
    }
    struct owner_reference *owners = arena_new(reader->arena, count, sizeof(*owners));
    for (const struct json *at = json_first(array); at != NULL; at = json_next(at)) {
        owners[*out_count] = (struct owner_reference){
            .kind = field_string(reader, at, "kind"),
            .name = field_string(reader, at, "name"),
            .uid = field_string(reader, at, "uid"),
            .controller = json_bool(reader, at, "controller", false),
        };
        *out_count += 1;
    }
    return owners;
}

/* Before the name, which is its end and so takes no room. */
static const char *keep_key(struct json_reader *reader, const struct json *metadata)
{
    const char *namespace = json_text(json_member(metadata, "namespace"));
    const char *name = json_text(json_member(metadata, "name"));
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    return json_keep(reader, arena_print(&arena, "%s/%s", namespace == NULL ? "" : namespace,
                                         name == NULL ? "" : name));
}

void object_meta_read(struct json_reader *reader, const struct json *root, enum object_kind kind,
                      struct object_meta *meta)
{
    const struct json *metadata = field_object(reader, root, "metadata");
    const char *key = keep_key(reader, metadata);
    *meta = (struct object_meta){
        .key = key,
        .name = field_string(reader, metadata, "name"),
        .namespace = field_string(reader, metadata, "namespace"),
        .uid = field_string(reader, metadata, "uid"),
        .resource_version = field_string(reader, metadata, "resourceVersion"),
        .generation = json_int64(reader, metadata, "generation", 0),
        .created_ms = field_time(reader, metadata, "creationTimestamp"),
        .deleting_ms = field_time(reader, metadata, "deletionTimestamp"),
    };
    if (meta->name[0] == '\0') {
        field_wrong(reader, "metadata.name", "is missing");
    }
    bool is_selected = kind == KIND_NAMESPACE || kind == KIND_SNAPSHOT; /* by a Pool */
    meta->labels = read_labels(reader, metadata, "labels", is_selected, &meta->label_count);
    meta->annotations =
        read_labels(reader, metadata, "annotations", false, &meta->annotation_count);
    meta->finalizers = field_strings(reader, metadata, "finalizers", &meta->finalizer_count);
    meta->owners = read_owners(reader, metadata, &meta->owner_count);
}
