/* SPDX-License-Identifier: Apache-2.0 */
/* A process that hangs does not answer at all, so what is left to look for is a watch that believes
   all is well while nothing comes. */
#include "operator/telemetry.h"

#include "api/kind.h"
#include "base/error.h"
#include "operator/state.h"

/* A watch is begun anew after one silence, and a list may take as long again, twice. */
#define SILENCES_MAX 4

bool operator_write_health(const struct operator* op, struct now now, struct text *out)
{
    bool healthy = true;
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        const struct informer *informer = op->informers[kind];
        const struct error *error = informer_error(informer);
        int64_t silence_ms = now.mono_ms - informer_last_contact(informer);
        bool stuck = informer_last_contact(informer) != 0 && error->class == ERROR_NONE &&
                     silence_ms > SILENCES_MAX * op->informer_options.watch_silence_ms;
        text_print(out, "%s %s: last contact %.1f s ago%s%s\n", stuck ? "STUCK" : "ok",
                   kind_of((enum object_kind)kind)->kind, (double)silence_ms / 1000,
                   error->class == ERROR_NONE ? "" : ", then: ",
                   error->class == ERROR_NONE ? "" : error->message);
        healthy = healthy && !stuck;
    }
    return healthy;
}

bool operator_write_readiness(const struct operator* op, struct text *out)
{
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        const struct informer *informer = op->informers[kind];
        if (!informer_synced(informer)) {
            const struct error *error = informer_error(informer);
            text_print(out, "%s is not listed yet%s%s\n", kind_of((enum object_kind)kind)->kind,
                       error->class == ERROR_NONE ? "" : ": ",
                       error->class == ERROR_NONE ? "" : error->message);
        }
    }
    if (op->synced) {
        text_append(out, "ok\n");
    }
    return op->synced;
}
