/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSSL parses, because it will be the one to use them. The messages are our own: its queue of
   errors speaks of ASN.1, and a key must not show up in a message by any path. */
#include "io/pem.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

static void bio_cleanup(BIO **bio)
{
    BIO_free(*bio);
}

static void certificate_cleanup(X509 **certificate)
{
    X509_free(*certificate);
}

static void key_cleanup(EVP_PKEY **key)
{
    EVP_PKEY_free(*key);
}

static BIO *open_text(const char *text)
{
    size_t byte_count = strlen(text);
    assert(byte_count < INT32_MAX);
    BIO *bio = BIO_new_mem_buf(text, (int)byte_count);
    assert(bio != NULL);
    return bio;
}

/* OpenSSL asks on the terminal when it has nobody else to ask. */
static int give_no_password(char *buffer, int size_bytes, int is_writing, void *self)
{
    (void)is_writing;
    (void)self;
    memset(buffer, 0, (size_t)size_bytes);
    return -1;
}

bool pem_check_certificates(const char *pem, struct error *error)
{
    __attribute__((cleanup(bio_cleanup))) BIO *bio = open_text(pem);
    ERR_clear_error();
    size_t count = 0;
    for (;;) {
        __attribute__((cleanup(certificate_cleanup))) X509 *certificate =
            PEM_read_bio_X509(bio, NULL, give_no_password, NULL);
        if (certificate == NULL) {
            break;
        }
        count++;
    }
    bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    ERR_clear_error();
    if (!at_end) {
        return error_set(error, ERROR_INVALID, "certificate %zu in it is cut short or garbage",
                         count + 1);
    }
    return count > 0 || error_set(error, ERROR_INVALID, "there is no PEM certificate in it");
}

bool pem_check_pair(const char *certificate_pem, const char *key_pem, struct error *error)
{
    if (!pem_check_certificates(certificate_pem, error)) {
        return error_wrap(error, "client certificate");
    }
    __attribute__((cleanup(bio_cleanup))) BIO *certificate_bio = open_text(certificate_pem);
    __attribute__((cleanup(bio_cleanup))) BIO *key_bio = open_text(key_pem);
    __attribute__((cleanup(certificate_cleanup))) X509 *certificate =
        PEM_read_bio_X509(certificate_bio, NULL, give_no_password, NULL);
    __attribute__((cleanup(key_cleanup))) EVP_PKEY *key =
        PEM_read_bio_PrivateKey(key_bio, NULL, give_no_password, NULL);
    bool belongs = key != NULL && X509_check_private_key(certificate, key) == 1;
    ERR_clear_error();
    if (key == NULL) {
        bool is_encrypted = strstr(key_pem, "ENCRYPTED") != NULL;
        return error_set(error, ERROR_INVALID, "client key: %s",
                         is_encrypted ? "it is encrypted, which is not supported"
                                      : "there is no whole PEM key in it");
    }
    return belongs || error_set(error, ERROR_INVALID,
                                "the client's key and certificate do not belong together");
}
