/* SPDX-License-Identifier: Apache-2.0 */
/* The digests of FIPS 180-2's examples and the hashes of FNV's own list. */
#include "base/digest.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void sha256_matches_the_published_digests(void **state)
{
    (void)state;
    char hex[DIGEST_HEX_BYTES];
    digest_sha256("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    digest_sha256("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digest_sha256(NULL, 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

    cleanup_memory char *million = memory_new(1000, 1000);
    memset(million, 'a', 1000 * 1000);
    digest_sha256(million, 1000 * 1000, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void sha256_reads_nul_bytes(void **state)
{
    (void)state;
    char with_one[DIGEST_HEX_BYTES];
    char with_two[DIGEST_HEX_BYTES];
    digest_sha256("a\0b", 3, with_one);
    digest_sha256("a\0c", 3, with_two);
    assert_string_not_equal(with_one, with_two);
}

static void hash_matches_the_published_hashes(void **state)
{
    (void)state;
    assert_true(digest_hash("") == UINT64_C(0xcbf29ce484222325));
    assert_true(digest_hash("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(digest_hash("foobar") == UINT64_C(0x85944171f73967e8));
}

/* 0xE9 must count as 233 where char is signed too: (basis ^ 0xE9) * prime mod 2^64. */
static void hash_does_not_depend_on_the_sign_of_char(void **state)
{
    (void)state;
    uint64_t expected = (UINT64_C(0xcbf29ce484222325) ^ 0xE9) * UINT64_C(0x100000001b3);
    assert_true(digest_hash("\xE9") == expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_matches_the_published_digests),
        cmocka_unit_test(sha256_reads_nul_bytes),
        cmocka_unit_test(hash_matches_the_published_hashes),
        cmocka_unit_test(hash_does_not_depend_on_the_sign_of_char),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
