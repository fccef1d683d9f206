/* SPDX-License-Identifier: Apache-2.0 */
/* Through the client that adj uses, so that requests take the time that they take the operator. */
#include "demo/errand.h"

#include "base/limits.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEADLINE_MS = 60 * 1000 };

static const char *value_of(const struct errand *errand, char letter)
{
    switch (letter) {
    case 'N':
        return errand->name;
    case 'S':
        return errand->namespace;
    case 'V':
        return errand->volume;
    default:
        return errand->holding;
    }
}

static void fill_in(const struct errand *errand, const char *template, struct text *out)
{
    for (const char *at = template; *at != '\0'; at++) {
        if (*at == '$') {
            at++;
            text_append(out, value_of(errand, *at));
        } else {
            text_append_char(out, *at == '\'' ? '"' : *at);
        }
    }
}

static void refuse(const struct errand *errand, const char *problem)
{
    (void)fprintf(stderr, "comparison: %s, %s %s: %s\n", errand->name,
                  method_name(errand->step->method), errand->step->path, problem);
    exit(EXIT_FAILURE);
}

static void send(void *self);

static enum errand_verdict judge(struct errand *errand, const struct reply *reply)
{
    if (errand->step->judge == NULL) {
        return ERRAND_GOES_ON;
    }
    if (reply->http_status == 404) {
        return errand->step->judge(errand, NULL);
    }
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!json_parse(reply->body, reply->body_bytes, &document, &error)) {
        refuse(errand, error.message);
    }
    return errand->step->judge(errand, json_root(document));
}

static void take_reply(void *self, const struct reply *reply)
{
    struct errand *errand = self;
    bool is_missing = reply->http_status == 404 && errand->step->judge != NULL;
    if (reply->error.class != ERROR_NONE && !is_missing) {
        refuse(errand, reply->error.message);
    }
    enum errand_verdict verdict = judge(errand, reply);
    if (verdict == ERRAND_ASKS_AGAIN) {
        (void)world_after(errand->world, errand->step->pause_ms, send, errand);
        return;
    }
    errand->step++;
    if (verdict == ERRAND_IS_LOST || errand->step->path == NULL) {
        errand->ended(errand, verdict == ERRAND_IS_LOST);
        return;
    }
    send(errand);
}

static void send(void *self)
{
    struct errand *errand = self;
    const struct errand_step *step = errand->step;
    cleanup_text struct text path;
    cleanup_text struct text body;
    text_init(&path, LIMIT_BODY_BYTES);
    text_init(&body, LIMIT_BODY_BYTES);
    fill_in(errand, step->path, &path);
    fill_in(errand, step->body != NULL ? step->body : "", &body);
    struct request request = {
        .method = step->method,
        .path = path.bytes,
        .content_type = step->body == NULL             ? NULL
                        : step->method == METHOD_PATCH ? "application/merge-patch+json"
                                                       : "application/json",
        .body = step->body == NULL ? NULL : body.bytes,
        .body_bytes = body.length_bytes,
        .deadline_ms = DEADLINE_MS,
    };
    client_send(errand->client, &request, CLIENT_URGENT, false, take_reply, errand);
    client_step(errand->client, world_now(errand->world));
}

void errand_start(struct errand *errand)
{
    send(errand);
}
