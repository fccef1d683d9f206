/* SPDX-License-Identifier: Apache-2.0 */
/* A page is cut from the objects of one revision, in order of (namespace, name): the present for a
   first page, that of the first page for the others. */
#include "sim/listing.h"

#include "sim/continue_token.h"
#include "sim/failure.h"
#include "sim/filter.h"
#include "sim/past.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct listing {
    struct apiserver *server;
    const struct target *target;
    const struct url *url;
    struct filter filter;
    int64_t limit; /* 0: none */
    uint64_t revision;
    struct continue_token after; /* name "": from the beginning */
};

/* ---- which state ---- */

bool listing_revision(const struct url *url, uint64_t *out_revision, struct route_reply *out)
{
    const char *text = url_get(url, "resourceVersion");
    int64_t number = 0;
    struct error ignored; /* the server has its own words */
    if (text != NULL && text[0] != '\0' &&
        (!text_parse_int64(text, &number, &ignored) || number < 0)) {
        char message[ERROR_MESSAGE_BYTES];
        (void)snprintf(message, sizeof(message),
                       "resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": "
                       "invalid syntax",
                       text, text);
        failure_bad_request(out, message);
        return false;
    }
    *out_revision = (uint64_t)number;
    return true;
}

void listing_reply_too_large(struct route_reply *out, uint64_t asked, uint64_t present)
{
    char message[ERROR_MESSAGE_BYTES];
    (void)snprintf(message, sizeof(message),
                   "Too large resource version: %" PRIu64 ", current: %" PRIu64, asked, present);
    failure_reply(out, &(struct failure){
                           .http_status = 504,
                           .reason = "Timeout",
                           .message = message,
                           .causes = "[{\"reason\":\"ResourceVersionTooLarge\","
                                     "\"message\":\"Too large resource version\"}]",
                           .retry_after_s = 1,
                       });
}

static void reply_expired(struct route_reply *out, const char *message, const char *token)
{
    failure_reply(out, &(struct failure){.http_status = 410,
                                         .reason = "Expired",
                                         .message = message,
                                         .continue_token = token});
}

/* The token of the reply leads on in whatever is the present then. */
static void reply_token_expired(const struct listing *listing, struct route_reply *out)
{
    cleanup_text struct text token;
    text_init(&token, CONTINUE_TOKEN_BYTES_MAX);
    struct continue_token inconsistent = listing->after;
    inconsistent.revision = 0;
    continue_token_append(&token, &inconsistent);
    reply_expired(out,
                  "The provided continue parameter is too old to display a consistent list result. "
                  "You can start a new list without the continue parameter, or use the continue "
                  "token in this response to retrieve the remainder of the results. Continuing "
                  "with the provided token results in an inconsistent list - objects that were "
                  "created, modified, or deleted between the time the first chunk was returned "
                  "and now may show up in the list.",
                  token.bytes);
}

static bool choose_continued(struct listing *listing, const char *token, struct route_reply *out)
{
    const struct objects *objects = apiserver_objects(listing->server);
    const char *version = url_get(listing->url, "resourceVersion");
    struct error error;
    if (version != NULL && version[0] != '\0' && strcmp(version, "0") != 0) {
        failure_bad_request(out, "specifying resource version is not allowed when using continue");
        return false;
    }
    if (!continue_token_parse(token, &listing->after, &error)) {
        failure_bad_request(out, error.message);
        return false;
    }
    uint64_t present = objects_revision(objects);
    listing->revision = listing->after.revision == 0 ? present : listing->after.revision;
    if (listing->revision > present) {
        failure_bad_request(out, "continue key is not valid: of another server");
        return false;
    }
    if (listing->revision < objects_compacted(objects)) {
        reply_token_expired(listing, out);
        return false;
    }
    return true;
}

/* An exact state: asked for by name, or, as since long before that could be done, by a limit. */
static bool choose_exact(struct listing *listing, uint64_t asked, struct route_reply *out)
{
    const struct objects *objects = apiserver_objects(listing->server);
    if (asked < objects_compacted(objects)) {
        char message[ERROR_MESSAGE_BYTES];
        (void)snprintf(message, sizeof(message),
                       "The resourceVersion for the provided list is too old: %" PRIu64, asked);
        reply_expired(out, message, NULL);
        return false;
    }
    listing->revision = asked;
    return true;
}

static bool check_match(const struct listing *listing, const char *match, uint64_t asked,
                        bool is_continued, struct route_reply *out)
{
    const char *wrong = NULL;
    bool is_exact = text_equal(match, "Exact");
    const char *reason = "FieldValueForbidden";
    if (is_continued) {
        wrong = "Forbidden: resourceVersionMatch is forbidden when continue is provided";
    } else if (url_get(listing->url, "resourceVersion") == NULL) {
        wrong = "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided";
    } else if (!is_exact && strcmp(match, "NotOlderThan") != 0) {
        wrong = "Unsupported value: supported values: \"Exact\", \"NotOlderThan\", \"\"";
        reason = "FieldValueNotSupported";
    } else if (is_exact && asked == 0) {
        wrong = "Forbidden: resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"";
    }
    if (wrong != NULL) {
        failure_invalid_option(out, "ListOptions", "resourceVersionMatch", reason, wrong);
    }
    return wrong == NULL;
}

static bool choose_state(struct listing *listing, struct route_reply *out)
{
    const char *token = url_get(listing->url, "continue");
    const char *match = url_get(listing->url, "resourceVersionMatch");
    bool is_continued = token != NULL && token[0] != '\0';
    bool has_match = match != NULL && match[0] != '\0';
    uint64_t asked;
    if (!listing_revision(listing->url, &asked, out) ||
        (has_match && !check_match(listing, match, asked, is_continued, out))) {
        return false;
    }
    if (is_continued) {
        return choose_continued(listing, token, out);
    }
    listing->revision = objects_revision(apiserver_objects(listing->server));
    if (asked > listing->revision) {
        listing_reply_too_large(out, asked, listing->revision);
        return false;
    }
    bool is_exact = has_match ? text_equal(match, "Exact") : asked > 0 && listing->limit > 0;
    return !is_exact || choose_exact(listing, asked, out);
}

/* ---- a page ---- */

static bool is_behind(const struct record *record, const struct continue_token *token)
{
    int order = strcmp(record->namespace, token->namespace);
    return order != 0 ? order > 0 : strcmp(record->name, token->name) > 0;
}

/* Those that match from the token on, in place; *out_count of them. */
static void select_records(const struct listing *listing, struct past *past)
{
    size_t count = 0;
    for (size_t i = 0; i < past->count; i++) {
        const struct record *record = past->records[i];
        if ((listing->after.name[0] == '\0' || is_behind(record, &listing->after)) &&
            filter_matches(&listing->filter, record)) {
            past->records[count++] = record;
        }
    }
    past->count = count;
}

static void append_page(const struct listing *listing, const struct rendering *rendering,
                        const struct past *past, struct text *body)
{
    struct list_metadata metadata = {.revision = listing->revision, .remaining_count = -1};
    size_t count = past->count;
    cleanup_text struct text token;
    text_init(&token, CONTINUE_TOKEN_BYTES_MAX);
    if (listing->limit > 0 && (uint64_t)listing->limit < count) {
        count = (size_t)listing->limit;
        struct continue_token next = {.revision = listing->revision};
        const struct record *last = past->records[count - 1];
        (void)snprintf(next.namespace, sizeof(next.namespace), "%s", last->namespace);
        (void)snprintf(next.name, sizeof(next.name), "%s", last->name);
        continue_token_append(&token, &next);
        metadata.continue_token = token.bytes;
        bool is_counted = listing->filter.requirements == NULL;
        metadata.remaining_count = is_counted ? (int64_t)(past->count - count) : -1;
    }
    rendering_append_list(rendering, body, listing->target->resource, &metadata, past->records,
                          count);
}

static void reply_page(const struct listing *listing, const struct rendering *rendering,
                       struct route_reply *out)
{
    struct past past;
    past_init(&past, apiserver_objects(listing->server), listing->target->resource,
              listing->target->namespace, listing->revision);
    select_records(listing, &past);
    cleanup_text struct text body;
    text_init(&body, ROUTE_BODY_BYTES_MAX);
    append_page(listing, rendering, &past, &body);
    past_release(&past);
    route_reply_take_text(out, 200, &body);
}

static bool parse_limit(struct listing *listing, struct route_reply *out)
{
    const char *text = url_get(listing->url, "limit");
    struct error error;
    if (text != NULL && text[0] != '\0' &&
        (!text_parse_int64(text, &listing->limit, &error) || listing->limit < 0)) {
        failure_bad_request(out, "limit is not a whole number, 0 or more");
        return false;
    }
    return true;
}

void listing_reply(struct apiserver *server, const struct target *target, const struct url *url,
                   const struct rendering *rendering, struct route_reply *out)
{
    struct listing listing = {.server = server, .target = target, .url = url};
    struct error error;
    if (!filter_parse(&listing.filter, target->resource, url_get(url, "labelSelector"),
                      url_get(url, "fieldSelector"), &error)) {
        failure_bad_request(out, error.message);
    } else if (parse_limit(&listing, out) && choose_state(&listing, out)) {
        reply_page(&listing, rendering, out);
    }
    filter_release(&listing.filter);
}
