/* SPDX-License-Identifier: Apache-2.0 */
/* The words between a CSI driver and its sidecars: requests, replies, gRPC codes. */
#ifndef ADJOINT_SIM_CSI_H
#define ADJOINT_SIM_CSI_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

enum csi_code {
    CSI_OK,
    CSI_INVALID_ARGUMENT,
    CSI_ALREADY_EXISTS,
    CSI_ABORTED,           /* the same is being done already */
    CSI_DEADLINE_EXCEEDED, /* said by the sidecar's own clock, not by the driver */
    CSI_INTERNAL,
};
const char *csi_code_name(enum csi_code code); /* as gRPC spells it: "InvalidArgument" */

/* What is borrowed is so for the call. */
struct csi_create_volume {
    const char *name; /* pvc-<uid> */
    int64_t capacity_bytes;
    const cJSON *parameters;   /* the StorageClass' */
    const cJSON *access_modes; /* the claim's: array of ReadWriteOnce... */
    const char *snapshot;      /* content source; NULL: none */
};

struct csi_reply {
    enum csi_code code;
    char message[256];
    const char *handle; /* of the volume or snapshot; "" if it failed */
    const char *dns_name, *volume_path;
    int64_t capacity_bytes;
    int64_t created_ms; /* wall; of a snapshot */
};

struct csi_answer {
    void (*done)(void *self, const struct csi_reply *reply);
    void *self;
};

#endif
