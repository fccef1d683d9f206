/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/outage.h"

#include "base/memory.h"
#include "io/process.h"

#include <stddef.h>

enum { PAUSED_MS = 5000, KILLED_MS = 2000, SCRIPT_DEADLINE_MS = 120000, OUTPUT_BYTES = 4096 };

enum phase { PHASE_IDLE, PHASE_BREAKING, PHASE_ON, PHASE_MENDING, PHASE_BROKEN };

struct outage {
    struct loop *loop;
    const char *script;
    struct process *process; /* one that has ended is freed with the next */
    enum phase phase, next;
    bool restart;
    int64_t until_ms; /* mono; 0: not known yet */
};

struct outage *outage_new(struct loop *loop, const char *script)
{
    struct outage *outage = memory_new(1, sizeof(*outage));
    outage->loop = loop;
    outage->script = script;
    return outage;
}

void outage_free(struct outage *outage)
{
    process_free(outage->process);
    memory_free(outage);
}

static void on_end(void *self, const char *output, const struct error *error)
{
    struct outage *outage = self;
    (void)output;
    outage->phase = error->class == ERROR_NONE ? outage->next : PHASE_BROKEN;
    outage->until_ms = 0;
}

static void run(struct outage *outage, const char *action, enum phase meanwhile, enum phase next)
{
    const char *const arguments[] = {action, NULL};
    const char *const variables[] = {NULL};
    struct process_request request = {.command = outage->script,
                                      .arguments = arguments,
                                      .variables = variables,
                                      .deadline_ms = SCRIPT_DEADLINE_MS,
                                      .output_bytes_max = OUTPUT_BYTES};
    process_free(outage->process);
    outage->phase = meanwhile;
    outage->next = next;
    outage->process = process_start(outage->loop, &request, on_end, outage);
}

void outage_begin(struct outage *outage, bool restart)
{
    outage->restart = restart;
    if (outage->script == NULL) {
        outage->phase = PHASE_BROKEN;
        return;
    }
    run(outage, restart ? "kill" : "pause", PHASE_BREAKING, PHASE_ON);
}

void outage_step(struct outage *outage, struct now now)
{
    if (outage->phase != PHASE_ON) {
        return;
    }
    if (outage->until_ms == 0) {
        outage->until_ms = now.mono_ms + (outage->restart ? KILLED_MS : PAUSED_MS);
    } else if (now.mono_ms >= outage->until_ms) {
        run(outage, outage->restart ? "start" : "resume", PHASE_MENDING, PHASE_IDLE);
    }
}

bool outage_idle(const struct outage *outage)
{
    return outage->phase == PHASE_IDLE;
}

bool outage_is_on(const struct outage *outage)
{
    return outage->phase == PHASE_ON;
}

bool outage_failed(const struct outage *outage)
{
    return outage->phase == PHASE_BROKEN;
}
