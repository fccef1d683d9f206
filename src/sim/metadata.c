/* SPDX-License-Identifier: Apache-2.0 */
/* A uid is drawn from the world's chance, so that the same seed gives the same uids; a name is
   generated from the same alphabet as the real server's, without vowels. */
#include "sim/metadata.h"

#include "base/text.h"
#include "base/timestamp.h"

#include <stdio.h>
#include <string.h>

enum { UID_BYTES = 40, GENERATED_BASE_BYTES_MAX = 58, GENERATED_SUFFIX_BYTES = 5 };

static cJSON *metadata_of(const struct write *write)
{
    return value_make(write->value, "metadata", NULL);
}

static const cJSON *metadata_before(const struct write *write)
{
    return value_member(write->before->value, "metadata");
}

void apiserver_stamp(const struct apiserver *server, int64_t later_s, char out[32])
{
    timestamp_format_seconds(world_now(server->world).wall_ms + later_s * 1000, out);
}

static void draw_uid(struct apiserver *server, char out[UID_BYTES])
{
    struct random *random = world_random(server->world, "uid");
    uint64_t high = random_next(random);
    uint64_t low = random_next(random);
    (void)snprintf(out, UID_BYTES, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(high >> 32),
                   (unsigned)(high >> 16) & 0xffff, (unsigned)high & 0xfff,
                   ((unsigned)(low >> 48) & 0x3fff) | 0x8000,
                   (unsigned long long)(low & UINT64_C(0xffffffffffff)));
}

enum { GENERATED_NAME_BYTES = GENERATED_BASE_BYTES_MAX + GENERATED_SUFFIX_BYTES + 1 };

static void draw_name(struct apiserver *server, const char *base, char out[GENERATED_NAME_BYTES])
{
    static const char alphabet[] = "bcdfghjklmnpqrstvwxz2456789";
    struct random *random = world_random(server->world, "names");
    char suffix[GENERATED_SUFFIX_BYTES + 1] = "";
    for (int i = 0; i < GENERATED_SUFFIX_BYTES; i++) {
        suffix[i] = alphabet[random_below(random, sizeof(alphabet) - 1)];
    }
    (void)snprintf(out, GENERATED_NAME_BYTES, "%.*s%s", GENERATED_BASE_BYTES_MAX, base, suffix);
}

void metadata_generate_name(struct write *write)
{
    const char *base = value_text(write->value, "metadata", "generateName", NULL);
    if (value_name(write->value)[0] == '\0' && base != NULL && base[0] != '\0') {
        char name[GENERATED_NAME_BYTES] = "";
        do {
            draw_name(write->server, base, name);
        } while (objects_get(write->server->objects, write->resource, write->namespace, name));
        value_set_text(metadata_of(write), "name", name);
    }
    write->name = value_name(write->value);
}

void metadata_fill(struct write *write)
{
    static const char *const not_a_clients[] = {
        "selfLink",        "managedFields", "deletionTimestamp", "deletionGracePeriodSeconds",
        "resourceVersion", "generation",
    };
    char uid[UID_BYTES];
    char now[TIMESTAMP_BYTES];
    cJSON *metadata = metadata_of(write);
    for (size_t i = 0; i < sizeof(not_a_clients) / sizeof(not_a_clients[0]); i++) {
        value_set(metadata, not_a_clients[i], NULL);
    }
    draw_uid(write->server, uid);
    apiserver_stamp(write->server, 0, now);
    value_set_text(metadata, "uid", uid);
    value_set_text(metadata, "creationTimestamp", now);
    if (write->resource->has_generation) {
        value_set_int64(metadata, "generation", 1);
    }
}

static void carry(cJSON *metadata, const cJSON *before, const char *name)
{
    const cJSON *present = value_member(before, name);
    value_set(metadata, name, present == NULL ? NULL : cJSON_Duplicate(present, true));
}

void metadata_carry(struct write *write)
{
    cJSON *metadata = metadata_of(write);
    const cJSON *before = metadata_before(write);
    carry(metadata, before, "generation");
    carry(metadata, before, "creationTimestamp");
    carry(metadata, before, "resourceVersion");
    value_set(metadata, "managedFields", NULL);
    value_set(metadata, "selfLink", NULL);
    if (value_text(metadata, "uid", NULL) == NULL) {
        carry(metadata, before, "uid");
    }
    if (value_at(before, "deletionTimestamp", NULL) != NULL) {
        carry(metadata, before, "deletionTimestamp");
    }
    if (value_at(metadata, "deletionGracePeriodSeconds", NULL) == NULL) {
        carry(metadata, before, "deletionGracePeriodSeconds");
    }
}

static size_t counted_members(const cJSON *value, bool with_status)
{
    size_t count = 0;
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, value)
    {
        bool counts = strcmp(member->string, "metadata") != 0 &&
                      (with_status || strcmp(member->string, "status") != 0);
        count += counts ? 1 : 0;
    }
    return count;
}

static bool content_differs(const cJSON *before, const cJSON *after, bool with_status)
{
    const cJSON *member = NULL;
    if (counted_members(before, with_status) != counted_members(after, with_status)) {
        return true;
    }
    cJSON_ArrayForEach(member, after)
    {
        if (strcmp(member->string, "metadata") == 0 ||
            (!with_status && strcmp(member->string, "status") == 0)) {
            continue;
        }
        const cJSON *present = value_member(before, member->string);
        if (present == NULL || !value_equal(present, member)) {
            return true;
        }
    }
    return false;
}

void metadata_count_generation(struct write *write)
{
    if (write->resource->has_generation &&
        content_differs(write->before->value, write->value, !write->resource->has_status)) {
        value_set_int64(metadata_of(write), "generation",
                        value_int64(metadata_of(write), 0, "generation", NULL) + 1);
    }
}

static void validate_labels(const cJSON *metadata, struct violations *violations)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, value_member(metadata, "labels"))
    {
        name_check_qualified(item->string, "metadata.labels", violations);
        if (cJSON_IsString(item)) {
            name_check_label_value(item->valuestring, "metadata.labels", violations);
        } else {
            violations_add(violations, VIOLATION_TYPE, "metadata.labels", item,
                           "must be of type string");
        }
    }
    cJSON_ArrayForEach(item, value_member(metadata, "annotations"))
    {
        if (!cJSON_IsString(item)) {
            violations_add(violations, VIOLATION_TYPE, "metadata.annotations", item,
                           "must be of type string");
        }
    }
}

static bool is_standard_finalizer(const char *finalizer)
{
    return strcmp(finalizer, "kubernetes") == 0 || strcmp(finalizer, "orphan") == 0 ||
           strcmp(finalizer, "foregroundDeletion") == 0;
}

static void validate_finalizers(const struct write *write, const cJSON *metadata,
                                struct violations *violations)
{
    const cJSON *finalizers = value_member(metadata, "finalizers");
    const cJSON *item = NULL;
    bool is_deleting = write->before != NULL && value_is_deleting(write->before->value);
    cJSON_ArrayForEach(item, finalizers)
    {
        const char *finalizer = cJSON_IsString(item) ? item->valuestring : "";
        name_check_qualified(finalizer, "metadata.finalizers", violations);
        if (!resource_is_custom(write->resource) && strchr(finalizer, '/') == NULL &&
            !is_standard_finalizer(finalizer)) {
            violations_add(violations, VIOLATION_INVALID, "metadata.finalizers", item,
                           "name is neither a standard finalizer name nor is it fully qualified");
        }
        if (is_deleting && !value_has_finalizer(write->before->value, finalizer)) {
            violations_add(violations, VIOLATION_FORBIDDEN, "metadata.finalizers", NULL,
                           "no new finalizers can be added if the object is being deleted, found "
                           "new finalizers []string{\"%s\"}",
                           finalizer);
        }
    }
    if (value_list_has(finalizers, "orphan") && value_list_has(finalizers, "foregroundDeletion")) {
        violations_add(violations, VIOLATION_INVALID, "metadata.finalizers", finalizers,
                       "finalizer orphan and foregroundDeletion cannot be both set");
    }
}

static void validate_owner(const cJSON *owner, struct violations *violations)
{
    static const char *const needed[] = {"apiVersion", "kind", "name", "uid"};
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        const char *text = value_text(owner, needed[i], NULL);
        if (text == NULL || text[0] == '\0') {
            char field[64];
            (void)snprintf(field, sizeof(field), "metadata.ownerReferences.%s", needed[i]);
            cJSON *empty = cJSON_CreateString("");
            violations_add(violations, VIOLATION_INVALID, field, empty, "%s",
                           i == 0 ? "version must not be empty" : "must not be empty");
            cJSON_Delete(empty);
        }
    }
}

static void validate_owners(const cJSON *metadata, struct violations *violations)
{
    const cJSON *owner = NULL;
    const cJSON *controller = NULL;
    cJSON_ArrayForEach(owner, value_member(metadata, "ownerReferences"))
    {
        validate_owner(owner, violations);
        if (!value_true(owner, "controller", NULL)) {
            continue;
        }
        if (controller != NULL) {
            violations_add(violations, VIOLATION_INVALID, "metadata.ownerReferences", owner,
                           "Only one reference can have Controller set to true. Found \"true\" in "
                           "references for %s/%s and %s/%s",
                           value_text(controller, "kind", NULL),
                           value_text(controller, "name", NULL), value_text(owner, "kind", NULL),
                           value_text(owner, "name", NULL));
        }
        controller = owner;
    }
}

static void validate_immutable(const struct write *write, const cJSON *metadata,
                               struct violations *violations)
{
    static const char *const immutable[] = {
        "name", "namespace", "uid", "deletionTimestamp", "deletionGracePeriodSeconds",
    };
    const cJSON *before = metadata_before(write);
    for (size_t i = 0; i < sizeof(immutable) / sizeof(immutable[0]); i++) {
        const cJSON *was = value_member(before, immutable[i]);
        const cJSON *is = value_member(metadata, immutable[i]);
        if ((was == NULL) != (is == NULL) || (was != NULL && !value_equal(was, is))) {
            char field[64];
            (void)snprintf(field, sizeof(field), "metadata.%s", immutable[i]);
            violations_add(violations, VIOLATION_INVALID, field, is, "field is immutable");
        }
    }
}

void metadata_validate(const struct write *write, enum name_rule rule,
                       struct violations *violations)
{
    const cJSON *metadata = value_member(write->value, "metadata");
    if (write->before == NULL) {
        const char *beginning = value_text(metadata, "generateName", NULL);
        if (beginning != NULL && beginning[0] != '\0') {
            name_check_beginning(beginning, rule, "metadata.generateName", violations);
        }
        name_check(value_name(write->value), rule, "metadata.name", violations);
    }
    validate_labels(metadata, violations);
    validate_owners(metadata, violations);
    validate_finalizers(write, metadata, violations);
    if (write->before != NULL) {
        validate_immutable(write, metadata, violations);
    }
}
