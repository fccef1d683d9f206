/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer is resolved to its parent container and last part first, because that is where the
   library's own rules are: what a missing last part means is each operation's affair, a missing
   parent is always a failure. */
#include "sim/patch_json.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"

#include <string.h>

struct patching {
    cJSON *document;
    size_t copied_bytes; /* by all copy operations so far, as text */
    struct error *error;
};

struct place {
    cJSON *parent;
    char *key; /* unescaped */
};

static void place_release(struct place *place)
{
    memory_free(place->key);
}
#define cleanup_place __attribute__((cleanup(place_release)))

static bool does_not_apply(const struct patching *patching, const char *operation, const char *path)
{
    return error_set(patching->error, ERROR_TEST_FAILED, "%s operation does not apply: \"%s\"",
                     operation, path);
}

/* One part of a pointer, of length_bytes, with ~1 and ~0 undone. */
static char *unescaped(const char *part, size_t length_bytes)
{
    char *out = memory_new(length_bytes + 1, 1);
    size_t written = 0;
    for (size_t i = 0; i < length_bytes; i++) {
        bool escapes = part[i] == '~' && i + 1 < length_bytes;
        if (escapes && (part[i + 1] == '0' || part[i + 1] == '1')) {
            out[written++] = part[i + 1] == '1' ? '/' : '~';
            i++;
        } else {
            out[written++] = part[i];
        }
    }
    return out;
}

/* The index that key means in an array of count; from -count to count - 1, or to count when one
   more may be named. */
static bool index_of(const char *key, int count, bool one_more, int *out_index)
{
    struct error ignored;
    int64_t number = 0;
    if (!text_parse_int64(key[0] == '+' ? key + 1 : key, &number, &ignored)) {
        return false;
    }
    int reach = one_more ? count + 1 : count;
    if (number >= reach || number < -reach) {
        return false;
    }
    *out_index = (int)(number < 0 ? number + reach : number);
    return true;
}

/* false: there is no such element. A member that is missing or null is a NULL that is there. */
static bool get(const cJSON *parent, const char *key, cJSON **out_value)
{
    if (cJSON_IsArray(parent)) {
        int index = 0;
        if (!index_of(key, cJSON_GetArraySize(parent), false, &index)) {
            return false;
        }
        *out_value = cJSON_GetArrayItem(parent, index);
    } else {
        *out_value = value_member(parent, key);
    }
    if (cJSON_IsNull(*out_value)) {
        *out_value = NULL;
    }
    return true;
}

static bool find(cJSON *document, const char *path, struct place *out_place)
{
    cJSON *parent = document;
    const char *part = path;
    if (path == NULL || path[0] != '/') {
        part = path == NULL ? NULL : strchr(path, '/');
    }
    if (part == NULL) {
        return false;
    }
    part++;
    for (const char *end = strchr(part, '/'); end != NULL; end = strchr(part, '/')) {
        cleanup_memory char *key = unescaped(part, (size_t)(end - part));
        if (!get(parent, key, &parent) || (!cJSON_IsObject(parent) && !cJSON_IsArray(parent))) {
            return false;
        }
        part = end + 1;
    }
    *out_place = (struct place){parent, unescaped(part, strlen(part))};
    return true;
}

/* Before the last elements, so many. Not by cJSON_InsertItemInArray: Debian's 1.7.15 refuses every
   place but the first. */
static void insert(cJSON *array, int before_last, cJSON *value)
{
    int index = cJSON_GetArraySize(array) - before_last;
    cJSON_AddItemToArray(array, value);
    for (int moved = 0; moved < before_last; moved++) {
        cJSON_AddItemToArray(array, cJSON_DetachItemFromArray(array, index));
    }
}

/* value becomes the document's, in any case. */
static bool add(struct place place, cJSON *value)
{
    if (cJSON_IsObject(place.parent)) {
        value_set(place.parent, place.key, value);
        return true;
    }
    int count = cJSON_GetArraySize(place.parent);
    int index = count;
    if (strcmp(place.key, "-") != 0 && !index_of(place.key, count, true, &index)) {
        cJSON_Delete(value);
        return false;
    }
    insert(place.parent, count - index, value);
    return true;
}

/* The value taken out; NULL: there was none. */
static cJSON *take(struct place place)
{
    if (cJSON_IsObject(place.parent)) {
        return cJSON_DetachItemFromObjectCaseSensitive(place.parent, place.key);
    }
    int index = 0;
    if (!index_of(place.key, cJSON_GetArraySize(place.parent), false, &index)) {
        return NULL;
    }
    return cJSON_DetachItemFromArray(place.parent, index);
}

static cJSON *copy_or_null(const cJSON *value)
{
    return value == NULL ? cJSON_CreateNull() : cJSON_Duplicate(value, true);
}

static bool replace(struct place place, const cJSON *value)
{
    cJSON *present = NULL;
    int index = 0;
    if (!get(place.parent, place.key, &present)) {
        return false;
    }
    if (cJSON_IsObject(place.parent)) {
        value_set(place.parent, place.key, copy_or_null(value));
        return true;
    }
    return index_of(place.key, cJSON_GetArraySize(place.parent), false, &index) &&
           cJSON_ReplaceItemInArray(place.parent, index, copy_or_null(value));
}

static bool test(struct place place, const cJSON *expected)
{
    cJSON *present = NULL;
    if (!get(place.parent, place.key, &present)) {
        return false;
    }
    if (present == NULL || expected == NULL || cJSON_IsNull(expected)) {
        return present == NULL && (expected == NULL || cJSON_IsNull(expected));
    }
    return value_equal(present, expected);
}

/* A document that copies itself into itself doubles each time. */
static bool may_copy(struct patching *patching, const cJSON *value)
{
    cleanup_memory char *text = value_print(value);
    patching->copied_bytes += strlen(text);
    return patching->copied_bytes <= PATCH_JSON_COPIED_BYTES_MAX ||
           error_set(patching->error, ERROR_TEST_FAILED,
                     "Unable to complete the copy, the accumulated size increase of copy is %zu, "
                     "exceeding the limit %d",
                     patching->copied_bytes, PATCH_JSON_COPIED_BYTES_MAX);
}

/* move and copy: what is at `from`, taken out or copied, added at path. */
static bool transfer(struct patching *patching, const char *from, const char *path, bool is_move)
{
    const char *name = is_move ? "move" : "copy";
    cleanup_place struct place source = {0};
    cleanup_place struct place target = {0};
    cJSON *value = NULL;
    if (!find(patching->document, from, &source) || !get(source.parent, source.key, &value)) {
        return does_not_apply(patching, name, path);
    }
    if (!is_move && !may_copy(patching, value)) {
        return false;
    }
    value = is_move ? take(source) : copy_or_null(value);
    if (value == NULL) {
        return does_not_apply(patching, name, path);
    }
    if (!find(patching->document, path, &target)) {
        cJSON_Delete(value);
        return does_not_apply(patching, name, path);
    }
    return add(target, value) || does_not_apply(patching, name, path);
}

static bool apply_here(const char *name, struct place place, const cJSON *value)
{
    if (strcmp(name, "add") == 0) {
        return add(place, copy_or_null(value));
    }
    if (strcmp(name, "replace") == 0) {
        return replace(place, value);
    }
    if (strcmp(name, "test") == 0) {
        return test(place, value);
    }
    if (strcmp(name, "remove") == 0) {
        cJSON *taken = take(place);
        cJSON_Delete(taken);
        return taken != NULL;
    }
    return false;
}

static bool apply(struct patching *patching, const cJSON *operation)
{
    cleanup_place struct place place = {0};
    const char *name = value_text(operation, "op", NULL);
    const char *path = value_text(operation, "path", NULL);
    bool is_move = text_equal(name, "move");
    if (name == NULL || path == NULL) {
        return error_set(patching->error, ERROR_TEST_FAILED, "operation lacks its op or its path");
    }
    if (is_move || strcmp(name, "copy") == 0) {
        return transfer(patching, value_text(operation, "from", NULL), path, is_move);
    }
    const cJSON *value = value_member(operation, "value");
    return (find(patching->document, path, &place) && apply_here(name, place, value)) ||
           does_not_apply(patching, name, path);
}

/* As value_parse counts them: a value that is no container has none.
   NOLINTNEXTLINE(misc-no-recursion): as deep as levels */
static bool has_at_most(const cJSON *value, int levels)
{
    const cJSON *child = NULL;
    if (levels == 0) {
        return !cJSON_IsObject(value) && !cJSON_IsArray(value);
    }
    cJSON_ArrayForEach(child, value)
    {
        if (!has_at_most(child, levels - 1)) {
            return false;
        }
    }
    return true;
}

bool patch_json_apply(cJSON *document, const cJSON *patch, struct error *error)
{
    const cJSON *operation = NULL;
    int count = 0;
    if (!cJSON_IsArray(patch)) {
        return error_set(error, ERROR_INVALID,
                         "json: cannot unmarshal object into Go value of type jsonpatch.Patch");
    }
    cJSON_ArrayForEach(operation, patch)
    {
        if (!cJSON_IsObject(operation)) {
            return error_set(
                error, ERROR_INVALID,
                "json: cannot unmarshal value into Go value of type jsonpatch.Operation");
        }
        count++;
    }
    if (count > PATCH_JSON_OPERATIONS_MAX) {
        return error_set(error, ERROR_LIMIT,
                         "The allowed maximum operations in a JSON patch is %d, got %d",
                         PATCH_JSON_OPERATIONS_MAX, count);
    }
    struct patching patching = {.document = document, .error = error};
    cJSON_ArrayForEach(operation, patch)
    {
        if (!apply(&patching, operation)) {
            return false;
        }
    }
    return has_at_most(document, LIMIT_JSON_DEPTH) ||
           error_set(error, ERROR_LIMIT, "the patched document has more than %d levels",
                     LIMIT_JSON_DEPTH);
}
