/* SPDX-License-Identifier: Apache-2.0 */
/* A table that is never more than half full. What people think of as keys of their labels and data
   is kept, too, up to a limit that no one's cluster comes near. */
#include "sim/member_name.h"

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

enum { SLOT_BITS = 13, NAMES_MAX = 1 << (SLOT_BITS - 1), NAME_BYTES_MAX = 128 };

struct slot {
    char *name; /* NULL: free */
    size_t byte_count;
};

static struct {
    struct slot slots[1 << SLOT_BITS];
    size_t count;
    struct arena arena;
} names;

/* Eight bytes from each end, which may be the same ones, and the length. */
static size_t home_of(const char *bytes, size_t byte_count)
{
    uint64_t first = 0;
    uint64_t last = 0;
    size_t edge = byte_count < sizeof(first) ? byte_count : sizeof(first);
    memcpy(&first, bytes, edge);
    memcpy(&last, bytes + byte_count - edge, edge);
    uint64_t mixed = (first ^ (last << 23 | last >> 41) ^ byte_count) * 0x9E3779B97F4A7C15;
    return (size_t)(mixed >> (64 - SLOT_BITS));
}

static struct slot *find_slot(const char *bytes, size_t byte_count)
{
    size_t at = home_of(bytes, byte_count);
    while (names.slots[at].name != NULL && (names.slots[at].byte_count != byte_count ||
                                            memcmp(names.slots[at].name, bytes, byte_count) != 0)) {
        at = (at + 1) % (1 << SLOT_BITS);
    }
    return &names.slots[at];
}

char *member_name_known(const char *bytes, size_t byte_count)
{
    return find_slot(bytes, byte_count)->name;
}

char *member_name_keep(const char *name)
{
    size_t byte_count = strlen(name);
    struct slot *slot = find_slot(name, byte_count);
    if (slot->name == NULL && byte_count <= NAME_BYTES_MAX && names.count < NAMES_MAX) {
        if (names.count++ == 0) {
            arena_init(&names.arena, 0);
        }
        *slot = (struct slot){arena_copy_bytes(&names.arena, name, byte_count), byte_count};
    }
    return slot->name;
}
