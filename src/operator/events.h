/* SPDX-License-Identifier: Apache-2.0 */
/* Kubernetes Events (events.k8s.io/v1) for what changes in the conditions of Pools and Instances,
   and for volumes that ask for a person. For people alone: nothing depends on them, none is sent
   twice, and when they come too fast some are left out. One that repeats becomes a series of the
   first, told at most once a minute. */
#ifndef ADJOINT_SRC_OPERATOR_EVENTS_H
#define ADJOINT_SRC_OPERATOR_EVENTS_H

#include "api/object.h"
#include "base/map.h"
#include "base/now.h"
#include "kube/client.h"

struct noted_event;

struct events {
    char *instance;                         /* reportingInstance; NULL: no Events are made at all */
    struct noted_event *noted, *noted_last; /* to be sent at the next step */
    size_t noted_count;
    struct map told; /* what was told of which object, to struct told_event * */
    uint64_t left_out;
};

/* instance NULL: none are made. */
void events_init(struct events *events, const char *instance);
void events_release(struct events *events);

/* A change of the store, as its listener is told: only notes. */
void events_changed(struct events *events, const struct object *before, const struct object *after);
/* Something about an object that no condition says. */
void events_note_warning(struct events *events, const struct object *about, const char *action,
                         const char *reason, const char *text);
/* Sends what was noted. */
void events_step(struct events *events, struct client *client, struct now now);

#endif
