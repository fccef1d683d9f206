/* SPDX-License-Identifier: Apache-2.0 */
/* Everything has a maximum; here they are, with their units and why that much. */
#ifndef ADJOINT_BASE_LIMITS_H
#define ADJOINT_BASE_LIMITS_H

enum {
    LIMIT_JSON_DEPTH = 64,                    /* levels; real objects stay under 20 */
    LIMIT_OBJECT_BYTES = 4 * 1024 * 1024,     /* one compacted object; etcd refuses over 1.5 MiB */
    LIMIT_BODY_BYTES = 4 * 1024 * 1024,       /* a request's body */
    LIMIT_STATEMENTS_BYTES = 512 * 1024,      /* SQL in a pod; with its JSON below both above */
    LIMIT_ERROR_BODY_BYTES = 64 * 1024,       /* what is kept of a reply that is no success */
    LIMIT_FILE_BYTES = 4 * 1024 * 1024,       /* kubeconfig, token, CA bundle */
    LIMIT_PROCESS_OUTPUT_BYTES = 1024 * 1024, /* an exec plugin's stdout */
    LIMIT_LIST_PAGE = 250,                    /* objects asked for in one page */
    LIMIT_REQUESTS_IN_FLIGHT = 16,            /* watches not counted */
    LIMIT_OBJECTS_PER_KIND = 100 * 1000,      /* kept, not seen */
    LIMIT_ACTIONS_PER_PLAN = 64,
    LIMIT_POOL_SIZE = 100,          /* FSx allows 100 volumes a file system */
    LIMIT_LABEL_VALUE_BYTES = 63,   /* Kubernetes label values, DNS-1123 labels */
    LIMIT_INSTANCE_NAME_BYTES = 50, /* CloudNativePG's validateName */
};

#endif
