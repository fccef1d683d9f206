/* SPDX-License-Identifier: Apache-2.0 */
/* The text is compared, not the class: "no such file" becoming "certificate 1 is cut short" is the
   news that somebody looks for. */
#include "io/complaint.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <stddef.h>

void complaint_release(struct complaint *complaint)
{
    memory_free(complaint->reason);
    complaint->reason = NULL;
}

void complaint_raise(struct complaint *complaint, const struct error *error, int64_t wall_ms)
{
    assert(error->class != ERROR_NONE);

    if (text_equal(complaint->reason, error->message)) {
        return;
    }
    log_write(LOG_WARNING, wall_ms, complaint->warning, "reason", error->message, NULL);
    memory_free(complaint->reason);
    complaint->reason = memory_copy_text(error->message);
}

void complaint_settle(struct complaint *complaint, int64_t wall_ms)
{
    if (complaint->reason == NULL) {
        return;
    }
    log_write(LOG_INFO, wall_ms, "this is over", "warning", complaint->warning, "reason",
              complaint->reason, NULL);
    complaint_release(complaint);
}
