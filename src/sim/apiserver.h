/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of kube-apiserver over sim/objects.h: admission (namespaces that are absent or
   terminating, quotas, protection finalizers), defaults and validation, generation, preconditions,
   patches, finalizers and deletion, subresources, dry run, and errors as Status objects say them.
   Verbs take and give trees, for the controllers of the same process; sim/route.h makes verbs of
   paths and texts. No latency here: a verb takes effect at once. */
#ifndef ADJOINT_SIM_APISERVER_H
#define ADJOINT_SIM_APISERVER_H

#include "sim/objects.h"

struct apiserver;

struct apiserver *apiserver_new(struct world *world);
void apiserver_free(struct apiserver *server);
struct objects *apiserver_objects(struct apiserver *server);
struct world *apiserver_world(struct apiserver *server);

/* NULL: not served. plural: or a kind's lower-case singular, no short names. */
const struct resource *apiserver_resource(const struct apiserver *server, const char *group,
                                          const char *version, const char *plural);

/* All that are served now, built-in ones first; NULL begins, NULL ends. */
const struct resource *apiserver_next_resource(const struct apiserver *server,
                                               const struct resource *after);

/* What a verb answers. http_status 200 or 201 with record (kept for the caller), or 4xx/5xx with
   the parts of a Status. outcome_release it. */
struct outcome {
    int http_status;
    struct record *record; /* for a dry run: what would be, revision 0 for a create; of a delete
                              the last version, or the terminating one */
    const char *reason;    /* "NotFound", "Conflict"... static; NULL on success */
    char message[1024];
    char *causes;      /* JSON array for details.causes; NULL: none */
    int retry_after_s; /* 0: none */
    bool is_gone;      /* delete: the object is no longer there (else it is terminating) */
    bool names_kind;   /* details.kind is the kind, as it always is when reason is Invalid */
    /* Details are about an absent namespace; "": about what was asked for. */
    char absent_namespace[256];
};
void outcome_release(struct outcome *outcome);
#define cleanup_outcome __attribute__((cleanup(outcome_release)))
bool outcome_ok(const struct outcome *outcome);

struct verb_options {
    const char *actor;       /* user name, for trace and events; never NULL */
    const char *subresource; /* "status", "scale", of namespaces "finalize", of pods "binding"
                                (create alone); NULL: the object itself */
    bool dry_run;
    bool strict; /* fieldValidation=Strict: unknown fields are a 400 */
};

enum patch_type { PATCH_JSON, PATCH_MERGE, PATCH_STRATEGIC };

/* 0 / NULL: none. */
struct preconditions {
    const char *uid;
    const char *resource_version;
    const char *propagation; /* "Background", "Foreground", "Orphan" */
    int64_t grace_s;         /* -1: the default */
};

/* value: ownership is taken. metadata.generateName works. */
struct outcome apiserver_create(struct apiserver *server, const struct resource *resource,
                                const char *namespace, cJSON *value,
                                const struct verb_options *options);
/* With metadata.resourceVersion: 409 unless it is the present one. */
struct outcome apiserver_update(struct apiserver *server, const struct resource *resource,
                                const char *namespace, const char *name, cJSON *value,
                                const struct verb_options *options);
/* patch: borrowed; an array for PATCH_JSON. */
struct outcome apiserver_patch(struct apiserver *server, const struct resource *resource,
                               const char *namespace, const char *name, enum patch_type type,
                               const cJSON *patch, const struct verb_options *options);
struct outcome apiserver_delete(struct apiserver *server, const struct resource *resource,
                                const char *namespace, const char *name,
                                const struct preconditions *preconditions,
                                const struct verb_options *options);
struct outcome apiserver_get(struct apiserver *server, const struct resource *resource,
                             const char *namespace, const char *name);
/* The scale subresource: the record is an autoscaling/v1 Scale, as are those that update and patch
   give and take with it. */
struct outcome apiserver_get_scale(struct apiserver *server, const struct resource *resource,
                                   const char *namespace, const char *name);

/* An admission webhook for creates and updates of one resource. admit may change value, which has
   passed the other rules; before is NULL for a create. false: refused, and why. */
struct webhook {
    const char *name; /* a literal */
    const struct resource *resource;
    bool (*admit)(void *self, const cJSON *before, cJSON *value, char *out_message,
                  size_t message_bytes);
    void *self;
};
void apiserver_add_webhook(struct apiserver *server, const struct webhook *webhook);

/* Told of each write that took effect or would have (dry run), refused ones too: who, what, how it
   ended. For counting and for judging. */
struct write_seen {
    const char *verb; /* "create", "update", "patch", "delete" */
    const struct resource *resource;
    const char *namespace, *name;
    const struct verb_options *options;
    const struct outcome *outcome;
};
void apiserver_on_write(struct apiserver *server,
                        void (*seen)(void *self, const struct write_seen *write), void *self);

#endif
