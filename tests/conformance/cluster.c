/* SPDX-License-Identifier: Apache-2.0 */
/* The API server has no request that makes it forget; its etcd has: it is asked through the JSON
   gateway, by the same HTTP client. The cluster is thrown away afterwards. */
#include "conformance/subject.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/memory.h"
#include "conformance/exchange.h"
#include "io/access.h"
#include "io/http_client.h"
#include "io/loop.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COMPACTED_KEY "compact_rev_key"

enum { ASKED_EACH_MS = 2, DIGITS_BYTES = 24, FINE = 200, MS_PER_SECOND = 1000, TAG_MASK = 0xfffff };

struct cluster {
    struct loop *loop;
    struct access *access;
    struct http_client *client;
    const char *etcd;
    /* Of the pass that goes on. */
    int64_t until_ms;
    bool (*is_done)(void *asker);
    void *asker;
    bool done;
};

static struct now cluster_now(void *self)
{
    const struct cluster *cluster = self;
    return loop_now(cluster->loop);
}

static int64_t step(void *self, struct now now)
{
    struct cluster *cluster = self;
    cluster->done = cluster->is_done(cluster->asker);
    if (cluster->done || now.mono_ms >= cluster->until_ms) {
        loop_stop(cluster->loop);
    }
    return now.mono_ms + ASKED_EACH_MS;
}

static bool cluster_pass(void *self, int64_t for_ms, bool (*is_done)(void *asker), void *asker)
{
    struct cluster *cluster = self;
    cluster->until_ms = loop_now(cluster->loop).mono_ms + for_ms;
    cluster->is_done = is_done;
    cluster->asker = asker;
    loop_set_step(cluster->loop, step, cluster);
    loop_run(cluster->loop);
    loop_set_step(cluster->loop, NULL, NULL);
    return cluster->done;
}

/* ---- etcd ---- */

static enum credentials_state etcd_get(void *self, struct credential_set *out, struct error *error)
{
    const struct cluster *cluster = self;
    (void)error;
    *out = (struct credential_set){.generation = 1, .server = cluster->etcd};
    return CREDENTIALS_READY;
}

static void etcd_invalidate(void *self, uint64_t generation)
{
    (void)self;
    (void)generation;
}

static void etcd_listen(void *self, void (*changed)(void *listener), void *listener)
{
    (void)self;
    (void)changed;
    (void)listener;
}

static bool etcd_post(const struct subject *etcd, const char *path, const char *body,
                      struct exchange *exchange, struct error *error)
{
    exchange_run(exchange, etcd,
                 &(struct request){.method = METHOD_POST, .path = path, .body = body});
    if (exchange->http_status != FINE) {
        return error_set(error, ERROR_SYSTEM, "etcd: %s: %d %s", path, exchange->http_status,
                         exchange->body.bytes);
    }
    return true;
}

static bool revision_of(const struct exchange *exchange, int64_t *out, struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    cleanup_arena struct arena arena;
    struct json_reader reader;
    arena_init(&arena, 0);
    json_reader_init(&reader, &arena);
    if (!json_parse(exchange->body.bytes, exchange->body.length_bytes, &document, error)) {
        return error_wrap(error, "etcd");
    }
    *out = json_int64(&reader, json_path(json_root(document), "header", NULL), "revision", 0);
    return json_reader_check(&reader, "etcd", error);
}

/* What the API server's own compactor writes each five minutes, and each API server watches: the
   snapshots of its caches up to there are dropped, too. */
static void print_compacted(int64_t revision, struct text *out)
{
    char digits[DIGITS_BYTES];
    int digit_count = snprintf(digits, sizeof(digits), "%" PRId64, revision);
    text_clear(out);
    text_append(out, "{\"key\":\"");
    base64_append(out, COMPACTED_KEY, strlen(COMPACTED_KEY));
    text_append(out, "\",\"value\":\"");
    base64_append(out, digits, (size_t)digit_count);
    text_append(out, "\"}");
}

/* Any request's reply names the present revision. */
static bool compact(const struct subject *etcd, struct error *error)
{
    cleanup_exchange struct exchange exchange = exchange_none();
    cleanup_text struct text body;
    int64_t revision = 0;
    text_init(&body, LIMIT_BODY_BYTES);
    if (!etcd_post(etcd, "/v3/kv/range", "{\"key\":\"YQ==\"}", &exchange, error) ||
        !revision_of(&exchange, &revision, error)) {
        return false;
    }
    text_print(&body, "{\"revision\":\"%" PRId64 "\",\"physical\":true}", revision);
    if (!etcd_post(etcd, "/v3/kv/compaction", body.bytes, &exchange, error)) {
        return false;
    }
    print_compacted(revision, &body);
    return etcd_post(etcd, "/v3/kv/put", body.bytes, &exchange, error);
}

static bool cluster_compact(void *self, struct error *error)
{
    struct cluster *cluster = self;
    struct credentials credentials = {etcd_get, etcd_invalidate, etcd_listen, cluster};
    struct http_client *client =
        http_client_new(cluster->loop, credentials, &http_client_options_default);
    struct subject etcd = {.transport = http_client_transport(client),
                           .now = cluster_now,
                           .pass = cluster_pass,
                           .self = cluster};
    bool done = compact(&etcd, error);
    http_client_free(client);
    return done;
}

/* ---- life ---- */

static void cluster_free(void *self)
{
    struct cluster *cluster = self;
    http_client_free(cluster->client);
    access_free(cluster->access);
    loop_free(cluster->loop);
    memory_free(cluster);
}

bool subject_open_cluster(const char *etcd, struct subject *out, struct error *error)
{
    struct cluster *cluster = memory_new(1, sizeof(*cluster));
    struct access_options access = {0};
    cluster->etcd = etcd;
    cluster->loop = loop_new();
    if (!access_open(cluster->loop, &access, &cluster->access, error)) {
        loop_free(cluster->loop);
        memory_free(cluster);
        return false;
    }
    cluster->client = http_client_new(cluster->loop, access_credentials(cluster->access),
                                      &http_client_options_default);
    *out = (struct subject){
        .name = "cluster",
        .transport = http_client_transport(cluster->client),
        .now = cluster_now,
        .pass = cluster_pass,
        .compact = cluster_compact,
        .free = cluster_free,
        .self = cluster,
    };
    (void)snprintf(out->tag, sizeof(out->tag), "%x",
                   (unsigned)(loop_now(cluster->loop).wall_ms / MS_PER_SECOND) & TAG_MASK);
    return true;
}
