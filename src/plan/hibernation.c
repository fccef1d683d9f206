/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG stops Postgres and keeps the PVC when its Cluster is annotated, and begins only
   with a healthy one (pkg/reconciler/hibernation); so an Instance becomes Ready first. The
   annotation is the one field of the Cluster that is ours after Ready, and only while we have set
   it: a second one says so, and a Cluster that a person hibernated is not woken.

   CloudNativePG leaves a hibernating Cluster's condition Ready as it was, so nothing is proven
   before its own condition of hibernation is gone and an instance is ready again. */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "plan/trouble.h"

static void say(struct instance_turn *turn, enum instance_phase phase, const char *reason,
                const char *message)
{
    turn->next.phase = phase;
    instance_condition(turn, CONDITION_READY, false, reason, message);
}

const char *hibernation_refusal(const struct instance_turn *turn)
{
    const struct trouble *trouble = &turn->seen->trouble;
    return trouble->purpose == PURPOSE_HIBERNATE && trouble_is_lasting(trouble) ? trouble->message
                                                                                : NULL;
}

static void annotate(struct instance_turn *turn, bool on)
{
    instance_act(
        turn, (struct action){
                  .kind = ACTION_MERGE_PATCH,
                  .purpose = PURPOSE_HIBERNATE,
                  .object = KIND_CLUSTER,
                  .namespace = turn->object->meta.namespace,
                  .name = turn->object->meta.name,
                  .body = on ? "{\"metadata\":{\"annotations\":{\"" CNPG_ANNOTATION_HIBERNATION
                               "\":\"on\",\"" ANNOTATION_HIBERNATED "\":\"true\"}}}"
                             : "{\"metadata\":{\"annotations\":{\"" CNPG_ANNOTATION_HIBERNATION
                               "\":null,\"" ANNOTATION_HIBERNATED "\":null}}}",
                  .reason = on ? "spec.hibernated: CloudNativePG stops Postgres and keeps the PVC"
                               : "spec.hibernated is off: CloudNativePG starts Postgres again"});
}

static void say_asleep(struct instance_turn *turn, bool wanted)
{
    const char *name = turn->object->meta.name;
    struct arena *arena = turn->plan->arena;
    if (!turn->seen->cluster->cluster->hibernated) {
        say(turn, PHASE_HIBERNATED, "Hibernating",
            "CloudNativePG stops Postgres; the data is kept");
    } else if (wanted) {
        say(turn, PHASE_HIBERNATED, "Hibernated",
            arena_print(arena, "nothing runs and the data is kept: `adj wake %s` starts it", name));
    } else {
        say(turn, PHASE_HIBERNATED, "ClusterHibernated",
            arena_print(arena,
                        "someone hibernated its Cluster; the data is kept. `kubectl annotate "
                        "cluster %s " CNPG_ANNOTATION_HIBERNATION "-` starts it",
                        name));
    }
}

bool hibernation_plan(struct instance_turn *turn)
{
    const struct object *object = turn->seen->cluster;
    const struct cluster *cluster = object->cluster;
    bool wanted = turn->before->hibernated;
    bool is_on = text_equal(object_annotation(object, CNPG_ANNOTATION_HIBERNATION), "on");
    bool is_ours = object_annotation(object, ANNOTATION_HIBERNATED) != NULL;
    if (wanted && !(is_on && is_ours)) {
        bool healthy = is_on || (turn->before->steps[STEP_READY] != 0 && cluster->ready &&
                                 !cluster->hibernating);
        if (healthy) {
            annotate(turn, true);
        }
        if (!is_on && hibernation_refusal(turn) != NULL) {
            return false; /* it runs on */
        }
        if (healthy) {
            say(turn, PHASE_HIBERNATED, "Hibernating",
                "CloudNativePG stops Postgres; the data is kept");
        }
        return healthy;
    }
    if (is_ours && !wanted) {
        annotate(turn, false);
    } else if (is_on) {
        say_asleep(turn, wanted);
        return true;
    } else if (!cluster->hibernating) {
        return false;
    }
    say(turn, PHASE_STARTING, "Waking", "CloudNativePG starts Postgres on the data that was kept");
    return true;
}
