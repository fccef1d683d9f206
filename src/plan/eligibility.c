/* SPDX-License-Identifier: Apache-2.0 */
/* A clone costs a minute of FSx, so everything that could refuse the hand-over is asked before one
   is spent: first what the store tells, then the API server itself by dry runs of every object the
   claim makes, and of the names CloudNativePG would take or delete (it deletes ownerless Services
   of its Cluster's names on adoption: cluster_restore.go). */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "plan/desired.h"
#include "plan/errand.h"
#include "plan/network_policy.h"
#include "plan/overrides.h"
#include "plan/statements.h"
#include "plan/template.h"
#include "plan/trouble.h"

static bool belongs_to(const struct object *object, const struct object *instance)
{
    return text_equal(object_label(object, LABEL_INSTANCE_UID), instance->meta.uid);
}

static struct verdict check_pool(const struct instance_observation *seen, struct arena *arena)
{
    const struct instance *instance = seen->instance->instance;
    if (seen->pool == NULL) {
        return (struct verdict){
            "PoolNotFound",
            arena_print(arena, "there is no Pool %s in namespace %s: `adj pools` lists them",
                        instance->pool, instance->pool_namespace)};
    }
    if (seen->pool->meta.deleting_ms != 0) {
        return (struct verdict){"PoolDeleting",
                                "its Pool is being deleted: make this Instance from another one"};
    }
    return (struct verdict){NULL, NULL};
}

static struct verdict check_namespace(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *object = seen->kube_namespace;
    const struct pool *pool = seen->pool->pool;
    const char *name = seen->instance->meta.namespace;
    if (object == NULL) {
        return (struct verdict){"NamespaceNotFound",
                                arena_print(arena, "namespace %s is not there (yet)", name)};
    }
    if (object->meta.deleting_ms != 0 || object->kube_namespace->terminating) {
        return (struct verdict){"NamespaceTerminating",
                                arena_print(arena, "namespace %s is being deleted", name)};
    }
    if (!pool->allow_all_namespaces &&
        !selector_matches(&pool->allowed_namespaces, object->meta.labels,
                          object->meta.label_count)) {
        return (struct verdict){
            "NamespaceNotAllowed",
            arena_print(arena,
                        "Pool %s/%s does not allow namespace %s: its owner decides by "
                        "spec.allowedNamespaces, which selects on the namespace's labels",
                        seen->pool->meta.namespace, seen->pool->meta.name, name)};
    }
    return (struct verdict){NULL, NULL};
}

static struct verdict check_leftovers(const struct instance_observation *seen, struct arena *arena)
{
    enum { LEFTOVER_COUNT = 2 };
    const struct object *const leftovers[LEFTOVER_COUNT] = {seen->data_claim, seen->cluster};
    for (size_t i = 0; i < LEFTOVER_COUNT; i++) {
        const struct object *object = leftovers[i];
        if (object == NULL) {
            continue;
        }
        const char *kind = kind_of(object->kind)->kind;
        if (!belongs_to(object, seen->instance)) {
            return (struct verdict){
                "LeftoverOfSameName",
                arena_print(arena,
                            "%s %s of an earlier Instance is still there%s; this one goes on when "
                            "it is gone",
                            kind, object->meta.name,
                            object->meta.deleting_ms != 0 ? " and being deleted" : "")};
        }
        if (object->meta.deleting_ms != 0) {
            return (struct verdict){"LeftoverDeleting",
                                    arena_print(arena,
                                                "%s %s is being deleted; this Instance goes "
                                                "on when it is gone",
                                                kind, object->meta.name)};
        }
    }
    return (struct verdict){NULL, NULL};
}

/* A claim of ours that has a volume, or is another volume's, cannot be given a clone. */
static struct verdict check_data_claim(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *data_claim = seen->data_claim;
    if (data_claim == NULL || (seen->rival == NULL && data_claim->volume_claim->volume == NULL)) {
        return (struct verdict){NULL, NULL};
    }
    return (struct verdict){
        "ClaimBoundElsewhere",
        arena_print(arena,
                    "PVC %s was bound to volume %s, which this Instance was not given: delete "
                    "that PVC; this Instance goes on when it is gone",
                    data_claim->meta.name,
                    seen->rival != NULL ? seen->rival->meta.name
                                        : data_claim->volume_claim->volume)};
}

struct verdict eligibility_check_pool(const struct instance_observation *seen, struct arena *arena)
{
    struct verdict verdict = check_pool(seen, arena);
    if (verdict.reason == NULL) {
        verdict = template_check(seen->pool, arena);
    }
    if (verdict.reason == NULL) {
        verdict = statements_check(seen->pool, seen->statements, arena);
    }
    if (verdict.reason == NULL) {
        verdict = network_policy_check(seen);
    }
    return verdict.reason == NULL ? check_namespace(seen, arena) : verdict;
}

struct verdict eligibility_check(const struct instance_observation *seen, struct arena *arena)
{
    struct verdict verdict = eligibility_check_pool(seen, arena);
    if (verdict.reason == NULL) {
        verdict = overrides_check(seen->instance->instance, arena);
    }
    if (verdict.reason == NULL) {
        verdict = check_leftovers(seen, arena);
    }
    if (verdict.reason == NULL) {
        verdict = check_data_claim(seen, arena);
    }
    return verdict;
}

/* Of what spec.requires lists, one is not there. */
static bool is_missing(const struct preflight *preflight, const char *reason)
{
    bool listed = preflight->object == KIND_CONFIG_MAP || preflight->object == KIND_SECRET ||
                  preflight->object == KIND_SERVICE_ACCOUNT;
    return listed && text_equal(reason, error_class_name(ERROR_NOT_FOUND));
}

static const char *advice(const char *reason)
{
    if (text_equal(reason, "RequirementMissing")) {
        return ", and the Pool's template needs it (spec.requires): make it there";
    }
    if (text_equal(reason, "NameTaken")) {
        return "; choose another name for the Instance, or remove that object";
    }
    if (text_equal(reason, "QuotaExceeded")) {
        return "; ask for more quota in this namespace, or delete what uses it up";
    }
    return "";
}

struct verdict eligibility_preflight(const struct instance_observation *seen, struct arena *arena)
{
    const struct preflight *preflight = &seen->preflight;
    const struct trouble *trouble = &seen->trouble;
    if (preflight->state == PREFLIGHT_FAILED) {
        struct trouble refused = {preflight->class, PURPOSE_PREFLIGHT, preflight->message};
        const char *reason = trouble_reason(&refused);
        if (is_missing(preflight, reason)) {
            reason = "RequirementMissing";
        }
        return (struct verdict){reason,
                                arena_print(arena, "%s %s: %s%s", kind_of(preflight->object)->kind,
                                            preflight->name, preflight->message, advice(reason))};
    }
    if (seen->held && trouble_is_lasting(trouble) && trouble->purpose != PURPOSE_STATUS &&
        trouble->purpose != PURPOSE_CONFIRM) {
        const char *reason = trouble_reason(trouble);
        return (struct verdict){reason,
                                arena_print(arena, "%s: %s%s", purpose_name(trouble->purpose),
                                            trouble->message, advice(reason))};
    }
    return (struct verdict){NULL, NULL};
}

static void expect_none(struct instance_turn *turn, enum object_kind kind, const char *name)
{
    instance_act(turn, (struct action){.kind = ACTION_EXPECT_NONE,
                                       .purpose = PURPOSE_PREFLIGHT,
                                       .object = kind,
                                       .namespace = turn->object->meta.namespace,
                                       .name = name,
                                       .reason = "is its name free?"});
}

static void expect_some(struct instance_turn *turn, const struct reference *reference)
{
    instance_act(turn, (struct action){.kind = ACTION_EXPECT_SOME,
                                       .purpose = PURPOSE_PREFLIGHT,
                                       .object = reference->kind,
                                       .namespace = turn->object->meta.namespace,
                                       .name = reference->name,
                                       .body = desired_probe(reference->kind, reference->name,
                                                             turn->plan->arena),
                                       .reason = "the Pool's template needs it"});
}

static void dry_run(struct instance_turn *turn, enum object_kind kind, const char *name,
                    const char *body)
{
    instance_act(turn, (struct action){.kind = ACTION_DRY_RUN,
                                       .purpose = PURPOSE_PREFLIGHT,
                                       .object = kind,
                                       .namespace = turn->object->meta.namespace,
                                       .name = name,
                                       .body = body,
                                       .reason = "would it be let in?"});
}

/* What another's pre-flight has vouched for is not asked again: the Cluster but for its name, and,
   where the PVC is made before the commit point, the PVC. */
static void ask_for_objects(struct instance_turn *turn, const char *data_claim, const char *cluster)
{
    const struct instance_observation *seen = turn->seen;
    const char *name = turn->object->meta.name;
    const struct references *required = &seen->pool->pool->required;
    bool vouched = seen->vouch == VOUCH_PASSED;
    for (size_t i = 0; !vouched && i < required->count; i++) {
        expect_some(turn, &required->items[i]);
    }
    if (seen->data_claim == NULL && !(vouched && seen->pool->pool->order == CLAIM_ORDER_SWAP)) {
        dry_run(turn, KIND_VOLUME_CLAIM, desired_data_claim_name(turn->object, turn->plan->arena),
                data_claim);
    }
    if (seen->cluster == NULL && vouched) {
        expect_none(turn, KIND_CLUSTER, name);
    } else if (seen->cluster == NULL) {
        dry_run(turn, KIND_CLUSTER, name, cluster);
    }
}

struct verdict eligibility_plan_preflight(struct instance_turn *turn)
{
    static const char *const services[] = {"-rw", "-ro", "-r"};
    struct arena *arena = turn->plan->arena;
    const char *name = turn->object->meta.name;
    struct handoff handoff = {.instance = turn->object,
                              .pool = turn->seen->pool,
                              .wall_ms = turn->plan->now.wall_ms,
                              .unsanitized = errand_holds_cluster(turn->object, turn->seen->pool)};
    struct error error;
    const char *cluster = NULL;
    if (!desired_cluster(&handoff, arena, &cluster, &error)) {
        return (struct verdict){"TemplateInvalid", arena_copy(arena, error.message)};
    }
    ask_for_objects(turn, desired_data_claim(&handoff, arena), cluster);
    const char *policy = network_policy_probe(turn->seen, arena);
    if (policy != NULL) {
        dry_run(turn, KIND_NETWORK_POLICY, network_policy_name(name, arena), policy);
    }
    if (turn->seen->cluster != NULL) {
        return (struct verdict){NULL, NULL}; /* the other names are its own by now */
    }
    for (size_t i = 0; i < sizeof services / sizeof services[0]; i++) {
        expect_none(turn, KIND_SERVICE, arena_print(arena, "%s%s", name, services[i]));
    }
    const char *secret = credentials_secret_name(turn->object, turn->seen->pool, arena);
    if (!text_equal(secret, turn->before->binding_secret)) {
        dry_run(turn, KIND_SECRET, secret, desired_probe(KIND_SECRET, secret, arena));
    }
    if (handoff.unsanitized) {
        secret = errand_superuser_secret(turn->object, arena);
        dry_run(turn, KIND_SECRET, secret, desired_probe(KIND_SECRET, secret, arena));
    }
    return (struct verdict){NULL, NULL};
}
