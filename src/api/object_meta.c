/* SPDX-License-Identifier: Apache-2.0 */
/* A thousand volumes carry the same dozen keys, and foreign tools' annotations are often larger
   than all the rest (kubectl's last-applied-configuration, CloudNativePG's manifest of a whole
   Cluster). So the keys we know are not copied but point at their constants, and what we do not
   know is not kept. */
#include "api/object_meta.h"

#include "api/field.h"
#include "api/names.h"
#include "base/common.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

#define ALIKE(name)                                                                                \
    {                                                                                              \
        name, sizeof(name) - 1, true                                                               \
    }
#define OWN(name)                                                                                  \
    {                                                                                              \
        name, sizeof(name) - 1, false                                                              \
    }

static const struct known_key {
    const char *key;
    size_t length;
    bool alike; /* many objects have the same value */
} KNOWN_KEYS[] = {
    ALIKE(LABEL_ROLE),
    ALIKE(LABEL_STATE),
    ALIKE(LABEL_POOL_UID),
    ALIKE(LABEL_POOL),
    ALIKE(LABEL_POOL_NAMESPACE),
    ALIKE(ANNOTATION_GOLDEN),
    ALIKE(ANNOTATION_GOLDEN_UID),
    ALIKE(ANNOTATION_SYSTEM_ID),
    ALIKE(ANNOTATION_DATABASE),
    ALIKE(ANNOTATION_OWNER),
    ALIKE(ANNOTATION_DELETION_POLICY),
    ALIKE(ANNOTATION_HIBERNATED),
    ALIKE(ANNOTATION_BOUND_BY_CONTROLLER),
    ALIKE(CNPG_LABEL_PVC_ROLE),
    ALIKE(CNPG_LABEL_MAJOR_VERSION),
    ALIKE(CNPG_ANNOTATION_NODE_SERIAL),
    ALIKE(CNPG_ANNOTATION_PVC_STATUS),
    ALIKE(CNPG_ANNOTATION_HIBERNATION),
    OWN(LABEL_INSTANCE_UID),
    OWN(LABEL_INSTANCE),
    OWN(LABEL_INSTANCE_NAMESPACE),
    OWN(ANNOTATION_DATA_CLAIM_UID),
    OWN(ANNOTATION_HOLDING_UID),
    OWN(ANNOTATION_OFFER),
    OWN(ANNOTATION_AT),
    OWN(ANNOTATION_ADOPT),
    OWN(CNPG_LABEL_CLUSTER),
    OWN(CNPG_LABEL_INSTANCE_NAME),
};

enum { KNOWN_COUNT = sizeof(KNOWN_KEYS) / sizeof(KNOWN_KEYS[0]) };

/* NULL: not one of ours or CloudNativePG's. */
static const struct known_key *known_key(const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        /* Many begin alike, few are as long. */
        if (KNOWN_KEYS[i].length == length && memcmp(KNOWN_KEYS[i].key, key, length) == 0) {
            return &KNOWN_KEYS[i];
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

struct labels {
    struct label *own;
    uint32_t own_count;
    size_t alike_count;
    struct label alike[KNOWN_COUNT];
};

static struct label read_label(struct json_reader *reader, const struct json *map, const char *key)
{
    const struct known_key *known = known_key(key);
    return (struct label){
        .key = known != NULL ? known->key : json_keep(reader, key),
        .value = known != NULL && known->alike ? field_word(reader, map, key)
                                               : field_string(reader, map, key),
    };
}

static void read_alike(struct json_reader *reader, const struct json *map, struct labels *out)
{
    for (const struct json *at = json_first(map); at != NULL; at = json_next(at)) {
        const struct known_key *known = known_key(json_key(at));
        if (known == NULL || !known->alike || out->alike_count == KNOWN_COUNT) {
            continue;
        }
        struct label label = read_label(reader, map, json_key(at));
        if (json_is_word(reader, label.value)) {
            out->alike[out->alike_count++] = label;
        }
    }
}

static void read_labels(struct json_reader *reader, const struct json *metadata, const char *key,
                        bool all, struct labels *out)
{
    const struct json *map = field_object(reader, metadata, key);
    *out = (struct labels){.own_count = 0};
    if (!all) { /* selectors look at an object's own alone */
        read_alike(reader, map, out);
    }
    size_t count = count_kept(map, all) - out->alike_count;
    out->own = count == 0 ? NULL : arena_new(reader->arena, count, sizeof(*out->own));
    size_t next_alike = 0;
    for (const struct json *at = json_first(map); at != NULL; at = json_next(at)) {
        if (!is_kept(json_key(at), all)) {
            continue;
        }
        struct label label = read_label(reader, map, json_key(at));
        if (next_alike < out->alike_count && label.key == out->alike[next_alike].key) {
            next_alike++;
            continue;
        }
        assert(out->own_count < count && out->own != NULL);
        out->own[out->own_count++] = label;
    }
}

static const struct label *share(struct common *common, const struct labels *labels)
{
    return labels->alike_count == 0
               ? NULL
               : common_share(common, labels->alike, labels->alike_count * sizeof(struct label));
}

static void read_all_labels(struct json_reader *reader, const struct json *metadata,
                            struct object *object)
{
    struct object_meta *meta = &object->meta;
    bool is_selected = object->kind == KIND_NAMESPACE || object->kind == KIND_SNAPSHOT;
    struct labels labels;
    struct labels annotations;
    read_labels(reader, metadata, "labels", is_selected, &labels); /* by a Pool */
    read_labels(reader, metadata, "annotations", false, &annotations);
    meta->labels = labels.own;
    meta->label_count = labels.own_count;
    meta->annotations = annotations.own;
    meta->annotation_count = annotations.own_count;
    if (object->common != NULL && labels.alike_count + annotations.alike_count > 0) {
        struct object_alike alike = {.labels = share(object->common, &labels),
                                     .annotations = share(object->common, &annotations),
                                     .label_count = labels.alike_count,
                                     .annotation_count = annotations.alike_count};
        meta->alike = common_share(object->common, &alike, sizeof(alike));
    }
}

static const struct owner_reference *read_owners(struct json_reader *reader,
                                                 const struct json *metadata, uint32_t *out_count)
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
            .kind = field_word(reader, at, "kind"),
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

void object_meta_read(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct object_meta *meta = &object->meta;
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
    read_all_labels(reader, metadata, object);
    size_t finalizer_count = 0;
    meta->finalizers = field_strings(reader, metadata, "finalizers", &finalizer_count);
    meta->finalizer_count = (uint32_t)finalizer_count;
    meta->owners = read_owners(reader, metadata, &meta->owner_count);
}
