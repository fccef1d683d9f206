/* SPDX-License-Identifier: Apache-2.0 */
/* The same requests as those of the bare claims that the rig's claim_baseline.py makes. */
#include "conformance/claim.h"

#include "base/limits.h"
#include "conformance/expectation.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define CLAIMS "/api/v1/namespaces/$s/persistentvolumeclaims"
#define VOLUMES "/api/v1/persistentvolumes"
#define JSON_PATCH "application/json-patch+json"
#define MERGE_PATCH "application/merge-patch+json"
#define POINT(uid)                                                                                 \
    "[{'op':'test','path':'/spec/claimRef/uid','value':'$h'},"                                     \
    "{'op':'replace','path':'/spec/persistentVolumeReclaimPolicy','value':'Retain'},"              \
    "{'op':'replace','path':'/spec/claimRef','value':{'apiVersion':'v1',"                          \
    "'kind':'PersistentVolumeClaim','namespace':'$s','name':'claim-$n'" uid "}}]"
#define CLAIM(name, class, more)                                                                   \
    "{'metadata':{'name':'" name "'},'spec':{'accessModes':['ReadWriteOnce'],"                     \
    "'storageClassName':'" class "','resources':{'requests':{'storage':'1Gi'}}" more "}}"

enum { DEADLINE_MS = 60 * 1000, REFUSED = 400, DIGITS_BYTES = 16 };

/* What is sent, and what is waited for then. */
struct move {
    enum method method;
    const char *path, *body, *content_type;     /* path NULL: the last */
    bool (*is_over)(const struct claim *claim); /* NULL: at once */
    const char *uid; /* the word that the reply's uid becomes; NULL: none */
};

static bool is_gone_and_released(const struct claim *claim)
{
    return claim->is_holding_gone && claim->is_volume_released;
}

static bool is_bound(const struct claim *claim)
{
    return claim->is_bound;
}

static bool is_warm(const struct claim *claim)
{
    return claim->is_holding_bound && claim->is_volume_bound;
}

/* $s: scope; $n: number; $h: the holding claim's uid; $u: the claim's. See words.h. */
static const struct move preparation[] = {
    {METHOD_POST, VOLUMES,
     "{'metadata':{'name':'$s-$n','labels':{'scope':'$s'},'annotations':{'pv.kubernetes.io/"
     "provisioned-by':"
     "'nobody.example.com'}},'spec':{'capacity':{'storage':'1Gi'},"
     "'accessModes':['ReadWriteOnce'],'storageClassName':'$s',"
     "'persistentVolumeReclaimPolicy':'Delete','claimRef':{'namespace':'$s',"
     "'name':'holding-$n'},'csi':{'driver':'nobody.example.com','volumeHandle':'$s-$n'}}}",
     NULL, NULL, NULL},
    {METHOD_POST, CLAIMS, CLAIM("holding-$n", "$s", ",'volumeName':'$s-$n'"), NULL, is_warm, "h"},
    {.path = NULL},
};

static const struct move seed[] = {
    {METHOD_PATCH, VOLUMES "/$s-$n", "{'spec':{'persistentVolumeReclaimPolicy':'Retain'}}",
     MERGE_PATCH, NULL, NULL},
    {METHOD_DELETE, CLAIMS "/holding-$n", NULL, NULL, is_gone_and_released, NULL},
    {METHOD_PATCH, VOLUMES "/$s-$n", "{'spec':{'claimRef':null}}", MERGE_PATCH, NULL, NULL},
    {METHOD_POST, CLAIMS, CLAIM("claim-$n", "$s", ",'volumeName':'$s-$n'"), NULL, is_bound, NULL},
    {.path = NULL},
};

static const struct move release[] = {
    {METHOD_PATCH, VOLUMES "/$s-$n", POINT(""), JSON_PATCH, NULL, NULL},
    {METHOD_POST, CLAIMS, CLAIM("claim-$n", "$s", ",'volumeName':'$s-$n'"), NULL, is_bound, NULL},
    {.path = NULL},
};

static const struct move swap[] = {
    {METHOD_POST, CLAIMS, CLAIM("claim-$n", "$s-inert", ""), NULL, NULL, "u"},
    {METHOD_PATCH, VOLUMES "/$s-$n", POINT(",'uid':'$u'"), JSON_PATCH, is_bound, NULL},
    {.path = NULL},
};

static const struct move bare[] = {
    {METHOD_POST, "/api/v1/namespaces/$s/configmaps", "{'metadata':{'name':'bare-$n'}}", NULL, NULL,
     NULL},
    {METHOD_PATCH, "/api/v1/namespaces/$s/configmaps/bare-$n", "{'data':{'a':'b'}}", MERGE_PATCH,
     NULL, NULL},
    {.path = NULL},
};

static const struct {
    const char *name;
    const struct move *moves;
} orders[ORDER_COUNT] = {
    [ORDER_BARE] = {"(two writes)", bare},
    [ORDER_SEED] = {"seed", seed},
    [ORDER_RELEASE] = {"Release", release},
    [ORDER_SWAP] = {"Swap", swap},
};

const char *claim_order_name(enum claim_order order)
{
    return orders[order].name;
}

void claim_init(struct claim *claim, const struct subject *subject, const char *scope, int number,
                enum claim_order order)
{
    char digits[DIGITS_BYTES];
    *claim = (struct claim){.subject = subject, .order = order};
    (void)snprintf(digits, sizeof(digits), "%d", number);
    words_init(&claim->words);
    words_set(&claim->words, "s", scope);
    words_set(&claim->words, "n", digits);
    text_init(&claim->reply, LIMIT_OBJECT_BYTES);
    text_init(&claim->failure, LIMIT_OBJECT_BYTES);
}

void claim_release(struct claim *claim)
{
    words_release(&claim->words);
    text_release(&claim->reply);
    text_release(&claim->failure);
}

/* ---- requests ---- */

static void fill(const struct claim *claim, const char *text, struct text *out)
{
    text_init(out, LIMIT_OBJECT_BYTES);
    if (text != NULL) {
        words_fill(&claim->words, text, out);
    }
}

static void head_came(void *self, int http_status, int64_t retry_after_ms)
{
    struct claim *claim = self;
    (void)retry_after_ms;
    claim->http_status = http_status;
}

static void bytes_came(void *self, const char *bytes, size_t byte_count)
{
    struct claim *claim = self;
    text_append_bytes(&claim->reply, bytes, byte_count);
}

static void end_came(void *self, const struct error *error)
{
    struct claim *claim = self;
    claim->has_reply = true;
    if (error->class != ERROR_NONE) {
        claim->http_status = 0;
        text_append(&claim->reply, error->message);
    }
}

static void start(struct claim *claim, const struct move *move)
{
    cleanup_text struct text path;
    cleanup_text struct text body;
    fill(claim, move->path, &path);
    fill(claim, move->body, &body);
    struct request request = {
        .method = move->method,
        .path = path.bytes,
        .content_type = move->body == NULL           ? NULL
                        : move->content_type == NULL ? "application/json"
                                                     : move->content_type,
        .body = move->body == NULL ? NULL : body.bytes,
        .body_bytes = body.length_bytes,
        .deadline_ms = DEADLINE_MS,
    };
    struct sink sink = {head_came, bytes_came, end_came, claim};
    text_clear(&claim->reply);
    claim->http_status = 0;
    claim->has_reply = false;
    claim->is_running = true;
    (void)claim->subject->transport.start(claim->subject->transport.self, &request, sink);
}

/* ---- steps ---- */

static void keep_uid(struct claim *claim, const struct move *move)
{
    cleanup_text struct text uid;
    text_init(&uid, LIMIT_OBJECT_BYTES);
    if (move->uid != NULL && expectation_find(claim->reply.bytes, "metadata.uid", &uid)) {
        words_set(&claim->words, move->uid, uid.bytes);
    }
}

static bool fail(struct claim *claim, const struct move *move)
{
    cleanup_text struct text path;
    fill(claim, move->path, &path);
    claim->has_failed = true;
    text_print(&claim->failure, "%s %s: %d %s", method_name(move->method), path.bytes,
               claim->http_status, claim->reply.bytes);
    return true;
}

/* Goes on as far as can be gone without waiting. */
static bool step(struct claim *claim, const struct move *moves)
{
    for (;;) {
        const struct move *move = &moves[claim->at];
        if (claim->has_failed || move->path == NULL) {
            return true;
        }
        if (!claim->is_running) {
            start(claim, move);
        }
        if (claim->has_reply && (claim->http_status == 0 || claim->http_status >= REFUSED)) {
            return fail(claim, move);
        }
        if (!claim->has_reply || (move->is_over != NULL && !move->is_over(claim))) {
            return false;
        }
        keep_uid(claim, move);
        claim->is_running = false;
        claim->at++;
    }
}

bool claim_prepare_step(struct claim *claim)
{
    return claim->order == ORDER_BARE || step(claim, preparation);
}

bool claim_move_step(struct claim *claim)
{
    int64_t now_ms = claim->subject->now(claim->subject->self).mono_ms;
    if (claim->began_ms == 0) {
        claim->began_ms = now_ms;
        claim->at = 0;
    }
    if (claim->took_ms == 0 && step(claim, orders[claim->order].moves)) {
        claim->took_ms = now_ms - claim->began_ms;
    }
    return claim->took_ms != 0;
}
