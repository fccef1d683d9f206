/* SPDX-License-Identifier: Apache-2.0 */
/* A write is seen by its own reply, so the next plan, which follows at once, does not repeat it. A
   reply may also say that an object has left what we watch (its labels are off): its old state must
   not stay until the watch says so, for the same reason. */
#include "operator/absorb.h"

#include "api/names.h"
#include "base/json_scan.h"
#include "base/limits.h"
#include "base/log.h"
#include "operator/damper.h"
#include "operator/observe.h"

struct absorbing {
    struct operator* op;
    const struct action *action;
    struct memo *memo; /* of the key, if the reply is to a write; NULL: it is not */
    struct absorbed result;
};

static bool in_watch(const struct operator* op, const struct object *object)
{
    if (object->kind == KIND_VOLUME_CLAIM || object->kind == KIND_CLUSTER ||
        object->kind == KIND_POD || object->kind == KIND_NETWORK_POLICY) {
        return object_label(object, LABEL_ROLE) != NULL;
    }
    return observe_keeps(op->store, object);
}

static bool absorb_object(void *self, const char *text, size_t byte_count, struct error *error)
{
    struct absorbing *absorbing = self;
    const struct action *action = absorbing->action;
    struct store *store = absorbing->op->store;
    struct object *object = NULL;
    if (!object_decode(action->object, text, byte_count, store_commons(store), &object, error)) {
        return false;
    }
    const struct object_meta *meta = &object->meta;
    if (meta->deleting_ms != 0 && meta->finalizer_count == 0) {
        /* Our write took the last finalizer: it is gone, and its reply has the version from before.
         */
        (void)store_remove(store, object->kind, meta->namespace, meta->name, meta->uid, NULL);
        object_free(object);
        absorbing->result.ours = true;
        return true;
    }
    absorbing->result.ours = in_watch(absorbing->op, object);
    absorbing->result.other_uid = action->uid != NULL && !text_equal(action->uid, meta->uid);
    if (absorbing->result.ours) {
        if (absorbing->memo != NULL &&
            (object->kind == KIND_POOL || object->kind == KIND_INSTANCE)) {
            damper_note_write(absorbing->memo, object);
        }
        (void)store_put_take(store, object, STORE_REPLY);
        return true;
    }
    (void)store_remove(store, object->kind, meta->namespace, meta->name, meta->uid,
                       meta->resource_version);
    object_free(object);
    return true;
}

/* A deletion that something holds up comes back as the object with its deletionTimestamp. Anything
   else (a Status, a last state) says that it is gone. Both have to be seen at once, or the next
   plan deletes again. */
static bool absorb_deletion(void *self, const char *text, size_t byte_count, struct error *error)
{
    struct absorbing *absorbing = self;
    const struct action *action = absorbing->action;
    struct store *store = absorbing->op->store;
    struct object *object = NULL;
    struct error no_object;
    (void)error;
    bool decoded =
        object_decode(action->object, text, byte_count, store_commons(store), &object, &no_object);
    if (decoded && object->meta.deleting_ms != 0 && object->meta.finalizer_count > 0 &&
        text_equal(object->meta.uid, action->uid)) {
        (void)store_put_take(store, object, STORE_REPLY);
        return true;
    }
    object_free(object);
    (void)store_remove(store, action->object, action->namespace, action->name, action->uid, NULL);
    return true;
}

struct absorbed absorb_reply(struct operator* op, const struct action *action, bool reading,
                             const struct reply *reply, const char *key)
{
    struct absorbing absorbing = {.op = op, .action = action, .result.ours = true};
    if (!reading && action->kind != ACTION_READ) {
        absorbing.memo = memos_find(&op->memos, key);
    }
    if (reply->body_bytes == 0 || action->kind == ACTION_DRY_RUN ||
        action->object >= KIND_WATCHED_COUNT) {
        return absorbing.result;
    }
    bool deletion = action->kind == ACTION_DELETE && !reading;
    absorbing.result.ours = deletion;
    struct json_scan *scan =
        json_scan_new(JSON_SCAN_PLAIN, &kind_of(action->object)->filter, LIMIT_OBJECT_BYTES,
                      deletion ? absorb_deletion : absorb_object, &absorbing);
    struct error error;
    if (!json_scan_feed(scan, reply->body, reply->body_bytes, &error) ||
        !json_scan_end(scan, &error)) {
        log_write(LOG_WARNING, op->now.wall_ms, "a reply could not be read", "key", key, "error",
                  error.message, NULL);
    }
    json_scan_free(scan);
    return absorbing.result;
}
