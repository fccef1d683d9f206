/* SPDX-License-Identifier: Apache-2.0 */
/* Objects as an API server keeps them: JSON texts that are created, patched and deleted with its
   preconditions, finalizers and resourceVersions. No schemas, no defaults, no admission. */
#ifndef ADJOINT_SUPPORT_API_TABLE_H
#define ADJOINT_SUPPORT_API_TABLE_H

#include "api/kind.h"
#include "base/text.h"

struct api_table;

enum api_event { API_ADDED, API_MODIFIED, API_DELETED };

struct api_entry {
    enum object_kind kind;
    const char *namespace, *name; /* "" when there is none */
    const char *json;
};

/* changed (NULL: nobody) is told of each change, with the object's last state. */
struct api_table *api_table_new(void (*changed)(void *self, enum api_event event,
                                                const struct api_entry *entry),
                                void *self);
void api_table_free(struct api_table *table);
void api_table_set_time(struct api_table *table, int64_t wall_ms);

/* Somebody else's write: kind and metadata.name are in json; it is merged over what is there, made
   if need be. A uid, creationTimestamp and resourceVersion that are given are kept. */
void api_table_put(struct api_table *table, const char *json);
/* Somebody else's deletion; finalizers hold it up. */
void api_table_delete_any(struct api_table *table, enum object_kind kind, const char *namespace,
                          const char *name);

/* Each returns the HTTP status and appends the reply's body. */
int api_table_get(struct api_table *table, enum object_kind kind, const char *namespace,
                  const char *name, struct text *out);
int api_table_create(struct api_table *table, enum object_kind kind, const char *namespace,
                     const char *body, bool dry_run, struct text *out);
/* status: the subresource, so the rest of the patch is ignored. */
int api_table_merge_patch(struct api_table *table, enum object_kind kind, const char *namespace,
                          const char *name, bool status, const char *body, struct text *out);
int api_table_json_patch(struct api_table *table, enum object_kind kind, const char *namespace,
                         const char *name, const char *body, struct text *out);
/* uid "": no precondition. */
int api_table_delete(struct api_table *table, enum object_kind kind, const char *namespace,
                     const char *name, const char *uid, struct text *out);

/* In the order they were made; valid until the next change. */
size_t api_table_count(const struct api_table *table);
const struct api_entry *api_table_at(const struct api_table *table, size_t index);
/* JSON, or NULL when it is not there. */
const char *api_table_find(const struct api_table *table, enum object_kind kind,
                           const char *namespace, const char *name);
/* The version of the last write. */
int64_t api_table_version(const struct api_table *table);

/* The kind of that name; fails the test when there is none. */
enum object_kind api_kind_named(const char *name);

#endif
