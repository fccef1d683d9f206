/* SPDX-License-Identifier: Apache-2.0 */
/* The API server's own words are kept wherever they say what is lacking (RBAC, quota, validation);
   what they cannot know is added: which kubeconfig sent us there, and what belongs to Adjoint. */
#include "cli/explain.h"

#include <string.h>

bool explain_is_missing_kind(const struct error *error)
{
    /* The group is unknown: a plain 404 of the router. It is there without the kind: a Status. */
    return error->class == ERROR_NOT_FOUND &&
           (strstr(error->message, "404 page not found") != NULL ||
            strstr(error->message, "could not find the requested resource") != NULL);
}

static void explain_missing_kind(enum object_kind kind, struct text *out)
{
    const struct kind *row = kind_of(kind);
    switch (kind) {
    case KIND_POOL:
    case KIND_INSTANCE:
        text_append(out, "Adjoint's CRDs are not installed: kubectl apply -f crds/");
        return;
    case KIND_CLUSTER:
        text_append(out, "CloudNativePG is not installed: there is no kind Cluster of ");
        text_append(out, row->api_version);
        return;
    case KIND_SNAPSHOT:
    case KIND_SNAPSHOT_CONTENT:
        text_print(out, "the CRDs of volume snapshots are not installed: there is no kind %s of %s",
                   row->kind, row->api_version);
        return;
    case KIND_VOLUME:
    case KIND_VOLUME_CLAIM:
    case KIND_STORAGE_CLASS:
    case KIND_NAMESPACE:
    case KIND_JOB:
    case KIND_POD:
    case KIND_CONFIG_MAP:
    case KIND_NETWORK_POLICY:
    case KIND_ENDPOINT_SLICE:
    case KIND_QUOTA:
    case KIND_SERVICE:
    case KIND_SECRET:
    case KIND_SERVICE_ACCOUNT:
    case KIND_EVENT:
    case KIND_COUNT:
        break;
    }
    text_print(out, "the API server has no kind %s of %s: is it Kubernetes?", row->kind,
               row->api_version);
}

static void explain_not_found(const struct error *error, enum object_kind kind, struct text *out)
{
    text_append(out, error->message);
    if (strncmp(error->message, "namespaces ", strlen("namespaces ")) == 0) {
        text_append(out, ": name an existing namespace with -n");
    } else if (kind == KIND_INSTANCE) {
        text_append(out, ": `adj list -A` lists the Instances of all namespaces");
    } else if (kind == KIND_POOL) {
        text_append(out, ": `adj pools` lists the Pools");
    }
}

static void explain_forbidden(const struct error *error, struct text *out)
{
    text_append(out, error->message);
    if (strstr(error->message, " cannot ") != NULL) {
        text_append(out, ": ask whoever runs the cluster for that right");
    }
}

void explain_error(const struct error *error, enum object_kind kind, const char *description,
                   struct text *out)
{
    const char *who = description == NULL ? "no kubeconfig" : description;
    switch (error->class) {
    case ERROR_UNAVAILABLE:
        text_print(out,
                   error->http_status == 0 ? "cannot reach the API server: %s (%s)"
                                           : "the API server cannot serve this now: %s (%s)",
                   error->message, who);
        return;
    case ERROR_TIMEOUT:
        text_print(out, "the API server does not answer: %s (%s)", error->message, who);
        return;
    case ERROR_UNKNOWN:
        text_print(out, "it is unknown whether this was done: %s; look before you repeat it",
                   error->message);
        return;
    case ERROR_UNAUTHORIZED:
        text_print(out,
                   "the API server does not accept these credentials: %s (%s): log in again, or "
                   "choose others with --context or --kubeconfig",
                   error->message, who);
        return;
    case ERROR_FORBIDDEN:
        explain_forbidden(error, out);
        return;
    case ERROR_NOT_FOUND:
        if (explain_is_missing_kind(error)) {
            explain_missing_kind(kind, out);
        } else {
            explain_not_found(error, kind, out);
        }
        return;
    case ERROR_THROTTLED:
        text_print(out, "the API server has too many requests, try again later: %s",
                   error->message);
        return;
    case ERROR_NONE:
    case ERROR_INVALID:
    case ERROR_LIMIT:
    case ERROR_SYSTEM:
    case ERROR_CONFLICT:
    case ERROR_EXISTS:
    case ERROR_TEST_FAILED:
    case ERROR_GONE:
        break;
    }
    text_append(out, error->message);
}
