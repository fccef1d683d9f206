/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the steps is the order of the real reconcile, because what it has done by the time
   it stops is what others find. */
#include "sim/cnpg_ward.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/chance.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static enum verdict (*const steps[])(struct ward *ward) = {
    cnpg_step_begin,
    cnpg_step_defaults,
    cnpg_step_restore_pods,
    cnpg_step_restore_fence,
    cnpg_step_restore_services,
    cnpg_step_restore_status,
    cnpg_step_restore_claims,
    cnpg_step_certificates,
    cnpg_step_secret,
    cnpg_step_superuser,
    cnpg_step_services,
    cnpg_step_resource_status,
    cnpg_step_instance_status,
    cnpg_step_metadata,
    cnpg_step_wait,
    cnpg_step_hibernate,
    cnpg_step_jobs,
    cnpg_step_inactive,
    cnpg_step_claims_ready,
    cnpg_step_reattach,
    cnpg_step_first_primary,
    cnpg_step_first_claim,
    cnpg_step_first_target,
    cnpg_step_first_phase,
    cnpg_step_first_job,
    cnpg_step_healthy,
    cnpg_step_clean_jobs,
};
enum { STEP_COUNT = sizeof steps / sizeof *steps, ROUNDS_MAX = 64 };

struct ward *ward_new(struct cnpg *cnpg, const char *namespace, const char *name)
{
    char key[2 * CNPG_NAME_BYTES_MAX];
    (void)snprintf(key, sizeof(key), "%s/%s", namespace, name);
    struct ward *ward = memory_new(1, sizeof(*ward));
    ward->cnpg = cnpg;
    ward->key = memory_copy_text(key);
    ward->namespace = memory_copy_text(namespace);
    ward->name = memory_copy_text(name);
    return ward;
}

static void forget_orphans(struct ward *ward)
{
    for (size_t i = 0; i < ward->orphan_count; i++) {
        record_release(ward->orphans[i]);
    }
    ward->orphan_count = 0;
}

void ward_free(struct ward *ward)
{
    if (ward->event != NULL) {
        world_cancel(ward->cnpg->world, ward->event);
    }
    record_release(ward->cluster);
    forget_orphans(ward);
    for (size_t i = 0; i < ward->relative_count; i++) {
        memory_free(ward->relatives[i].name);
    }
    memory_free(ward->relatives);
    memory_free(ward->key);
    memory_free(ward->namespace);
    memory_free(ward->name);
    memory_free(ward);
}

/* ---- the look ---- */

static void finish(struct ward *ward, enum verdict verdict)
{
    struct cnpg *cnpg = ward->cnpg;
    ward->is_looking = false;
    record_release(ward->cluster);
    ward->cluster = NULL;
    forget_orphans(ward);
    switch (verdict) {
    case FAILED:
        workers_failed(cnpg->workers, ward->key);
        return;
    case LATER:
        workers_add_after(cnpg->workers, ward->key, ward->later_ms);
        break;
    case GO_ON:
    case AGAIN:
    case SENT:
    case DONE:
        break;
    }
    workers_done(cnpg->workers, ward->key);
    if (ward->relative_count == 0 &&
        view_get(cnpg->view, &resource_clusters, ward->namespace, ward->name) == NULL) {
        (void)map_remove(&cnpg->wards, ward->key);
        ward_free(ward);
    }
}

/* Follows verdicts until a request is on its way or the look is over. */
static void go_on(struct ward *ward, enum verdict verdict)
{
    while (verdict == GO_ON || verdict == AGAIN) {
        ward->round = verdict == AGAIN ? ward->round + 1 : 0;
        ward->step += verdict == GO_ON ? 1 : 0;
        assert(ward->round < ROUNDS_MAX);
        ward->judge = NULL;
        verdict = ward->step == STEP_COUNT ? DONE : steps[ward->step](ward);
    }
    if (verdict != SENT) {
        finish(ward, verdict);
    }
}

static void first_step(void *self)
{
    struct ward *ward = self;
    ward->event = NULL;
    ward->step = 0;
    ward->round = 0;
    ward->makes_first = false;
    go_on(ward, steps[0](ward));
}

void ward_look(struct ward *ward)
{
    assert(!ward->is_looking);
    struct cnpg *cnpg = ward->cnpg;
    ward->is_looking = true;
    ward->event =
        world_after(cnpg->world, chance_in_span(cnpg->world, "cnpg", cnpg->pace->cnpg_reconcile),
                    first_step, ward);
}

static void answered(void *self, const struct outcome *outcome)
{
    struct ward *ward = self;
    if (outcome_ok(outcome) && outcome->record != NULL &&
        outcome->record->resource == &resource_clusters) {
        record_release(ward->cluster);
        ward->cluster = record_keep(outcome->record);
    }
    go_on(ward, ward->judge == NULL ? ward_judge(ward, outcome) : ward->judge(ward, outcome));
}

enum verdict ward_judge(struct ward *ward, const struct outcome *outcome)
{
    if (outcome_ok(outcome)) {
        return GO_ON;
    }
    bool is_conflict = outcome->http_status == 409 && text_equal(outcome->reason, "Conflict");
    return is_conflict ? ward_later(ward, 0) : FAILED;
}

enum verdict ward_judge_again(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) || outcome->http_status == 404 ? AGAIN : ward_judge(ward, outcome);
}

enum verdict ward_later(struct ward *ward, int64_t delay_ms)
{
    ward->later_ms = delay_ms;
    return LATER;
}

static void pause_over(void *self)
{
    struct ward *ward = self;
    ward->event = NULL;
    go_on(ward, GO_ON);
}

enum verdict ward_pause(struct ward *ward, int64_t ms)
{
    ward->event = world_after(ward->cnpg->world, ms, pause_over, ward);
    return SENT;
}

/* ---- requests ---- */

enum verdict ward_create(struct ward *ward, const struct resource *resource, cJSON *value,
                         enum verdict (*judge)(struct ward *, const struct outcome *))
{
    ward->judge = judge;
    caller_create(ward->cnpg->caller, resource, ward->namespace, value,
                  (struct answer){.done = answered, .self = ward});
    return SENT;
}

enum verdict ward_patch(struct ward *ward, const struct record *record, const char *subresource,
                        cJSON *patch, enum verdict (*judge)(struct ward *, const struct outcome *))
{
    ward->judge = judge;
    caller_patch(ward->cnpg->caller, record, subresource, PATCH_MERGE, patch,
                 (struct answer){.done = answered, .self = ward});
    return SENT;
}

enum verdict ward_delete(struct ward *ward, const struct record *record,
                         enum verdict (*judge)(struct ward *, const struct outcome *))
{
    ward->judge = judge;
    caller_delete(ward->cnpg->caller, record->resource, record->namespace, record->name,
                  "Background", NULL, (struct answer){.done = answered, .self = ward});
    return SENT;
}

/* ---- status ---- */

cJSON *ward_draft(const struct ward *ward, cJSON **out_status)
{
    cJSON *cluster = cJSON_Duplicate(ward->cluster->value, true);
    *out_status = value_make(cluster, "status", NULL);
    return cluster;
}

enum verdict ward_update_status(struct ward *ward, cJSON *cluster,
                                enum verdict (*judge)(struct ward *, const struct outcome *))
{
    const cJSON *old = value_at(ward->cluster->value, "status", NULL);
    const cJSON *new = value_at(cluster, "status", NULL);
    if (old != NULL ? value_equal(old, new) : new->child == NULL) {
        cJSON_Delete(cluster);
        return GO_ON;
    }
    ward->judge = judge;
    caller_update(ward->cnpg->caller, ward->cluster, "status", cluster,
                  (struct answer){.done = answered, .self = ward});
    return SENT;
}

enum verdict ward_register_phase(struct ward *ward, const char *phase, const char *reason,
                                 enum verdict (*judge)(struct ward *, const struct outcome *))
{
    bool is_healthy = text_equal(phase, CNPG_PHASE_HEALTHY);
    const struct condition_of ready = {
        .type = "Ready",
        .is_true = is_healthy,
        .reason = is_healthy ? "ClusterIsReady" : "ClusterIsNotReady",
        .message = is_healthy ? "Cluster is Ready" : "Cluster Is Not Ready",
    };
    cJSON *status;
    cJSON *cluster = ward_draft(ward, &status);
    value_set_text(status, "phase", phase);
    value_set_text(status, "phaseReason", reason);
    condition_set(status, &ready, ward_wall_ms(ward));
    return ward_update_status(ward, cluster, judge);
}

bool ward_is_initialized(const struct ward *ward)
{
    const cJSON *status = value_at(ward->cluster->value, "status", NULL);
    return condition_is_true(status, "Initialized") ||
           value_int64(status, 0, "latestGeneratedNode", NULL) != 0;
}

int64_t ward_wall_ms(const struct ward *ward)
{
    return world_now(ward->cnpg->world).wall_ms;
}
