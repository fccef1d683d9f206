/* SPDX-License-Identifier: Apache-2.0 */
/* Plays topics on one subject and counts their assertions. What fails is told on stderr with the
   request and how its reply differs. */
#ifndef ADJOINT_CONFORMANCE_STAGE_H
#define ADJOINT_CONFORMANCE_STAGE_H

#include "base/text.h"
#include "conformance/exchange.h"
#include "conformance/scene.h"
#include "conformance/subject.h"

struct tally {
    int passed, failed;
};

struct stage;

struct stage *stage_new(const struct subject *subject);
void stage_free(struct stage *stage);
const struct subject *stage_subject(const struct stage *stage);

struct tally stage_play(struct stage *stage, const struct topic *topic);

/* ---- for a topic's own function ---- */
const char *stage_namespace(const struct stage *stage);
/* Fills the gaps of path and body, sends, and waits. The reply is the stage's, until the next. */
const struct exchange *stage_send(struct stage *stage, const struct step *step);
/* Counts one assertion; the rest says what it was when it failed. Gives `holds` back. */
bool stage_check(struct stage *stage, bool holds, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
