/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl trusts the authorities of its built-in folder beside those it is given. Here OpenSSL's
   loading of that folder is replaced: whatever folder is asked for holds exactly the authority that
   has signed the server's certificate. */
#include "support/test_authority.h"
#include "support/test_client.h"
#include "support/test_server.h"

#include <curl/curl.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct test_step serves[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step *const scripts[] = {serves, NULL};

static const char *folder_pem;
static int folder_load_count;

/* Takes the place of libcrypto's. */
int X509_STORE_load_path(X509_STORE *store, const char *path)
{
    (void)path;
    folder_load_count++;
    BIO *bio = BIO_new_mem_buf(folder_pem, -1);
    X509 *authority = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    int added = X509_STORE_add_cert(store, authority);
    X509_free(authority);
    BIO_free(bio);
    return added;
}

static size_t ignore(char *bytes, size_t unit, size_t count, void *self)
{
    (void)bytes, (void)self;
    return unit * count;
}

/* Without this the test proves nothing: curl as it comes does trust the folder. */
static bool curl_trusts_the_folder(const char *url, const char *given_pem)
{
    CURL *easy = curl_easy_init();
    char pem[4096] = "";
    memcpy(pem, given_pem, strlen(given_pem));
    struct curl_blob blob = {.data = pem, .len = strlen(pem), .flags = CURL_BLOB_COPY};
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    bool works = curl_easy_perform(easy) == CURLE_OK;
    curl_easy_cleanup(easy);
    return works;
}

static void authorities_of_the_system_are_not_trusted_beside_ours(void **state)
{
    (void)state;
    struct test_authority *system = test_authority_new("the system's");
    struct test_authority *ours = test_authority_new("ours");
    struct test_certificate certificate;
    test_authority_issue(system, "server", "IP:127.0.0.1", 3600, &certificate);
    folder_pem = test_authority_pem(system);
    struct test_server_options options = {.scripts = scripts, .certificate = &certificate};
    struct test_server *server = test_server_new(&options);
    if (!curl_trusts_the_folder(test_server_url(server), test_authority_pem(ours))) {
        skip(); /* a libcurl that has no such folder, or loads it in another way */
    }
    assert_int_equal(folder_load_count, 1);

    struct test_client client;
    test_client_init(&client, test_server_url(server), test_authority_pem(ours), NULL);
    struct request request = test_request(METHOD_GET, "/p");
    struct test_call call;
    test_call_run(&call, &client, &request);
    assert_int_equal(call.error.class, ERROR_UNAVAILABLE);
    assert_non_null(strstr(call.error.message, "signed by an unknown authority"));
    assert_int_equal(folder_load_count, 1);
    test_call_release(&call);
    test_client_release(&client);
    test_server_free(server);
    test_certificate_release(&certificate);
    test_authority_free(system);
    test_authority_free(ours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(authorities_of_the_system_are_not_trusted_beside_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
