/* SPDX-License-Identifier: Apache-2.0 */
/* A warning about something that goes on (a file that cannot be read again, a plugin that fails):
   logged when it begins and when it becomes another, not each time it is seen. */
#ifndef ADJOINT_IO_COMPLAINT_H
#define ADJOINT_IO_COMPLAINT_H

#include "base/error.h"

#include <stdint.h>

struct complaint {
    const char *warning; /* static: "X failed, Y stays in use" */
    char *reason;        /* what was logged last; NULL: all is well */
};

void complaint_release(struct complaint *complaint);

void complaint_raise(struct complaint *complaint, const struct error *error, int64_t wall_ms);

/* All is well; says so if it was not. */
void complaint_settle(struct complaint *complaint, int64_t wall_ms);

#endif
