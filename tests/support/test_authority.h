/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates made for one test run: an authority and what it has signed, as PEM. */
#ifndef ADJOINT_SUPPORT_TEST_AUTHORITY_H
#define ADJOINT_SUPPORT_TEST_AUTHORITY_H

struct test_authority;

struct test_authority *test_authority_new(const char *common_name);
void test_authority_free(struct test_authority *authority);
const char *test_authority_pem(const struct test_authority *authority);

struct test_certificate {
    char *certificate_pem, *key_pem;
};

/* names: subjectAltName as OpenSSL writes it, "DNS:localhost,IP:127.0.0.1"; NULL: none.
   Valid from an hour ago until valid_s from now, which may be negative. */
void test_authority_issue(struct test_authority *authority, const char *common_name,
                          const char *names, long valid_s, struct test_certificate *out);
void test_certificate_release(struct test_certificate *certificate);

#endif
