/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kinds: where each lives in the API, what of it is asked for, what is dropped while
   it is read, and how it is decoded. To watch another kind, add a row. */
#ifndef ADJOINT_API_KIND_H
#define ADJOINT_API_KIND_H

#include "api/object.h"
#include "base/json_scan.h"
#include "base/text.h"

struct kind {
    const char *kind;        /* "PersistentVolume" */
    const char *api_version; /* "v1" */
    const char *prefix;      /* "/api/v1" */
    const char *plural;      /* "persistentvolumes" */
    bool namespaced;
    const char *selector; /* percent-encoded labelSelector for lists and watches; NULL: all */
    struct json_scan_filter filter;
    /* Fills the object's own part; strings through the reader. NULL: there is none. */
    void (*decode)(struct json_reader *reader, const struct json *root, struct object *object);
};

/* The row; kind < KIND_COUNT. Static. */
const struct kind *kind_of(enum object_kind kind);

/* Appends the path of a collection (name NULL), an object, or its subresource (NULL: none).
   namespace is left out for kinds that have none, or when it is NULL (all namespaces). */
void kind_path(const struct kind *kind, const char *namespace, const char *name,
               const char *subresource, struct text *out);

#endif
