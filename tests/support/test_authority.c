/* SPDX-License-Identifier: Apache-2.0 */
/* Elliptic curve keys: RSA would take most of a test's time. Key identifiers, as kubeadm's have. */
#include "support/test_authority.h"

#include "base/memory.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <assert.h>
#include <string.h>

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

struct test_authority {
    EVP_PKEY *key;
    X509 *certificate;
    char *pem;
    long serial;
};

static void add_extension(X509 *certificate, X509 *issuer, int extension_id, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, extension_id, value);
    assert(extension != NULL);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

static X509 *certificate_new(EVP_PKEY *key, const char *common_name, long serial, long valid_s)
{
    X509 *certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -HOUR_S);
    X509_gmtime_adj(X509_getm_notAfter(certificate), valid_s);
    X509_set_pubkey(certificate, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                               (const unsigned char *)common_name, -1, -1, 0);
    return certificate;
}

static char *take_text(BIO *bio)
{
    char *bytes = NULL;
    long byte_count = BIO_get_mem_data(bio, &bytes);
    char *text = memory_new(1, (size_t)byte_count + 1);
    memcpy(text, bytes, (size_t)byte_count);
    BIO_free(bio);
    return text;
}

static char *certificate_text(X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(bio, certificate);
    return take_text(bio);
}

static char *key_text(EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
    return take_text(bio);
}

struct test_authority *test_authority_new(const char *common_name)
{
    struct test_authority *authority = memory_new(1, sizeof(*authority));
    authority->serial = 1;
    authority->key = EVP_EC_gen("P-256");
    X509 *certificate = certificate_new(authority->key, common_name, authority->serial++, DAY_S);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign");
    add_extension(certificate, certificate, NID_subject_key_identifier, "hash");
    X509_sign(certificate, authority->key, EVP_sha256());
    authority->certificate = certificate;
    authority->pem = certificate_text(certificate);
    return authority;
}

void test_authority_free(struct test_authority *authority)
{
    if (authority != NULL) {
        EVP_PKEY_free(authority->key);
        X509_free(authority->certificate);
        memory_free(authority->pem);
        memory_free(authority);
    }
}

const char *test_authority_pem(const struct test_authority *authority)
{
    return authority->pem;
}

void test_authority_issue(struct test_authority *authority, const char *common_name,
                          const char *names, long valid_s, struct test_certificate *out)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = certificate_new(key, common_name, authority->serial++, valid_s);
    X509_set_issuer_name(certificate, X509_get_subject_name(authority->certificate));
    add_extension(certificate, authority->certificate, NID_authority_key_identifier, "keyid");
    if (names != NULL) {
        add_extension(certificate, authority->certificate, NID_subject_alt_name, names);
    }
    X509_sign(certificate, authority->key, EVP_sha256());
    out->certificate_pem = certificate_text(certificate);
    out->key_pem = key_text(key);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

void test_certificate_release(struct test_certificate *certificate)
{
    memory_free(certificate->certificate_pem);
    memory_free(certificate->key_pem);
    *certificate = (struct test_certificate){0};
}
