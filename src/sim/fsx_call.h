/* SPDX-License-Identifier: Apache-2.0 */
/* One RPC in the FSx driver, and how it asks AWS. For the driver's own files. */
#ifndef ADJOINT_SIM_FSX_CALL_H
#define ADJOINT_SIM_FSX_CALL_H

#include "sim/fsx_driver.h"
#include "sim/fsx_parameters.h"

struct fsx_driver {
    struct world *world;
    struct fsx *fsx;
    const struct pace *pace;
    const struct misfortune *misfortune;
    struct csi_call *first;
};

struct csi_call {
    struct fsx_driver *driver;
    struct csi_call *previous, *next;
    struct csi_answer answer; /* done is NULL once the caller left */
    struct world_event *event;

    /* What it is about; each kind of RPC uses its part. */
    bool holds_name; /* in flight: another call of the name is Aborted */
    char *name, *handle, *source;
    struct fsx_parameters parameters;
    bool deletes_children;
    int64_t created_ms;
    struct csi_reply reply; /* if it is over before AWS is asked */

    /* The AWS call it is in. */
    enum fsx_code (*operation)(struct csi_call *call);
    void (*then)(struct csi_call *call, enum fsx_code code);
    int attempt;

    /* The wait for AVAILABLE. */
    int64_t waits_since_ms;
    enum fsx_lifecycle lifecycle;
};

struct csi_call *csi_call_new(struct fsx_driver *driver, struct csi_answer answer);
void csi_call_free(struct csi_call *call);
/* Another call holds this name. */
bool fsx_driver_is_busy(const struct fsx_driver *driver, const char *name);

/* The call is over with the reply; it is gone when this returns. */
void csi_call_reply(struct csi_call *call, const struct csi_reply *reply);
void csi_call_fail(struct csi_call *call, enum csi_code code, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* The same from within the function that hands the call out: answered by an event of its own. */
void csi_call_fail_soon(struct csi_call *call, enum csi_code code, const char *message);

/* Asks AWS by operation(call), again while it is throttled; then(call, code) gets the end of it. */
void csi_call_ask(struct csi_call *call, enum fsx_code (*operation)(struct csi_call *call),
                  void (*then)(struct csi_call *call, enum fsx_code code));
/* As csi_call_ask, at the driver's next look: each poll since the wait began. false: it has waited
   as long as it does. */
bool csi_call_ask_at_next_look(struct csi_call *call,
                               enum fsx_code (*operation)(struct csi_call *call),
                               void (*then)(struct csi_call *call, enum fsx_code code));
void csi_call_begin_wait(struct csi_call *call);

#endif
