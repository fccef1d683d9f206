/* SPDX-License-Identifier: Apache-2.0 */
/* A struct json_scan_filter made ready for matching: which of an object's members are left out and
   which become text. The paths that still fit at some place are a word of bits, so that going down
   costs nothing where no path leads. */
#ifndef ADJOINT_BASE_JSON_FILTER_H
#define ADJOINT_BASE_JSON_FILTER_H

#include "base/json_scan.h"

#include <stddef.h>
#include <stdint.h>

/* Also the number of bits in a set of paths. */
#define JSON_FILTER_PATHS_MAX 64
#define JSON_FILTER_NAMES_MAX 8

enum json_filter_action { JSON_FILTER_KEEP, JSON_FILTER_RAW, JSON_FILTER_SKIP };

struct json_filter_path;

struct json_filter {
    struct json_filter_path *paths; /* private */
    size_t path_count;
};

/* Paths stay borrowed from rules; NULL: none. Before them all goes `prefix` (one name, or NULL).
   metadata.managedFields is always skipped. */
void json_filter_init(struct json_filter *filter, const struct json_scan_filter *rules,
                      const char *prefix);
void json_filter_release(struct json_filter *filter);

/* All paths, for the members of the root. */
uint64_t json_filter_all(const struct json_filter *filter);

/* A member at `level` objects below the root, with the paths that fit so far. spelling is the key
   between its quotes; one of more than JSON_LEXER_KEY_BYTES_MAX fits no path, not even `*`, and is
   not looked at. *out_paths are those that lead further down; skip wins over raw. */
enum json_filter_action json_filter_match(const struct json_filter *filter, uint64_t paths,
                                          size_t level, const char *spelling, size_t byte_count,
                                          uint64_t *out_paths);

#endif
