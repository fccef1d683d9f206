/* SPDX-License-Identifier: Apache-2.0 */
/* What strikes a request when it was applied is decided as it arrives, and remembered by its number
   until then. */
#include "simulation/faults_state.h"

#include "base/text.h"

#include <string.h>

enum { DECIDED_MAX = 64 };

/* One life's link. */
struct side {
    struct faults *faults;
    struct life *life;
    struct {
        uint64_t number;
        enum mishap mishap;
    } decided[DECIDED_MAX]; /* what is to happen when the request was applied */
};

static bool is_lease(const char *path)
{
    return strstr(path, "/leases") != NULL;
}

static enum mishap draw_of(const struct faults *faults, enum mishap_family wanted,
                           const struct link_request *request)
{
    enum mishap found[MISHAP_COUNT];
    int count = 0;
    for (int mishap = MISHAP_NONE + 1; mishap < MISHAP_COUNT; mishap++) {
        const struct mishap_row *row = mishap_row((enum mishap)mishap);
        bool fits = request->is_write || !row->is_of_writes_only;
        if (row->family == wanted && fits) {
            found[count++] = (enum mishap)mishap;
        }
    }
    return count == 0 ? MISHAP_NONE : found[faults_draw(faults, 0, count - 1)];
}

static enum mishap draw_mishap(const struct faults *faults, const struct link_request *request)
{
    static const struct {
        enum family family;
        enum mishap_family mishaps;
    } rows[] = {
        {DEATHS, FAMILY_OF_DEATHS}, {LOSSES, FAMILY_OF_LOSSES}, {REFUSALS, FAMILY_OF_REFUSALS}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        bool apt = rows[i].family != DEATHS || (request->is_write && !is_lease(request->path));
        if (faults->has[rows[i].family] && apt &&
            faults_chance(faults, faults->chance[rows[i].family])) {
            return draw_of(faults, rows[i].mishaps, request);
        }
    }
    return MISHAP_NONE;
}

static enum link_fate fate_in_spell(const struct faults *faults, const struct link_request *request)
{
    if (trial_now_ms(faults->trial) >= faults->spell_until_ms) {
        return LINK_PASS;
    }
    switch (faults->spell) {
    case SPELL_WRITES_FAIL:
        return request->is_write ? LINK_UNREACHABLE : LINK_PASS;
    case SPELL_READS_FAIL:
        return request->is_write ? LINK_PASS : LINK_UNREACHABLE;
    case SPELL_SILENCE:
        return LINK_MUTE;
    case SPELL_NONE:
    case SPELL_COUNT:
        break;
    }
    return LINK_PASS;
}

static void strike(struct side *side, enum mishap mishap, const struct link_request *request)
{
    const struct faults *faults = side->faults;
    world_trace(faults->trial->world, "mishap: %s at %s %s", mishap_row(mishap)->name,
                method_name(request->method), request->path);
    switch (mishap) {
    case MISHAP_KILLED_BEFORE:
    case MISHAP_KILLED_APPLIED:
        life_kill(side->life, faults_draw_span(faults, 10, 30 * SECOND_MS));
        break;
    case MISHAP_STOPPED:
        life_stop(side->life, faults_draw_span(faults, 10, 10 * SECOND_MS));
        break;
    case MISHAP_LATE:
        judge_note_late_write(faults->trial->judge);
        life_send_late(side->life, request, faults_draw_span(faults, 10, 30 * SECOND_MS));
        break;
    default:
        break;
    }
}

static enum link_fate arriving(void *self, const struct link_request *request,
                               struct link_refusal *out_refusal)
{
    struct side *side = self;
    struct faults *faults = side->faults;
    enum mishap mishap = MISHAP_NONE;
    if (!is_lease(request->path)) {
        judge_request(faults->trial->judge, request);
    }
    if (request->is_write && !is_lease(request->path)) {
        mishap = trial_on_write(faults->trial);
    }
    enum link_fate fate = faults->on ? fate_in_spell(faults, request) : LINK_PASS;
    if (fate != LINK_PASS) {
        return fate;
    }
    if (mishap == MISHAP_NONE && faults->on) {
        mishap = draw_mishap(faults, request);
    }
    if (mishap == MISHAP_NONE) {
        return LINK_PASS;
    }
    const struct mishap_row *row = mishap_row(mishap);
    if (row->is_after) {
        size_t at = request->number % DECIDED_MAX;
        side->decided[at].number = request->number;
        side->decided[at].mishap = mishap;
        return LINK_PASS;
    }
    strike(side, mishap, request);
    *out_refusal = row->refusal;
    return row->fate;
}

static enum link_fate answered(void *self, const struct link_request *request, int http_status,
                               struct link_refusal *out_refusal)
{
    struct side *side = self;
    size_t at = request->number % DECIDED_MAX;
    (void)http_status;
    if (side->decided[at].number != request->number) {
        return LINK_PASS;
    }
    side->decided[at].number = 0;
    const struct mishap_row *row = mishap_row(side->decided[at].mishap);
    strike(side, side->decided[at].mishap, request);
    *out_refusal = row->refusal;
    return row->fate;
}

static int64_t watch_lag_ms(void *self, const char *path)
{
    const struct side *side = self;
    size_t hash = 0;
    for (const char *at = path; *at != '\0' && *at != '?'; at++) {
        hash = hash * 31 + (unsigned char)*at;
    }
    return side->faults->on ? side->faults->lag_ms[hash % LAG_KINDS] : 0;
}

struct link_faults faults_of_link(struct faults *faults, struct life *life)
{
    struct side *side = arena_new(&faults->trial->arena, 1, sizeof(*side));
    side->faults = faults;
    side->life = life;
    return (struct link_faults){
        .arriving = arriving, .answered = answered, .watch_lag_ms = watch_lag_ms, .self = side};
}
