/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing but "was it sent" divides what surely had no effect from what may have had one. A request
   counts as sent from the moment its connection is ready: curl does not tell how many bytes have
   left, and TLS 1.3 servers refuse a client's certificate only after that.

   The reasons are for people, so those that everybody meets once are said in plain words. OpenSSL
   tells an unknown authority apart in five ways. One that has the name of ours but another key, and
   no key identifiers in its certificates, is not among them: curl then has only the name of the
   routine that failed. */
#include "io/http_outcome.h"

#include <openssl/x509_vfy.h>

#include <stddef.h>
#include <string.h>

static const char unknown_authority[] = "its certificate is signed by an unknown authority";

static const struct {
    long verify_result;
    const char *words;
} refusals[] = {
    {X509_V_ERR_CERT_HAS_EXPIRED, "its certificate has expired"},
    {X509_V_ERR_CERT_NOT_YET_VALID, "its certificate is not valid yet by this machine's clock"},
    {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, unknown_authority},
    {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, unknown_authority},
    {X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, unknown_authority},
    {X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, unknown_authority},
    {X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, unknown_authority},
};

static const char *refusal_words(long verify_result)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        if (refusals[i].verify_result == verify_result) {
            return refusals[i].words;
        }
    }
    return NULL;
}

static const char *reason_of(const struct http_outcome *outcome)
{
    const char *words = NULL;
    if (outcome->result == CURLE_PEER_FAILED_VERIFICATION) {
        words = refusal_words(outcome->verify_result);
    } else if (outcome->result == CURLE_COULDNT_CONNECT && outcome->os_error != 0) {
        words = strerror((int)outcome->os_error);
    } else if (outcome->result == CURLE_GOT_NOTHING) {
        words = "the connection closed before a reply";
    } else if (outcome->result == CURLE_ABORTED_BY_CALLBACK) {
        words = "the connection closed before a reply; not sent again";
    }
    if (words != NULL) {
        return words;
    }
    return outcome->reason[0] != '\0' ? outcome->reason : curl_easy_strerror(outcome->result);
}

void http_outcome_judge(const struct http_outcome *outcome, struct error *out_error)
{
    if (outcome->deadline == NULL && outcome->result == CURLE_OK) {
        *out_error = (struct error){.class = ERROR_NONE};
        return;
    }
    const char *reason = outcome->deadline != NULL ? outcome->deadline : reason_of(outcome);
    if (!outcome->sent) {
        bool is_tls = outcome->deadline == NULL && outcome->result == CURLE_SSL_CONNECT_ERROR;
        error_set(out_error, ERROR_UNAVAILABLE, "%s: %s%s", outcome->server,
                  is_tls ? "no agreement on TLS: " : "", reason);
        return;
    }
    enum error_class class = outcome->method == METHOD_GET ? ERROR_TIMEOUT : ERROR_UNKNOWN;
    error_set(out_error, class, "%s: %s was sent, then: %s", outcome->server,
              method_name(outcome->method), reason);
}

bool http_outcome_is_closed_connection(CURLcode result)
{
    return result == CURLE_GOT_NOTHING || result == CURLE_RECV_ERROR || result == CURLE_SEND_ERROR;
}
