/* SPDX-License-Identifier: Apache-2.0 */
/* Paths are cut into names once, because a key is compared for every member of every object. All
   paths have the same level at the same place (each object on the way takes one name), so a place
   is a level and a set. */
#include "base/json_filter.h"

#include "base/json_lexer.h"
#include "base/json_spelling.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { ESCAPE_BYTES = 6 }; /* the longest spelling of one ASCII character */

struct name {
    const char *bytes;
    size_t byte_count;
};

struct json_filter_path {
    struct name names[JSON_FILTER_NAMES_MAX];
    size_t name_count;
    enum json_filter_action action;
};

static const char *const always_skipped[] = {"metadata.managedFields", NULL};

static size_t count_paths(const char *const *list)
{
    size_t count = 0;
    while (list != NULL && list[count] != NULL) {
        count++;
    }
    return count;
}

static void add_name(struct json_filter_path *path, const char *bytes, size_t byte_count)
{
    assert(path->name_count < JSON_FILTER_NAMES_MAX);
    assert(byte_count > 0 && byte_count * ESCAPE_BYTES <= JSON_LEXER_KEY_BYTES_MAX);
    path->names[path->name_count] = (struct name){.bytes = bytes, .byte_count = byte_count};
    path->name_count++;
}

static void add_paths(struct json_filter *filter, const char *const *list, const char *prefix,
                      enum json_filter_action action)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
        struct json_filter_path *path = &filter->paths[filter->path_count];
        filter->path_count++;
        path->action = action;
        if (prefix != NULL) {
            add_name(path, prefix, strlen(prefix));
        }
        for (const char *at = list[i]; at != NULL;) {
            const char *dot = strchr(at, '.');
            add_name(path, at, dot == NULL ? strlen(at) : (size_t)(dot - at));
            at = dot == NULL ? NULL : dot + 1;
        }
    }
}

void json_filter_init(struct json_filter *filter, const struct json_scan_filter *rules,
                      const char *prefix)
{
    const char *const *skip = rules == NULL ? NULL : rules->skip;
    const char *const *raw = rules == NULL ? NULL : rules->raw;
    size_t count = count_paths(always_skipped) + count_paths(skip) + count_paths(raw);
    assert(count <= JSON_FILTER_PATHS_MAX);
    *filter = (struct json_filter){.paths = memory_new(count, sizeof(*filter->paths))};
    add_paths(filter, always_skipped, prefix, JSON_FILTER_SKIP);
    add_paths(filter, skip, prefix, JSON_FILTER_SKIP);
    add_paths(filter, raw, prefix, JSON_FILTER_RAW);
}

void json_filter_release(struct json_filter *filter)
{
    memory_free(filter->paths);
    *filter = (struct json_filter){0};
}

uint64_t json_filter_all(const struct json_filter *filter)
{
    return UINT64_MAX >> (JSON_FILTER_PATHS_MAX - filter->path_count);
}

static bool name_fits(const struct name *name, const char *spelling, size_t byte_count)
{
    if (name->byte_count == 1 && name->bytes[0] == '*') {
        return true;
    }
    if (name->byte_count == byte_count) {
        return memcmp(name->bytes, spelling, byte_count) == 0;
    }
    /* An escape makes a spelling longer than what it means. */
    return name->byte_count < byte_count && memchr(spelling, '\\', byte_count) != NULL &&
           json_spelling_is(spelling, byte_count, name->bytes, name->byte_count);
}

enum json_filter_action json_filter_match(const struct json_filter *filter, uint64_t paths,
                                          size_t level, const char *spelling, size_t byte_count,
                                          uint64_t *out_paths)
{
    enum json_filter_action action = JSON_FILTER_KEEP;
    uint64_t further = 0;
    if (byte_count > JSON_LEXER_KEY_BYTES_MAX) {
        paths = 0;
    }
    for (uint64_t rest = paths; rest != 0; rest &= rest - 1) {
        const struct json_filter_path *path = &filter->paths[__builtin_ctzll(rest)];
        if (!name_fits(&path->names[level], spelling, byte_count)) {
            continue;
        }
        if (level + 1 < path->name_count) {
            further |= rest & -rest;
        } else if (path->action > action) {
            action = path->action;
        }
    }
    *out_paths = further;
    return action;
}
