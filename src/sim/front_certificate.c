/* SPDX-License-Identifier: Apache-2.0 */
/* Made anew at each start and kept nowhere: who has the kubeconfig of this run has all there is to
   trust. An elliptic curve, because an RSA key would take longer than all the rest of a start. */
#include "sim/front_certificate.h"

#include "base/memory.h"
#include "base/text.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <string.h>

enum { HOUR_S = 3600, VALID_S = 30 * 24 * HOUR_S, NAMES_BYTES_MAX = 256 };

static bool add_extension(X509 *certificate, int extension_id, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, extension_id, value);
    bool added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

static bool fill_in(X509 *certificate, EVP_PKEY *key, const char *names)
{
    static const unsigned char name[] = "adjoint-sim";
    X509_NAME *subject = X509_get_subject_name(certificate);
    return X509_set_version(certificate, 2) == 1 &&
           ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1 &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), -HOUR_S) != NULL &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), VALID_S) != NULL &&
           X509_set_pubkey(certificate, key) == 1 &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1 &&
           X509_set_issuer_name(certificate, subject) == 1 &&
           add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
           add_extension(certificate, NID_subject_alt_name, names) &&
           X509_sign(certificate, key, EVP_sha256()) > 0;
}

static char *take_text(BIO *bio)
{
    char *bytes = NULL;
    long byte_count = BIO_get_mem_data(bio, &bytes);
    char *text = memory_new(1, (size_t)byte_count + 1);
    (void)memcpy(text, bytes, (size_t)byte_count);
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

bool front_certificate_make(const char *address, struct front_certificate *out, struct error *error)
{
    cleanup_text struct text names;
    text_init(&names, NAMES_BYTES_MAX);
    text_append(&names, "DNS:localhost,IP:127.0.0.1");
    if (!text_equal(address, "127.0.0.1")) {
        text_print(&names, ",IP:%s", address);
    }
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    bool made = key != NULL && certificate != NULL && fill_in(certificate, key, names.bytes);
    if (made) {
        out->certificate_pem = certificate_text(certificate);
        out->key_pem = key_text(key);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
    return made || error_set(error, ERROR_SYSTEM, "no certificate could be made for %s", address);
}

void front_certificate_release(struct front_certificate *certificate)
{
    memory_free(certificate->certificate_pem);
    memory_free(certificate->key_pem);
    *certificate = (struct front_certificate){0};
}
