/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses as kube-apiserver words them, because the operator classifies by reason, too. */
#include "simulation/mishap.h"

#include "base/text.h"

#include <assert.h>

#define REFUSED(status, seconds, word)                                                             \
    .fate = LINK_REFUSE,                                                                           \
    .refusal = {.http_status = (status), .retry_after_s = (seconds), .reason = (word)}

static const struct mishap_row rows[MISHAP_COUNT] = {
    [MISHAP_NONE] = {.name = "none"},
    [MISHAP_KILLED_BEFORE] = {.name = "killed-before",
                              .family = FAMILY_OF_DEATHS,
                              .is_of_writes_only = true,
                              .fate = LINK_LOST},
    [MISHAP_KILLED_APPLIED] = {.name = "killed-applied",
                               .family = FAMILY_OF_DEATHS,
                               .is_after = true,
                               .is_of_writes_only = true,
                               .fate = LINK_LOST},
    [MISHAP_STOPPED] = {.name = "stopped", .family = FAMILY_OF_DEATHS, .is_of_writes_only = true},
    [MISHAP_LOST_REQUEST] = {.name = "lost-request", .family = FAMILY_OF_LOSSES, .fate = LINK_LOST},
    [MISHAP_LOST_REPLY] = {.name = "lost-reply",
                           .family = FAMILY_OF_LOSSES,
                           .is_after = true,
                           .fate = LINK_LOST},
    [MISHAP_MUTE_REQUEST] = {.name = "mute-request", .family = FAMILY_OF_LOSSES, .fate = LINK_MUTE},
    [MISHAP_MUTE_REPLY] = {.name = "mute-reply",
                           .family = FAMILY_OF_LOSSES,
                           .is_after = true,
                           .fate = LINK_MUTE},
    [MISHAP_TORN_REPLY] = {.name = "torn-reply",
                           .family = FAMILY_OF_LOSSES,
                           .is_after = true,
                           .fate = LINK_TORN},
    [MISHAP_LATE] = {.name = "late",
                     .family = FAMILY_OF_LOSSES,
                     .is_of_writes_only = true,
                     .fate = LINK_LOST},
    [MISHAP_UNREACHABLE] = {.name = "unreachable",
                            .family = FAMILY_OF_LOSSES,
                            .fate = LINK_UNREACHABLE},
    [MISHAP_UNAUTHORIZED] = {.name = "unauthorized",
                             .family = FAMILY_OF_REFUSALS,
                             REFUSED(401, 0, "Unauthorized")},
    [MISHAP_FORBIDDEN] = {.name = "forbidden",
                          .family = FAMILY_OF_REFUSALS,
                          REFUSED(403, 0, "Forbidden")},
    [MISHAP_CONFLICT] = {.name = "conflict",
                         .family = FAMILY_OF_REFUSALS,
                         .is_of_writes_only = true,
                         REFUSED(409, 0, "Conflict")},
    [MISHAP_INVALID] = {.name = "invalid",
                        .family = FAMILY_OF_REFUSALS,
                        .is_of_writes_only = true,
                        REFUSED(422, 0, "Invalid")},
    [MISHAP_THROTTLED] = {.name = "throttled",
                          .family = FAMILY_OF_REFUSALS,
                          REFUSED(429, 1, "TooManyRequests")},
    [MISHAP_INTERNAL] = {.name = "internal",
                         .family = FAMILY_OF_REFUSALS,
                         REFUSED(500, 0, "InternalError")},
    [MISHAP_UNAVAILABLE] = {.name = "unavailable",
                            .family = FAMILY_OF_REFUSALS,
                            REFUSED(503, 0, "ServiceUnavailable")},
    [MISHAP_TIMEOUT] = {.name = "timeout",
                        .family = FAMILY_OF_REFUSALS,
                        REFUSED(504, 0, "Timeout")},
    [MISHAP_TIMEOUT_APPLIED] = {.name = "timeout-applied",
                                .family = FAMILY_OF_REFUSALS,
                                .is_after = true,
                                .is_of_writes_only = true,
                                REFUSED(504, 0, "Timeout")},
};

const struct mishap_row *mishap_row(enum mishap mishap)
{
    assert(mishap < MISHAP_COUNT);
    return &rows[mishap];
}

enum mishap mishap_find(const char *name)
{
    for (int mishap = MISHAP_NONE + 1; mishap < MISHAP_COUNT; mishap++) {
        if (text_equal(rows[mishap].name, name)) {
            return (enum mishap)mishap;
        }
    }
    return MISHAP_NONE;
}
