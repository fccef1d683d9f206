/* SPDX-License-Identifier: Apache-2.0 */
/* Two functions for two questions: SHA-256 where a name made from the digest must not collide even
   if somebody tries, FNV-1a where it only has to be spread and quick. */
#include "base/digest.h"

#include <assert.h>
#include <openssl/sha.h>
#include <stdbool.h>

void digest_sha256(const void *bytes, size_t byte_count, char out_hex[DIGEST_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[SHA256_DIGEST_LENGTH];
    bool done = SHA256(bytes, byte_count, digest) != NULL;
    assert(done); /* fails only for want of memory or of OpenSSL's own provider */
    (void)done;
    for (size_t i = 0; i < sizeof(digest); i++) {
        out_hex[2 * i] = digits[digest[i] >> 4];
        out_hex[2 * i + 1] = digits[digest[i] & 0x0F];
    }
    out_hex[DIGEST_HEX_BYTES - 1] = '\0';
}

uint64_t digest_hash(const char *text)
{
    uint64_t hash = 0xCBF29CE484222325;
    for (const char *at = text; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * 0x100000001B3;
    }
    return hash;
}
