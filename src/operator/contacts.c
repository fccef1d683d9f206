/* SPDX-License-Identifier: Apache-2.0 */
/* What cannot be followed is said once, and once more when it can: an operator whose credentials
   are refused, or that lacks a right or a definition, would do nothing and say nothing. A
   connection that ends is nothing to tell: it is made anew. */
#include "operator/state.h"

#include "api/kind.h"
#include "base/log.h"

static bool is_refusal(enum error_class class)
{
    return class == ERROR_UNAUTHORIZED || class == ERROR_FORBIDDEN || class == ERROR_NOT_FOUND;
}

static void tell(const struct operator* op, const char *what, const struct error *error, bool lasts,
                 bool *told)
{
    if (error->class == ERROR_NONE && *told) {
        *told = false;
        log_write(LOG_INFO, op->now.wall_ms, "can be reached again", "what", what, NULL);
    } else if (!*told && (is_refusal(error->class) || (error->class != ERROR_NONE && lasts))) {
        *told = true;
        log_write(LOG_WARNING, op->now.wall_ms,
                  is_refusal(error->class) ? "is refused" : "cannot be reached", "what", what,
                  "error", error->message, NULL);
    }
}

static void tell_of_kind(struct operator* op, int kind, const struct error *error)
{
    int64_t silence_ms = op->now.mono_ms - informer_last_contact(op->informers[kind]);
    tell(op, kind_of((enum object_kind)kind)->kind, error,
         silence_ms > op->informer_options.watch_silence_ms, &op->told_of[kind]);
}

void contacts_tell(struct operator* op)
{
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        const struct error *error = informer_error(op->informers[kind]);
        if (error->class != ERROR_NONE || op->told_of[kind]) { /* at nearly every step: neither */
            tell_of_kind(op, kind, error);
        }
    }
    const struct error *error = lease_error(op->lease);
    if (error->class != ERROR_NOT_FOUND) { /* the first of all makes it */
        tell(op, "Lease", error, !lease_held(op->lease, op->now), &op->told_of[KIND_WATCHED_COUNT]);
    }
}
