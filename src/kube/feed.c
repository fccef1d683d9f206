/* SPDX-License-Identifier: Apache-2.0 */
/* An object that cannot be decoded must stop neither the stream nor the operator: a person wrote
   one bad field into one object. It is counted and skipped, and what the store holds of it stands;
   to let it fall out of a list would look like its deletion.

   An ERROR event stops the scan, as an error given back by the scanner's own callback, so that
   nothing behind it can move the version on. */
#include "kube/feed.h"

#include "base/limits.h"
#include "kube/reply.h"

#include <string.h>

enum { TOKEN_BYTES_MAX = 4 * 1024 };

void feed_init(struct feed *feed, enum object_kind kind, struct store *store,
               bool (*keep)(void *self, const struct object *object), void *keep_self)
{
    *feed = (struct feed){.kind = kind, .store = store, .keep = keep, .keep_self = keep_self};
    text_init(&feed->version, TOKEN_BYTES_MAX);
    text_init(&feed->continue_token, TOKEN_BYTES_MAX);
}

void feed_release(struct feed *feed)
{
    json_scan_free(feed->scan);
    text_release(&feed->version);
    text_release(&feed->continue_token);
}

void feed_clear(struct feed *feed)
{
    text_clear(&feed->version);
    text_clear(&feed->continue_token);
    feed->undecodable = (struct error){.class = ERROR_NONE};
}

static const char *metadata_text(const struct json *object, const char *key)
{
    const char *text = json_text(json_path(object, "metadata", key, NULL));
    return text == NULL ? "" : text;
}

static void note_undecodable(struct feed *feed, const struct json *root, const struct error *error)
{
    feed->undecodable_count++;
    feed->undecodable = *error;
    const char *name = metadata_text(root, "name");
    if (!feed->watching && name[0] != '\0') {
        store_spare_listed(feed->store, feed->kind, metadata_text(root, "namespace"), name);
    }
}

static bool is_kept(const struct feed *feed, const struct object *object)
{
    return feed->keep == NULL || feed->keep(feed->keep_self, object);
}

/* The version that it shows; NULL: another one is held, or none. */
static const struct object *find_held(const struct feed *feed, const struct json *root)
{
    const char *version = metadata_text(root, "resourceVersion");
    const struct object *held = store_get(feed->store, feed->kind, metadata_text(root, "namespace"),
                                          metadata_text(root, "name"));
    return held != NULL && version[0] != '\0' && text_equal(held->meta.resource_version, version) &&
                   text_equal(held->meta.uid, metadata_text(root, "uid")) && is_kept(feed, held)
               ? held
               : NULL;
}

/* Most events of what we write ourselves tell what its reply has told, and most of a list that
   closes a gap is as it was: that need not be decoded. */
static void put(struct feed *feed, const struct json *root)
{
    enum store_source source = feed->watching ? STORE_WATCH : STORE_LIST;
    const struct object *held = find_held(feed, root);
    struct object *object = NULL;
    struct error error;
    if (held != NULL) {
        store_note_shown(feed->store, held, source);
        return;
    }
    if (!object_decode_json(feed->kind, root, store_commons(feed->store), &object, &error)) {
        note_undecodable(feed, root, &error);
        return;
    }
    if (is_kept(feed, object)) {
        store_put_take(feed->store, object, source);
        return;
    }
    const struct object_meta *meta = &object->meta;
    if (feed->watching) {
        store_remove(feed->store, feed->kind, meta->namespace, meta->name, meta->uid,
                     meta->resource_version);
    }
    object_free(object);
}

static void take_away(struct feed *feed, const struct json *root)
{
    const char *name = metadata_text(root, "name");
    if (name[0] != '\0') {
        store_remove(feed->store, feed->kind, metadata_text(root, "namespace"), name,
                     metadata_text(root, "uid"), metadata_text(root, "resourceVersion"));
    }
}

static bool stop_with_status(struct feed *feed, const struct json *status, struct error *error)
{
    struct json_reader reader;
    json_reader_init(&reader, NULL);
    int64_t code = json_int64(&reader, status, "code", 500);
    int http_status = code >= 400 && code < 600 ? (int)code : 500;
    reply_classify_status(METHOD_GET, http_status, 0, status, "an ERROR event without a message",
                          false, error);
    feed->server_stopped = true;
    return false;
}

static bool take_event(struct feed *feed, const struct json *event, struct error *error)
{
    const char *type = json_text(json_member(event, "type"));
    const struct json *object = json_member(event, "object");
    if (type == NULL || !json_is_object(object)) {
        return error_set(error, ERROR_INVALID, "a watch event without a type or an object");
    }
    if (text_equal(type, "ERROR")) {
        return stop_with_status(feed, object, error);
    }
    if (text_equal(type, "ADDED") || text_equal(type, "MODIFIED")) {
        put(feed, object);
    } else if (text_equal(type, "DELETED")) {
        take_away(feed, object);
    }
    const char *version = metadata_text(object, "resourceVersion");
    if (version[0] != '\0') {
        text_clear(&feed->version);
        text_append(&feed->version, version);
    }
    feed->event_count++;
    return text_check(&feed->version, "resourceVersion", error);
}

static bool take_text(void *self, const char *text, size_t byte_count, struct error *error)
{
    struct feed *feed = self;
    cleanup_json struct json_document *document = NULL;
    if (!json_parse(text, byte_count, &document, error)) {
        return false;
    }
    if (feed->watching) {
        return take_event(feed, json_root(document), error);
    }
    put(feed, json_root(document));
    return true;
}

void feed_begin(struct feed *feed, enum json_scan_shape shape)
{
    json_scan_free(feed->scan);
    feed->scan =
        json_scan_new(shape, &kind_of(feed->kind)->filter, LIMIT_OBJECT_BYTES, take_text, feed);
    feed->watching = shape == JSON_SCAN_WATCH;
    feed->event_count = 0;
    feed->stopped = (struct error){.class = ERROR_NONE};
    feed->server_stopped = false;
}

void feed_bytes(struct feed *feed, const char *bytes, size_t byte_count)
{
    struct error error;
    if (feed->stopped.class == ERROR_NONE &&
        !json_scan_feed(feed->scan, bytes, byte_count, &error)) {
        feed->stopped = error;
    }
}

static bool end_page(struct feed *feed, struct error *error)
{
    const char *metadata = json_scan_list_metadata(feed->scan);
    cleanup_json struct json_document *document = NULL;
    if (!json_parse(metadata, strlen(metadata), &document, error)) {
        return false;
    }
    const char *token = json_text(json_member(json_root(document), "continue"));
    if (token != NULL && token[0] != '\0' && text_equal(token, feed->continue_token.bytes)) {
        return error_set(error, ERROR_INVALID, "the list's next page is the same page again");
    }
    text_clear(&feed->continue_token);
    text_append(&feed->continue_token, token == NULL ? "" : token);
    if (feed->version.length_bytes == 0) {
        const char *version = json_text(json_member(json_root(document), "resourceVersion"));
        text_append(&feed->version, version == NULL ? "" : version);
    }
    if (feed->version.length_bytes == 0) {
        return error_set(error, ERROR_INVALID, "a list without a resourceVersion");
    }
    return text_check(&feed->version, "resourceVersion", error) &&
           text_check(&feed->continue_token, "continue token", error);
}

bool feed_end(struct feed *feed, struct error *error)
{
    if (feed->stopped.class != ERROR_NONE) {
        *error = feed->stopped;
        return false;
    }
    bool ended = json_scan_end(feed->scan, error) && (feed->watching || end_page(feed, error));
    json_scan_free(feed->scan);
    feed->scan = NULL;
    return ended;
}
