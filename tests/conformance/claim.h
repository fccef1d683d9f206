/* SPDX-License-Identifier: Apache-2.0 */
/* One warm volume on its way to another claim, by one of the orders of doing it, and how long it
   takes until that claim is Bound. Steps without waiting, so that many go at once. */
#ifndef ADJOINT_CONFORMANCE_CLAIM_H
#define ADJOINT_CONFORMANCE_CLAIM_H

#include "base/text.h"
#include "conformance/subject.h"
#include "conformance/words.h"

/* ORDER_BARE: nothing is claimed, two objects are written that no controller looks at. */
enum claim_order { ORDER_BARE, ORDER_SEED, ORDER_RELEASE, ORDER_SWAP, ORDER_COUNT };
const char *claim_order_name(enum claim_order order);

struct claim {
    const struct subject *subject;
    enum claim_order order;
    /* What is seen of its objects, by whoever watches. */
    bool is_volume_bound, is_volume_released, is_holding_bound, is_holding_gone, is_bound;
    int64_t took_ms; /* 0: it is not Bound yet */
    bool has_failed;
    struct text failure; /* what was refused */
    /* Private. */
    struct words words;
    int at;
    bool is_running, has_reply;
    int http_status;
    struct text reply;
    int64_t began_ms;
};

/* scope: namespace, class, and beginning of the volumes' names; copied. */
void claim_init(struct claim *claim, const struct subject *subject, const char *scope, int number,
                enum claim_order order);
void claim_release(struct claim *claim);

/* Makes volume and holding claim; false: not both Bound yet. */
bool claim_prepare_step(struct claim *claim);
/* false: not Bound yet. The first call begins. A request that is refused is its failure, and its
   end. */
bool claim_move_step(struct claim *claim);

#endif
