/* SPDX-License-Identifier: Apache-2.0 */
/* Others' objects are left out: a report is given to people who have no business with them. */
#include "cli/report_part.h"

#include "api/names.h"
#include "cli/fetch.h"
#include "cli/json_layout.h"
#include "cli/redact.h"

#include <string.h>

enum { COMPACT_BYTES_MAX = CLI_BODY_BYTES_MAX, SCOPE_MIN = 16, PATH_BYTES_MAX = 1024 };

#define OURS "?labelSelector=adjoint.dev%2Frole"
#define POSTGRES "?labelSelector=cnpg.io%2Fcluster" /* CloudNativePG hands no label of ours on */
#define THE_CHARTS "?labelSelector=app.kubernetes.io%2Fname%3Dadjoint"

/* ---- whose they are ---- */

static bool has(const struct report_scope *scope, const char *namespace)
{
    for (size_t i = 0; i < scope->count; i++) {
        if (text_equal(scope->namespaces[i], namespace)) {
            return true;
        }
    }
    return false;
}

void report_scope_add(struct report_scope *scope, const char *namespace)
{
    if (namespace == NULL || has(scope, namespace)) {
        return;
    }
    if (scope->count == scope->capacity) {
        scope->capacity = scope->capacity == 0 ? SCOPE_MIN : 2 * scope->capacity;
        const char **wider = arena_new(scope->arena, scope->capacity, sizeof(*wider));
        for (size_t i = 0; i < scope->count; i++) {
            wider[i] = scope->namespaces[i];
        }
        scope->namespaces = wider;
    }
    scope->namespaces[scope->count++] = arena_copy(scope->arena, namespace);
}

static const char *meta_text(const struct json *object, const char *key)
{
    return json_text(json_path(object, "metadata", key, NULL));
}

static bool is_in_scope(const struct report_scope *scope, const struct json *object)
{
    return has(scope, meta_text(object, "namespace"));
}

static bool is_lease(const struct report_scope *scope, const struct json *object)
{
    return text_equal(meta_text(object, "name"), scope->lease_name);
}

static bool is_namespace(const struct report_scope *scope, const struct json *object)
{
    return has(scope, meta_text(object, "name"));
}

/* Fresh ones have no label yet. */
static bool is_volume(const struct report_scope *scope, const struct json *object)
{
    return json_path(object, "metadata", "labels", LABEL_POOL, NULL) != NULL ||
           has(scope, json_text(json_path(object, "spec", "claimRef", "namespace", NULL)));
}

static bool is_content(const struct report_scope *scope, const struct json *object)
{
    return has(scope, json_text(json_path(object, "spec", "volumeSnapshotRef", "namespace", NULL)));
}

const struct report_part REPORT_PARTS[] = {
    {"pools", "/apis/adjoint.dev/v1alpha1/pools", true, true, NULL},
    {"instances", "/apis/adjoint.dev/v1alpha1/instances", true, true, NULL},
    {"leases", "/apis/coordination.k8s.io/v1/leases", true, true, is_lease},
    {"deployments", "/apis/apps/v1/deployments" THE_CHARTS, true, true, NULL},
    {"operator-pods", "/api/v1/pods" THE_CHARTS, true, true, NULL},
    {"pods", "/api/v1/pods" POSTGRES, true, false, is_in_scope},
    {"errand-pods", "/api/v1/pods" OURS, true, false, NULL},
    {"persistentvolumeclaims", "/api/v1/persistentvolumeclaims" OURS, true, false, NULL},
    {"persistentvolumes", "/api/v1/persistentvolumes", false, false, is_volume},
    {"clusters", "/apis/postgresql.cnpg.io/v1/clusters" OURS, true, false, NULL},
    {"volumesnapshots", "/apis/snapshot.storage.k8s.io/v1/volumesnapshots", true, false,
     is_in_scope},
    {"volumesnapshotcontents", "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents", false,
     false, is_content},
    {"volumesnapshotclasses", "/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses", false,
     false, NULL},
    {"storageclasses", "/apis/storage.k8s.io/v1/storageclasses", false, false, NULL},
    {"resourcequotas", "/api/v1/resourcequotas", true, false, is_in_scope},
    {"namespaces", "/api/v1/namespaces", false, false, is_namespace},
    {"events", "/api/v1/events?limit=5000", true, false, is_in_scope},
    {.name = NULL},
};

/* ---- reading ---- */

static void add_items(const struct report_part *part, struct report_scope *scope,
                      const struct json *items, struct text *out, size_t *count)
{
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        bool is_ours = part->is_ours == NULL || part->is_ours(scope, at);
        if (is_ours && part->widens) {
            report_scope_add(scope, meta_text(at, "namespace"));
        }
        if (is_ours) {
            text_append(out, (*count)++ == 0 ? "" : ",");
            redact_json(at, out);
        }
    }
}

/* Of one namespace: it is named before the last segment. */
static const char *narrow(const struct report_scope *scope, const char *path, const char *namespace)
{
    cleanup_text struct text encoded;
    text_init(&encoded, PATH_BYTES_MAX);
    text_append_encoded(&encoded, namespace);
    const char *plural = strrchr(path, '/'); /* none of the queries has one */
    return arena_print(scope->arena, "%.*s/namespaces/%s%s", (int)(plural - path), path,
                       encoded.bytes, plural);
}

static bool fetch(struct cli *cli, const struct report_part *part, struct report_scope *scope,
                  struct json_document **out, const char **out_of, struct error *error)
{
    *out_of = "";
    if (fetch_json(cli, part->path, out, error)) {
        return true;
    }
    if (error->class != ERROR_FORBIDDEN || !part->namespaced) {
        return false;
    }
    const char *namespace = cli_namespace(cli);
    *out_of = arena_print(scope->arena, ", of namespace %s alone", namespace);
    return fetch_json(cli, narrow(scope, part->path, namespace), out, error);
}

bool report_part_read(struct cli *cli, const struct report_part *part, struct report_scope *scope,
                      struct text *out, const char **out_note, struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    cleanup_text struct text compact;
    const char *of = NULL;
    size_t count = 0;
    text_init(&compact, COMPACT_BYTES_MAX);
    if (!fetch(cli, part, scope, &document, &of, error)) {
        return false;
    }
    const struct json *root = json_root(document);
    const char *more = json_text(json_path(root, "metadata", "continue", NULL));
    text_append(&compact, "{\"items\":[");
    add_items(part, scope, json_member(root, "items"), &compact, &count);
    text_append(&compact, "]}");
    if (!text_check(&compact, part->name, error)) {
        return false;
    }
    json_layout(compact.bytes, out);
    *out_note = arena_print(scope->arena, "%zu%s%s", count, of,
                            more == NULL || more[0] == '\0' ? "" : ", and there are more");
    return text_check(out, part->name, error);
}
