/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen to one request of an operator, on its way there or on its way back: a row each,
   so that chance (faults.h) and an exhaustive run (exhaustive.h) draw from the same table. */
#ifndef ADJOINT_SIMULATION_MISHAP_H
#define ADJOINT_SIMULATION_MISHAP_H

#include "sim/link.h"

enum mishap {
    MISHAP_NONE,
    MISHAP_KILLED_BEFORE,  /* the operator dies; the write was not applied */
    MISHAP_KILLED_APPLIED, /* it dies before the reply is read */
    MISHAP_STOPPED,        /* SIGTERM as the write arrives */
    MISHAP_LOST_REQUEST,   /* not applied, and the connection ends */
    MISHAP_LOST_REPLY,     /* applied, and the connection ends */
    MISHAP_MUTE_REQUEST,   /* the same two, found out by the deadline */
    MISHAP_MUTE_REPLY,
    MISHAP_TORN_REPLY, /* half of it comes */
    MISHAP_LATE,       /* the connection ends; the write is applied up to half a minute after */
    MISHAP_UNREACHABLE,
    MISHAP_UNAUTHORIZED,
    MISHAP_FORBIDDEN,
    MISHAP_CONFLICT,
    MISHAP_INVALID,
    MISHAP_THROTTLED,
    MISHAP_INTERNAL,
    MISHAP_UNAVAILABLE,
    MISHAP_TIMEOUT,         /* 504, not applied */
    MISHAP_TIMEOUT_APPLIED, /* 504, applied */
    MISHAP_COUNT,
};

enum mishap_family { FAMILY_OF_DEATHS, FAMILY_OF_LOSSES, FAMILY_OF_REFUSALS };

struct mishap_row {
    const char *name; /* as on the command line */
    enum mishap_family family;
    bool is_after; /* decided when the request was applied; else as it arrives */
    bool is_of_writes_only;
    enum link_fate fate;
    struct link_refusal refusal; /* with LINK_REFUSE */
};

const struct mishap_row *mishap_row(enum mishap mishap);
/* MISHAP_NONE: there is none of that name. */
enum mishap mishap_find(const char *name);

#endif
