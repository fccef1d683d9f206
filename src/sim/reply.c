/* SPDX-License-Identifier: Apache-2.0 */
/* An object's text is printed once however often it is sent: replies and watches point at it. */
#include "sim/reply.h"

#include "base/memory.h"

#include <string.h>

static const char json_type[] = "application/json";

void route_reply_release(struct route_reply *reply)
{
    record_release(reply->record);
    memory_free(reply->text);
    *reply = (struct route_reply){0};
}

void route_reply_take_text(struct route_reply *reply, int http_status, struct text *body)
{
    size_t body_bytes = body->length_bytes;
    char *taken = text_take(body);
    *reply = (struct route_reply){
        .http_status = http_status,
        .content_type = json_type,
        .body = taken,
        .body_bytes = body_bytes,
        .text = taken,
    };
}

void route_reply_plain(struct route_reply *reply, int http_status, const char *static_text)
{
    *reply = (struct route_reply){
        .http_status = http_status,
        .content_type = "text/plain; charset=utf-8",
        .body = static_text,
        .body_bytes = strlen(static_text),
    };
}

void route_reply_record(struct route_reply *reply, int http_status, const struct record *record)
{
    const char *text = record_text(record);
    *reply = (struct route_reply){
        .http_status = http_status,
        .content_type = json_type,
        .body = text,
        .body_bytes = strlen(text),
        .record = record_keep(record),
    };
}
