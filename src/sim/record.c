/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever holds a record holds it as const, and may still count itself in or have it printed:
   neither is a change that can be seen. So this is the place where const is taken away. */
#include "sim/record.h"

#include "base/memory.h"
#include "sim/value.h"

#include <assert.h>
#include <string.h>

static void *writable(const void *pointer)
{
    void *same = NULL;
    memcpy(&same, &pointer, sizeof(same));
    return same;
}

struct record *record_new(const struct resource *resource, cJSON *value, uint64_t revision)
{
    struct record *record = memory_new(1, sizeof(*record));
    *record = (struct record){
        .references = 1,
        .resource = resource,
        .namespace = resource->is_namespaced ? value_namespace(value) : "",
        .name = value_name(value),
        .uid = value_uid(value),
        .revision = revision,
        .value = value,
    };
    return record;
}

struct record *record_keep(const struct record *record)
{
    struct record *kept = writable(record);
    if (kept != NULL) {
        assert(kept->references > 0);
        kept->references++;
    }
    return kept;
}

void record_release(const struct record *record)
{
    struct record *released = writable(record);
    if (released == NULL) {
        return;
    }
    assert(released->references > 0);
    if (--released->references == 0) {
        cJSON_Delete(writable(released->value));
        memory_free(released->text);
        memory_free(released);
    }
}

const char *record_text(const struct record *record)
{
    if (record == NULL) {
        return NULL;
    }
    if (record->text == NULL) {
        struct record *printed = writable(record);
        printed->text = value_print(record->value);
    }
    return record->text;
}
