/* SPDX-License-Identifier: Apache-2.0 */
/* The resumable scanner every byte from the API server goes through first. It takes chunks of any
   size, holds one object at a time within a maximum, and gives out one compacted object as text:

   - a list body `{"metadata":{...},"items":[...]}`: each element of `items` is one object, and the
     list's own metadata (resourceVersion, continue) is given when the body ends. `items` may be
     null but not absent: then the body is no list, and is refused rather than taken for empty;
   - a watch body: each top-level value `{"type":"ADDED","object":{...}}` is one object;
   - a plain body: the one top-level value is one object.

   What the caller does not want is dropped while it is read and is never held: an object's
   metadata.managedFields, and every path in `skip`. What must stay text is given as one JSON
   string that holds the compact JSON text (`raw`): cJSON would lose int64, `1.10` and `\u0000`.
   White space between tokens goes. Integers of 16 digits and more become strings, exactly, and so
   do the numbers cJSON could not read, those of more than 32 bytes. Outside raw text half a
   surrogate pair (`\ud800` alone), which cJSON would refuse, becomes `\ufffd`, as Go makes it.
   Everything else keeps its spelling; of equal keys all stay.
   Strings are checked as UTF-8; depth is bounded by LIMIT_JSON_DEPTH, counted from the body.
   Work is linear in the bytes.

   Source of the need: a raw PV is 13 KB as a cJSON tree, 6.4 KB without managedFields. */
#ifndef ADJOINT_BASE_JSON_SCAN_H
#define ADJOINT_BASE_JSON_SCAN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum json_scan_shape { JSON_SCAN_PLAIN, JSON_SCAN_LIST, JSON_SCAN_WATCH };

/* Paths are dotted from an object's root: "spec.cluster", "status.conditions" ("*" is one level of
   any name; a name with dots in it cannot be named). An array takes no part of a path: "a.b" is
   also every b in the elements of a. In a watch they are counted from `object`. At most 60 paths of
   7 ASCII names of 42 bytes. A key spelled in more than 256 bytes fits none. Skip wins over raw. */
struct json_scan_filter {
    const char *const *skip; /* ends with NULL; NULL: none */
    const char *const *raw;  /* ends with NULL; NULL: none */
};

/* text is compact JSON of one object, valid until the call returns. May set *error and return
   false to stop the scan with that error. */
typedef bool (*json_scan_give)(void *self, const char *text, size_t byte_count,
                               struct error *error);

struct json_scan;

/* filter is borrowed and must outlive the scan. object_bytes_max bounds one compacted object;
   more is ERROR_LIMIT. */
struct json_scan *json_scan_new(enum json_scan_shape shape, const struct json_scan_filter *filter,
                                size_t object_bytes_max, json_scan_give give, void *self);
void json_scan_free(struct json_scan *scan);

/* After an error the scan stays failed and gives the same error again. */
MUST_CHECK bool json_scan_feed(struct json_scan *scan, const char *bytes, size_t byte_count,
                               struct error *error);

/* The body has ended: ERROR_INVALID when it ended inside a value. For a list, the metadata
   object's text is then at json_scan_list_metadata (borrowed; "{}" when there was none). */
MUST_CHECK bool json_scan_end(struct json_scan *scan, struct error *error);
const char *json_scan_list_metadata(const struct json_scan *scan);

#endif
