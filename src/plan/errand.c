/* SPDX-License-Identifier: Apache-2.0 */
/* Fails closed: whether a Cluster's data is sanitized is on the Cluster itself, in the write that
   lets everybody in, and that write tests that it was not. Whatever is lost before it, the Instance
   is not Ready and nobody was let in. That everybody is, is proven by a login. A pod that failed
   stays for its log; deleting it is how a person asks for another try. A pod is of one PVC: after a
   reset the data is other data. */
#include "plan/errand.h"

#include "api/names.h"
#include "base/json_merge.h"
#include "base/limits.h"
#include "plan/statements.h"
#include "plan/trouble.h"

#define WORKERS "max_logical_replication_workers"

bool errand_holds_cluster(const struct object *instance, const struct object *pool)
{
    return instance->instance->steps[STEP_READY] == 0 && statements_wanted(pool->pool);
}

const char *errand_superuser_secret(const struct object *instance, struct arena *arena)
{
    return arena_print(arena, "%s-superuser", instance->meta.name);
}

static const struct errand_words {
    const char *running, *failed, *does, *advice;
} WORDS[ERRAND_COUNT] = {
    [ERRAND_SANITIZE] = {"Sanitizing", "SanitizeFailed",
                         "runs the Pool's statements; nobody else is let in before they succeeded",
                         "The Pool's owner corrects the statements of spec.sanitize"},
    [ERRAND_LOGIN] = {"ProvingLogin", "LoginFailed", "logs in with the connection Secret",
                      "Compare the Secret with the role in Postgres, and look for a NetworkPolicy "
                      "that keeps pods of this namespace from its Service"},
};

static void say(struct instance_turn *turn, enum errand errand)
{
    const struct trouble *trouble = &turn->seen->trouble;
    struct arena *arena = turn->plan->arena;
    if (trouble->purpose == PURPOSE_ERRAND && trouble_is_lasting(trouble)) {
        instance_condition(turn, CONDITION_READY, false, trouble_reason(trouble),
                           arena_print(arena, "errand: %s", trouble->message));
        return;
    }
    instance_condition(turn, CONDITION_READY, false, WORDS[errand].running,
                       arena_print(arena, "pod %s %s",
                                   errand_pod_name(turn->object->meta.name, errand, arena),
                                   WORDS[errand].does));
}

static void say_failed(struct instance_turn *turn, enum errand errand)
{
    const struct object *pod = turn->seen->errands[errand];
    const char *reason = pod->pod->reason;
    turn->next.phase = PHASE_FAILED;
    instance_condition(turn, CONDITION_READY, false, WORDS[errand].failed,
                       arena_print(turn->plan->arena,
                                   "pod %s failed%s%s: `kubectl logs %s` says why. %s; to try "
                                   "again, delete the pod",
                                   pod->meta.name, reason == NULL ? "" : ", ",
                                   reason == NULL ? "" : reason, pod->meta.name,
                                   WORDS[errand].advice));
}

static void delete_pod(struct instance_turn *turn, const struct object *pod, const char *reason)
{
    if (pod->meta.deleting_ms == 0) {
        instance_act(turn, (struct action){.kind = ACTION_DELETE,
                                           .purpose = PURPOSE_DELETE,
                                           .object = KIND_POD,
                                           .namespace = pod->meta.namespace,
                                           .name = pod->meta.name,
                                           .uid = pod->meta.uid,
                                           .reason = reason});
    }
}

/* Nobody was let in at first. */
static bool was_closed(const struct instance_turn *turn)
{
    return object_annotation(turn->seen->cluster, ANNOTATION_SANITIZED) != NULL;
}

static struct handoff handoff_of(const struct instance_turn *turn)
{
    return (struct handoff){.instance = turn->object,
                            .pool = turn->seen->pool,
                            .volume = turn->seen->volume,
                            .wall_ms = turn->plan->now.wall_ms};
}

/* To let logical replication go on takes a restart, which CloudNativePG makes some time after the
   Cluster says so: who logs in before is thrown out by it. Not if the Pool's template has none. */
static bool is_restarted(const struct instance_turn *turn, enum errand errand)
{
    const char *template = turn->seen->pool->pool->cluster;
    struct text workers cleanup_text;
    struct error error;
    bool found = false;
    text_init(&workers, LIMIT_BODY_BYTES);
    return errand == ERRAND_LOGIN && was_closed(turn) &&
           !(template != NULL &&
             json_extract(template, "postgresql.parameters." WORKERS, &workers, &found, &error) &&
             text_equal(workers.bytes, "\"0\""));
}

static void post_pod(struct instance_turn *turn, enum errand errand)
{
    struct arena *arena = turn->plan->arena;
    const struct cluster *cluster = turn->seen->cluster->cluster;
    const char *name = turn->object->meta.name;
    struct handoff handoff = handoff_of(turn);
    struct errand_pod pod = {
        .handoff = &handoff,
        .probe = is_restarted(turn, errand) ? "select 1 / current_setting('" WORKERS "')::int"
                                            : "select 1",
        .errand = errand,
        .data_claim_uid = turn->seen->data_claim->meta.uid,
        .image = cluster->image,
        .secret = errand == ERRAND_SANITIZE
                      ? errand_superuser_secret(turn->object, arena)
                      : credentials_secret_name(turn->object, turn->seen->pool, arena),
        .statements = errand == ERRAND_SANITIZE
                          ? statements_text(&handoff, turn->seen->statements, arena)
                          : NULL};
    instance_act(turn, (struct action){.kind = ACTION_CREATE,
                                       .purpose = PURPOSE_ERRAND,
                                       .object = KIND_POD,
                                       .namespace = turn->object->meta.namespace,
                                       .name = errand_pod_name(name, errand, arena),
                                       .body = errand_pod(&pod, arena),
                                       .reason = WORDS[errand].does});
}

/* Is it about this data of this Instance? */
static bool is_current(const struct instance_turn *turn, const struct object *pod)
{
    return instance_owns(turn, pod) && text_equal(object_annotation(pod, ANNOTATION_DATA_CLAIM_UID),
                                                  turn->seen->data_claim->meta.uid);
}

/* false: there is nothing to run, and that is said. */
static bool have_statements(struct instance_turn *turn, enum errand errand)
{
    struct verdict verdict = {NULL, NULL};
    if (errand == ERRAND_SANITIZE) {
        verdict = statements_check(turn->seen->pool, turn->seen->statements, turn->plan->arena);
    }
    if (verdict.reason != NULL) {
        instance_condition(turn, CONDITION_READY, false, verdict.reason, verdict.message);
    }
    return verdict.reason == NULL;
}

/* true: it has succeeded. */
static bool run(struct instance_turn *turn, enum errand errand)
{
    const struct object *pod = turn->seen->errands[errand];
    if (pod != NULL && pod->meta.deleting_ms == 0 && is_current(turn, pod)) {
        if (pod->pod->phase == POD_SUCCEEDED) {
            return true;
        }
        if (pod->pod->phase == POD_FAILED) {
            say_failed(turn, errand);
            return false;
        }
    } else if (pod != NULL && text_equal(object_label(pod, LABEL_ROLE), ROLE_ERRAND)) {
        delete_pod(turn, pod, "it is about other data");
    } else if (pod == NULL && !have_statements(turn, errand)) {
        return false;
    } else if (pod == NULL && turn->seen->cluster->cluster->image != NULL) {
        post_pod(turn, errand);
    }
    say(turn, errand);
    return false;
}

static void open_cluster(struct instance_turn *turn)
{
    const struct object *cluster = turn->seen->cluster;
    struct handoff handoff = handoff_of(turn);
    struct error error;
    const char *patch = NULL;
    if (!desired_opening(&handoff, turn->plan->arena, &patch, &error)) {
        instance_condition(turn, CONDITION_READY, false, "TemplateInvalid",
                           arena_copy(turn->plan->arena, error.message));
        return;
    }
    instance_act(turn, (struct action){.kind = ACTION_JSON_PATCH,
                                       .purpose = PURPOSE_CLUSTER,
                                       .object = KIND_CLUSTER,
                                       .namespace = cluster->meta.namespace,
                                       .name = cluster->meta.name,
                                       .body = patch,
                                       .reason = "its data is sanitized: everybody is let in"});
    say(turn, ERRAND_SANITIZE);
}

static bool sanitize(struct instance_turn *turn)
{
    const char *sanitized = object_annotation(turn->seen->cluster, ANNOTATION_SANITIZED);
    if (sanitized == NULL || text_equal(sanitized, SANITIZED_YES)) {
        return true;
    }
    if (turn->seen->pool == NULL) {
        instance_condition(turn, CONDITION_READY, false, "PoolNotFound",
                           "its Pool is gone, and with it the statements that sanitize the data: "
                           "make the Pool again");
        return false;
    }
    if (run(turn, ERRAND_SANITIZE)) {
        open_cluster(turn);
    }
    return false;
}

bool errands_plan(struct instance_turn *turn)
{
    const struct object *pool = turn->seen->pool;
    if (turn->before->steps[STEP_READY] != 0) {
        return true;
    }
    return sanitize(turn) && (pool == NULL || !(pool->pool->prove_login || was_closed(turn)) ||
                              run(turn, ERRAND_LOGIN));
}

void errands_clean_up(struct instance_turn *turn)
{
    for (size_t errand = 0; errand < ERRAND_COUNT; errand++) {
        const struct object *pod = turn->seen->errands[errand];
        if (pod != NULL && turn->before->steps[STEP_READY] != 0 && instance_owns(turn, pod) &&
            text_equal(object_label(pod, LABEL_ROLE), ROLE_ERRAND)) {
            delete_pod(turn, pod, "its work is done");
        }
    }
}
