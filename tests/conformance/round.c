/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of a round is not in the way of the next. */
#include "conformance/round.h"

#include "base/limits.h"
#include "base/memory.h"
#include "conformance/exchange.h"
#include "conformance/expectation.h"
#include "conformance/listener.h"

#include <stdio.h>
#include <string.h>

#define CLASSES "/apis/storage.k8s.io/v1/storageclasses"

enum {
    PATH_BYTES = 128,
    BETWEEN_MS = 500,
    AWAITED_MS = 10 * 60 * 1000, /* no measure: who is never Bound must come to an end */
};

/* ---- what is seen ---- */

static bool text_at(const char *json, const char *path, struct text *out)
{
    text_clear(out);
    return expectation_find(json, path, out);
}

/* The number behind `beginning` and a dash; NULL: it is none of ours. */
static struct claim *claim_of(struct round *round, const char *name, const char *beginning)
{
    int64_t number = 0;
    struct error ignored;
    size_t length = strlen(beginning);
    bool ours = text_starts_with(name, beginning) && name[length] == '-' &&
                text_parse_int64(name + length + 1, &number, &ignored) && number >= 0 &&
                number < round->count;
    return ours ? &round->claims[number] : NULL;
}

static void see_volume(struct round *round, const char *name, const char *phase)
{
    struct claim *claim = claim_of(round, name, round->scope);
    if (claim != NULL) {
        claim->is_volume_bound = text_equal(phase, "Bound");
        claim->is_volume_released = text_equal(phase, "Released");
    }
}

static void see_claim(struct round *round, const char *name, const char *phase, bool is_gone)
{
    struct claim *holding = claim_of(round, name, "holding");
    struct claim *claim = claim_of(round, name, "claim");
    if (holding != NULL) {
        holding->is_holding_bound = text_equal(phase, "Bound");
        holding->is_holding_gone = is_gone;
    }
    if (claim != NULL) {
        claim->is_bound = text_equal(phase, "Bound");
    }
}

static void see(struct round *round, struct listener *listener)
{
    cleanup_text struct text line;
    cleanup_text struct text name;
    cleanup_text struct text phase;
    cleanup_text struct text type;
    text_init(&line, LIMIT_OBJECT_BYTES);
    text_init(&name, LIMIT_OBJECT_BYTES);
    text_init(&phase, LIMIT_OBJECT_BYTES);
    text_init(&type, LIMIT_OBJECT_BYTES);
    for (; listener_next(listener, &line); text_clear(&line)) {
        (void)text_at(line.bytes, "type", &type);
        (void)text_at(line.bytes, "object.metadata.name", &name);
        (void)text_at(line.bytes, "object.status.phase", &phase);
        if (listener == round->volumes) {
            see_volume(round, name.bytes, phase.bytes);
        } else {
            see_claim(round, name.bytes, phase.bytes, text_equal(type.bytes, "DELETED"));
        }
    }
}

/* ---- moves ---- */

static bool step_all(void *self)
{
    struct round *round = self;
    bool all = true;
    see(round, round->volumes);
    see(round, round->namespaced);
    for (int i = 0; i < round->count; i++) {
        all = round->step(&round->claims[i]) && all;
    }
    return all;
}

static void run(struct round *round, bool (*step)(struct claim *claim))
{
    round->step = step;
    (void)round->subject->pass(round->subject->self, AWAITED_MS, step_all, round);
}

void round_move(struct round *round)
{
    run(round, claim_move_step);
}

void round_move_in_turn(struct round *round)
{
    int count = round->count;
    for (round->count = 1; round->count <= count; round->count++) {
        run(round, claim_move_step);
        subject_rest(round->subject, BETWEEN_MS);
    }
    round->count = count;
}

/* ---- life ---- */

static void post(const struct subject *subject, const char *path, const char *body,
                 const char *scope)
{
    cleanup_exchange struct exchange exchange = exchange_none();
    cleanup_text struct text filled;
    struct words words;
    text_init(&filled, LIMIT_OBJECT_BYTES);
    words_init(&words);
    words_set(&words, "s", scope);
    words_fill(&words, body, &filled);
    exchange_run(&exchange, subject,
                 &(struct request){.method = METHOD_POST, .path = path, .body = filled.bytes});
    words_release(&words);
}

void round_make_scope(const struct subject *subject, const char *scope)
{
    post(subject, "/api/v1/namespaces", "{'metadata':{'name':'$s'}}", scope);
    post(subject, CLASSES, "{'metadata':{'name':'$s'},'provisioner':'nobody.example.com'}", scope);
    post(subject, CLASSES,
         "{'metadata':{'name':'$s-inert'},'provisioner':'kubernetes.io/no-provisioner',"
         "'volumeBindingMode':'WaitForFirstConsumer'}",
         scope);
}

struct round *round_new(const struct subject *subject, const char *scope, enum claim_order order,
                        int count)
{
    char path[PATH_BYTES];
    struct round *round = memory_new(1, sizeof(*round));
    round->subject = subject;
    round->scope = scope;
    round->count = count;
    round_make_scope(subject, scope);
    (void)snprintf(path, sizeof(path), "/api/v1/namespaces/%s/persistentvolumeclaims?watch=1",
                   scope);
    round->namespaced = listener_open(subject, path, NULL);
    (void)snprintf(path, sizeof(path),
                   "/api/v1/persistentvolumes?watch=1&labelSelector=scope%%3D%s", scope);
    round->volumes = listener_open(subject, path, NULL);
    for (int i = 0; i < count; i++) {
        claim_init(&round->claims[i], subject, scope, i, order);
    }
    run(round, claim_prepare_step);
    return round;
}

void round_free(struct round *round)
{
    listener_free(round->namespaced);
    listener_free(round->volumes);
    for (int i = 0; i < round->count; i++) {
        claim_release(&round->claims[i]);
    }
    memory_free(round);
}
