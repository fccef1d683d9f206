/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to a short name for them. */
#ifndef ADJOINT_BASE_DIGEST_H
#define ADJOINT_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_HEX_BYTES 65

/* SHA-256 of the bytes as lower-case hex with its NUL. bytes may be NULL when byte_count is 0. */
void digest_sha256(const void *bytes, size_t byte_count, char out_hex[DIGEST_HEX_BYTES]);

/* FNV-1a, for hash tables only. */
uint64_t digest_hash(const char *text);

#endif
