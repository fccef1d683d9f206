/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/stage.h"

#include "base/limits.h"
#include "base/memory.h"
#include "conformance/expectation.h"
#include "conformance/listener.h"
#include "conformance/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LOOKS_MAX = 2400,
    LOOK_EACH_MS = 50,
    LINE_AWAITED_MS = 120 * 1000, /* no measure: who hears nothing must come to an end */
    SHOWN_BYTES = 1500,           /* of a reply that differs */
};

struct stage {
    const struct subject *subject;
    struct tally tally;
    const char *topic, *scene;
    int scene_number; /* of all */
    struct words words;
    struct exchange exchange;
    struct listener *listener;
    struct text difference;
};

struct stage *stage_new(const struct subject *subject)
{
    struct stage *stage = memory_new(1, sizeof(*stage));
    stage->subject = subject;
    stage->exchange = exchange_none();
    text_init(&stage->difference, LIMIT_BODY_BYTES);
    words_init(&stage->words);
    return stage;
}

void stage_free(struct stage *stage)
{
    listener_free(stage->listener);
    words_release(&stage->words);
    exchange_release(&stage->exchange);
    text_release(&stage->difference);
    memory_free(stage);
}

const struct subject *stage_subject(const struct stage *stage)
{
    return stage->subject;
}

const char *stage_namespace(const struct stage *stage)
{
    return words_get(&stage->words, "ns");
}

bool stage_check(struct stage *stage, bool holds, const char *format, ...)
{
    va_list arguments;
    if (holds) {
        stage->tally.passed++;
        return true;
    }
    stage->tally.failed++;
    (void)fprintf(stderr, "FAILED  %s: %s: %s: ", stage->subject->name, stage->topic, stage->scene);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return false;
}

/* ---- steps ---- */

static void fill(const struct stage *stage, const char *text, struct text *out)
{
    text_init(out, LIMIT_BODY_BYTES);
    if (text != NULL) {
        words_fill(&stage->words, text, out);
    }
}

const struct exchange *stage_send(struct stage *stage, const struct step *step)
{
    cleanup_text struct text path;
    cleanup_text struct text body;
    fill(stage, step->path, &path);
    fill(stage, step->body, &body);
    exchange_run(&stage->exchange, stage->subject,
                 &(struct request){
                     .method = step->method,
                     .path = path.bytes,
                     .body = step->body == NULL ? NULL : body.bytes,
                     .content_type = step->content_type,
                     .accept = step->accept,
                 });
    return &stage->exchange;
}

/* Says in stage->difference what is wrong. */
static bool is_as_said(struct stage *stage, const struct step *step, const char *actual)
{
    cleanup_text struct text expected;
    fill(stage, step->expected, &expected);
    return step->expected == NULL || expectation_is_met(expected.bytes, actual, &stage->difference);
}

static bool reply_is_as_said(struct stage *stage, const struct step *step)
{
    const struct exchange *exchange = &stage->exchange;
    text_clear(&stage->difference);
    if (exchange->http_status != step->http_status) {
        text_print(&stage->difference, "expected %d, came %d %s", step->http_status,
                   exchange->http_status, exchange->error.message);
        return false;
    }
    return is_as_said(stage, step, exchange->body.bytes);
}

static bool send(struct stage *stage, const struct step *step)
{
    cleanup_text struct text path;
    fill(stage, step->path, &path);
    (void)stage_send(stage, step);
    bool met = reply_is_as_said(stage, step);
    for (int look = 1; !met && step->act == ACT_AWAIT && look < LOOKS_MAX; look++) {
        subject_rest(stage->subject, LOOK_EACH_MS);
        (void)stage_send(stage, step);
        met = reply_is_as_said(stage, step);
    }
    return stage_check(stage, met, "%s %s: %s\n        %.*s", method_name(step->method), path.bytes,
                       stage->difference.bytes, (int)SHOWN_BYTES, stage->exchange.body.bytes);
}

static bool keep(struct stage *stage, const struct step *step)
{
    cleanup_text struct text value;
    text_init(&value, LIMIT_BODY_BYTES);
    if (!expectation_find(stage->exchange.body.bytes, step->where, &value)) {
        return stage_check(stage, false, "no %s in %s", step->where, stage->exchange.body.bytes);
    }
    words_set(&stage->words, step->word, value.bytes);
    return true;
}

static bool watch(struct stage *stage, const struct step *step)
{
    cleanup_text struct text path;
    fill(stage, step->path, &path);
    listener_free(stage->listener);
    stage->listener = listener_open(stage->subject, path.bytes, step->accept);
    int http_status = listener_http_status(stage->listener);
    return stage_check(stage, http_status == step->http_status, "watch %s: %d %s", path.bytes,
                       http_status, listener_error(stage->listener)->message);
}

static bool hear(struct stage *stage, const struct step *step)
{
    cleanup_text struct text line;
    text_init(&line, LIMIT_OBJECT_BYTES);
    if (!listener_take(stage->listener, LINE_AWAITED_MS, &line)) {
        return stage_check(stage, false, "the watch does not say %s (it ended: %s)", step->expected,
                           listener_error(stage->listener)->message);
    }
    text_clear(&stage->difference);
    return stage_check(stage, is_as_said(stage, step, line.bytes), "the watch: %s\n        %.*s",
                       stage->difference.bytes, (int)SHOWN_BYTES, line.bytes);
}

static bool silence(struct stage *stage, const struct step *step)
{
    cleanup_text struct text line;
    text_init(&line, LIMIT_OBJECT_BYTES);
    bool spoke = listener_take(stage->listener, step->for_ms, &line);
    return stage_check(stage, !spoke, "the watch says %.*s", (int)SHOWN_BYTES, line.bytes);
}

static bool ended(struct stage *stage)
{
    bool in_order = listener_await_end(stage->listener, LINE_AWAITED_MS) &&
                    listener_error(stage->listener)->class == ERROR_NONE;
    return stage_check(stage, in_order, "the watch does not end in order: %s",
                       listener_error(stage->listener)->message);
}

static bool compact(struct stage *stage)
{
    struct error error = {0};
    return stage->subject->compact(stage->subject->self, &error) ||
           stage_check(stage, false, "%s", error.message);
}

static bool take_step(struct stage *stage, const struct step *step)
{
    switch (step->act) {
    case ACT_SEND:
    case ACT_AWAIT:
        return send(stage, step);
    case ACT_KEEP:
        return keep(stage, step);
    case ACT_REST:
        subject_rest(stage->subject, step->for_ms);
        return true;
    case ACT_WATCH:
        return watch(stage, step);
    case ACT_HEAR:
        return hear(stage, step);
    case ACT_SILENCE:
        return silence(stage, step);
    case ACT_ENDED:
        return ended(stage);
    case ACT_COMPACT:
        return compact(stage);
    case ACT_NONE:
        return true;
    }
    return false;
}

static bool is_assertion(const struct step *step)
{
    return step->act != ACT_KEEP && step->act != ACT_REST && step->act != ACT_COMPACT;
}

/* ---- scenes ---- */

static bool begin_scene(struct stage *stage, const char *scene)
{
    static const struct step make =
        POST("/api/v1/namespaces", "{'metadata':{'name':'$ns'}}", 201, NULL);
    char namespace[64];
    (void)snprintf(namespace, sizeof(namespace), "scene-%s-%d", stage->subject->tag,
                   ++stage->scene_number);
    stage->scene = scene;
    words_release(&stage->words);
    words_init(&stage->words);
    words_set(&stage->words, "ns", namespace);
    words_set(&stage->words, "core",
              arena_print(&stage->words.arena, "/api/v1/namespaces/%s", namespace));
    words_set(&stage->words, "classes", "/apis/storage.k8s.io/v1/storageclasses");
    words_set(&stage->words, "volumes", "/api/v1/persistentvolumes");
    words_set(
        &stage->words, "ours",
        arena_print(&stage->words.arena, "/apis/adjoint.dev/v1alpha1/namespaces/%s", namespace));
    (void)stage_send(stage, &make);
    return reply_is_as_said(stage, &make) || stage_check(stage, false, "no namespace");
}

static void end_scene(struct stage *stage)
{
    listener_free(stage->listener);
    stage->listener = NULL;
}

static void play_scene(struct stage *stage, const struct scene *scene)
{
    bool goes_on = begin_scene(stage, scene->name);
    for (const struct step *step = scene->steps; step->act != ACT_NONE; step++) {
        if (goes_on) {
            goes_on = take_step(stage, step);
        } else {
            stage->tally.failed += is_assertion(step);
        }
    }
    end_scene(stage);
}

struct tally stage_play(struct stage *stage, const struct topic *topic)
{
    stage->tally = (struct tally){0};
    stage->topic = topic->name;
    for (const struct scene *scene = topic->scenes; scene != NULL && scene->name != NULL; scene++) {
        play_scene(stage, scene);
    }
    if (topic->play != NULL && begin_scene(stage, "-")) {
        topic->play(stage);
        end_scene(stage);
    }
    return stage->tally;
}
