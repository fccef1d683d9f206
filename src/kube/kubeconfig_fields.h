/* SPDX-License-Identifier: Apache-2.0 */
/* One mapping of a kubeconfig while it is read: what the family of kubeconfig*.c files shares. The
   first thing that is wrong is kept, so that a reader checks once at its end. */
#ifndef ADJOINT_KUBE_KUBECONFIG_FIELDS_H
#define ADJOINT_KUBE_KUBECONFIG_FIELDS_H

#include "base/json.h"
#include "kube/kubeconfig.h"

struct kubeconfig_fields {
    const struct json *object; /* NULL: null or not there; then nothing is set */
    const struct kubeconfig_document *document;
    const char *where; /* "users[ann].user" */
    struct arena *arena;
    struct error error; /* class ERROR_NONE while all is well */
};

/* object: a mapping, null or NULL; anything else is the first thing wrong. */
void kubeconfig_fields_init(struct kubeconfig_fields *fields, const struct json *object,
                            const struct kubeconfig_document *document, const char *where,
                            struct arena *arena);
MUST_CHECK bool kubeconfig_fields_check(const struct kubeconfig_fields *fields,
                                        struct error *error);

/* Records "FILE: WHERE.KEY " and the phrase, ERROR_INVALID; key NULL: without it. */
void kubeconfig_fields_refuse(struct kubeconfig_fields *fields, const char *key, const char *phrase,
                              ...) PRINTF_LIKE(3, 4);

/* Strings in the arena; NULL when absent or empty. As kubectl does, a number or a boolean is taken
   for a string, but only where its digits cannot have changed on the way here. */
const char *kubeconfig_fields_text(struct kubeconfig_fields *fields, const char *key);
const char *kubeconfig_fields_path(struct kubeconfig_fields *fields, const char *key);
/* Base64 of text. */
const char *kubeconfig_fields_data(struct kubeconfig_fields *fields, const char *key);
bool kubeconfig_fields_bool(struct kubeconfig_fields *fields, const char *key);
/* The elements of a list, or NULL; element_text: one of them as a string, "" when it is empty. */
const struct json *kubeconfig_fields_list(struct kubeconfig_fields *fields, const char *key);
const char *kubeconfig_fields_element(struct kubeconfig_fields *fields, const char *key,
                                      const struct json *element);

/* Absolute, by the document's folder; NULL for NULL. */
const char *kubeconfig_absolute(const struct kubeconfig_fields *fields, const char *path);

/* A string, number or boolean as a string; NULL: it is none, or has lost digits. */
const char *kubeconfig_scalar(const struct json *value, struct arena *arena);

/* kubeconfig_cluster.c, kubeconfig_user.c, kubeconfig_exec.c: fill their part of out; wrong things
   are recorded in fields. */
void kubeconfig_read_cluster(struct kubeconfig_fields *fields, struct kubeconfig *out);
void kubeconfig_read_user(struct kubeconfig_fields *fields, struct kubeconfig *out);
const struct exec_plugin *kubeconfig_read_exec(struct kubeconfig_fields *fields);

#endif
