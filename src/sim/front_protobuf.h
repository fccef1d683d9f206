/* SPDX-License-Identifier: Apache-2.0 */
/* kubectl's `create namespace`, `create configmap`, `create secret` and `create serviceaccount`
   send protobuf. Of that as much is read as these four
   write; the rest is left to be refused. (k8s.io/api core/v1/generated.proto,
   k8s.io/apimachinery runtime/serializer/protobuf) */
#ifndef ADJOINT_SRC_SIM_FRONT_PROTOBUF_H
#define ADJOINT_SRC_SIM_FRONT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>

#define FRONT_PROTOBUF_TYPE "application/vnd.kubernetes.protobuf"

/* The object as JSON, the caller's (memory_free); NULL: not one of these, or with a field that is
   not read here. */
char *front_protobuf_to_json(const char *bytes, size_t byte_count);

#endif
