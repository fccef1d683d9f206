/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/resync.h"

#include "base/limits.h"
#include "conformance/exchange.h"
#include "conformance/round.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LOOKS_MS = 500, PROBED_EACH_MS = 20, PROBES_MAX = 3000, SCOPE_BYTES = 32 };

#define CLAIMS "/api/v1/namespaces/$s/persistentvolumeclaims"

static const char claim[] =
    "{'metadata':{'name':'probe'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'$s',"
    "'volumeName':'$s','resources':{'requests':{'storage':'1Gi'}}}}";
static const char volume[] = "{'metadata':{'name':'$s'},'spec':{'capacity':{'storage':'1Gi'},"
                             "'accessModes':['ReadWriteOnce'],'storageClassName':'$s',"
                             "'csi':{'driver':'nobody.example.com','volumeHandle':'$s'}}}";

static int64_t now_ms(const struct subject *subject)
{
    return subject->now(subject->self).mono_ms;
}

static void send(struct exchange *exchange, const struct subject *subject,
                 const struct words *words, const char *path, const char *body)
{
    cleanup_text struct text filled_path;
    cleanup_text struct text filled_body;
    text_init(&filled_path, LIMIT_OBJECT_BYTES);
    text_init(&filled_body, LIMIT_OBJECT_BYTES);
    words_fill(words, path, &filled_path);
    words_fill(words, body == NULL ? "" : body, &filled_body);
    exchange_run(exchange, subject,
                 &(struct request){.method = body == NULL ? METHOD_GET : METHOD_POST,
                                   .path = filled_path.bytes,
                                   .body = body == NULL ? NULL : filled_body.bytes});
}

int64_t resync_find(const struct subject *subject)
{
    cleanup_exchange struct exchange exchange = exchange_none();
    char scope[SCOPE_BYTES];
    struct words words;
    bool is_bound = false;
    (void)snprintf(scope, sizeof(scope), "resync-%s", subject->tag);
    words_init(&words);
    words_set(&words, "s", scope);
    round_make_scope(subject, scope);
    send(&exchange, subject, &words, CLAIMS, claim);
    subject_rest(subject, LOOKS_MS);
    send(&exchange, subject, &words, "/api/v1/persistentvolumes", volume);
    for (int i = 0; i < PROBES_MAX && !is_bound; i++) {
        subject_rest(subject, PROBED_EACH_MS);
        send(&exchange, subject, &words, CLAIMS "/probe", NULL);
        is_bound = strstr(exchange.body.bytes, "\"Bound\"") != NULL;
    }
    words_release(&words);
    return now_ms(subject);
}

void resync_rest_until_before(const struct subject *subject, int64_t resync_ms, int64_t before_ms)
{
    int64_t since_ms = (now_ms(subject) + before_ms - resync_ms) % RESYNC_EACH_MS;
    subject_rest(subject, RESYNC_EACH_MS - since_ms);
}
