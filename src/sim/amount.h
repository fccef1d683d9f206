/* SPDX-License-Identifier: Apache-2.0 */
/* Kubernetes quantities as far as quotas and claims need them: thousandths in 64 bits, so up to
   8 PiB; what is larger stops there. (k8s.io/apimachinery/pkg/api/resource/quantity.go) */
#ifndef ADJOINT_SRC_SIM_AMOUNT_H
#define ADJOINT_SRC_SIM_AMOUNT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#define AMOUNT_BYTES 32

/* A string ("1Gi", "1e3", "100m") or a number; false: neither, out_milli is untouched. */
bool amount_parse(const cJSON *value, int64_t *out_milli);
/* The canonical form: the largest suffix that leaves a whole number, of 1024 or of 1000. */
void amount_print(int64_t milli, bool is_binary, char out[AMOUNT_BYTES]);
/* The same amount, however it is written; absent is equal to absent alone. */
bool amount_equal(const cJSON *left, const cJSON *right);

#endif
