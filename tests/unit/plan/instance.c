/* SPDX-License-Identifier: Apache-2.0 */
/* What the queue asks of an Instance, and templates that a situation's YAML cannot hold. All else
   of its plans is situations of tests/plans. */
#include "plan/instance.h"

#include "api/pool.h"
#include "base/memory.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define INSTANCE(metadata, status)                                                                 \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'u'" metadata "},"                        \
    "'spec':{'pool':{'name':'orders','namespace':'pools'}},'status':{" status "}}"
#define FINALIZED ",'finalizers':['adjoint.dev/volumes']"
#define DELETING FINALIZED ",'deletionTimestamp':'2026-08-22T10:00:00Z'"
#define CHOSEN "'phase':'Claiming','volume':{'name':'pvc-0'}"
#define BOUND CHOSEN ",'timings':{'boundAt':'2026-08-22T10:00:00Z'}"

/* Levels of a template that are more than can be merged, and fewer than a body may have. */
enum { TOO_DEEP = 40 };

struct fixture {
    struct arena arena;
    struct object *pool, *pool_too_deep, *kube_namespace, *volume, *data_claim;
    struct instance_observation seen;
};

static struct object *new_pool(const char *cluster)
{
    cleanup_text struct text json;
    text_init(&json, 10000);
    text_print(&json,
               "{\"metadata\":{\"name\":\"orders\",\"namespace\":\"pools\",\"uid\":\"p\"},"
               "\"spec\":{\"golden\":{\"snapshot\":\"s\"},\"size\":1,\"storage\":{"
               "\"storageClassName\":\"c\"},\"allowedNamespaces\":{\"from\":\"All\"},"
               "\"cluster\":{\"a\":%s}}}",
               cluster);
    return object_from_text(KIND_POOL, json.bytes);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    char deep[2 * TOO_DEEP + 1] = {0};
    memset(deep, '[', TOO_DEEP);
    memset(deep + TOO_DEEP, ']', TOO_DEEP);
    fixture = (struct fixture){
        .pool = new_pool("1"),
        .pool_too_deep = new_pool(deep),
        .kube_namespace = object_from(KIND_NAMESPACE, "{'metadata':{'name':'dev','uid':'n'}}"),
        .volume = object_from(
            KIND_VOLUME,
            "{'metadata':{'name':'pvc-0','uid':'v','labels':{'adjoint.dev/state':'claimed',"
            "'adjoint.dev/instance-uid':'u'},'annotations':{'adjoint.dev/deletion-policy':"
            "'Delete'}},'spec':{'persistentVolumeReclaimPolicy':'Retain','claimRef':{'namespace':"
            "'dev','name':'alice-1','uid':'c'}},'status':{'phase':'Bound'}}"),
        .data_claim = object_from(
            KIND_VOLUME_CLAIM, "{'metadata':{'name':'alice-1','namespace':'dev','uid':'c','labels':"
                               "{'adjoint.dev/instance-uid':'u'}},'spec':{'volumeName':'pvc-0'},"
                               "'status':{'phase':'Bound'}}"),
    };
    arena_init(&fixture.arena, 0);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    object_free(fixture->pool);
    object_free(fixture->pool_too_deep);
    object_free(fixture->kube_namespace);
    object_free(fixture->volume);
    object_free(fixture->data_claim);
    arena_release(&fixture->arena);
    return 0;
}

/* The Instance itself is left to the caller. */
static struct instance_observation seen_in(const struct fixture *fixture,
                                           enum preflight_state preflight)
{
    static const unsigned char bytes[SECRET_BYTES];
    return (struct instance_observation){.pool = fixture->pool,
                                         .secret_bytes = bytes,
                                         .kube_namespace = fixture->kube_namespace,
                                         .preflight = {.state = preflight}};
}

/* (eligible, waits, undecided) as "e", "w", "u" for yes, '-' for no. */
static void assert_queued(struct fixture *fixture, const char *json,
                          struct instance_observation seen, const char *expected)
{
    cleanup_object struct object *instance = object_from(KIND_INSTANCE, json);
    seen.instance = instance;
    char answers[] = "---";
    answers[0] = instance_eligible(&seen, &fixture->arena) ? 'e' : '-';
    answers[1] = instance_waits(&seen, &fixture->arena) ? 'w' : '-';
    answers[2] = instance_undecided(&seen, &fixture->arena) ? 'u' : '-';
    if (strcmp(answers, expected) != 0) {
        fail_msg("%s is %s, not %s", json, answers, expected);
    }
}

static void one_that_may_have_a_clone_is_in_the_queue(void **state)
{
    struct fixture *fixture = *state;
    struct instance_observation passed = seen_in(fixture, PREFLIGHT_PASSED);
    struct instance_observation unknown = seen_in(fixture, PREFLIGHT_NONE);
    struct instance_observation failed = seen_in(fixture, PREFLIGHT_FAILED);
    assert_queued(fixture, INSTANCE(FINALIZED, ""), passed, "e--");
    assert_queued(fixture, INSTANCE(FINALIZED, "'phase':'Waiting'"), passed, "ew-");
    assert_queued(fixture, INSTANCE("", "'phase':'Waiting'"), passed, "-w-");
    assert_queued(fixture, INSTANCE(FINALIZED, "'phase':'Waiting'"), unknown, "-wu");
    assert_queued(fixture, INSTANCE(FINALIZED, ""), unknown, "--u");
    assert_queued(fixture, INSTANCE(FINALIZED, "'phase':'Waiting'"), failed, "---");
    passed.held = true;
    assert_queued(fixture, INSTANCE(FINALIZED, "'phase':'Waiting'"), passed, "-w-");
}

static void one_that_has_a_volume_or_goes_is_not(void **state)
{
    struct fixture *fixture = *state;
    struct instance_observation passed = seen_in(fixture, PREFLIGHT_PASSED);
    struct instance_observation unknown = seen_in(fixture, PREFLIGHT_NONE);
    assert_queued(fixture, INSTANCE(DELETING, "'phase':'Waiting'"), passed, "---");
    assert_queued(fixture, INSTANCE(DELETING, "'phase':'Waiting'"), unknown, "---");
    assert_queued(fixture, INSTANCE(FINALIZED, CHOSEN), passed, "---");
    assert_queued(fixture, INSTANCE(FINALIZED, CHOSEN), unknown, "---");
    passed.volume = fixture->volume; /* by its label: the status was lost */
    unknown.volume = fixture->volume;
    assert_queued(fixture, INSTANCE(FINALIZED, "'phase':'Waiting'"), passed, "---");
    assert_queued(fixture, INSTANCE(FINALIZED, "'phase':'Waiting'"), unknown, "---");
}

/* Nothing but its own status is written, and that says TemplateInvalid. */
static void assert_template_refused(struct fixture *fixture, const char *json,
                                    struct instance_observation seen)
{
    cleanup_object struct object *instance = object_from(KIND_INSTANCE, json);
    struct plan plan;
    plan_init(&plan, &fixture->arena, (struct now){.mono_ms = 1, .wall_ms = 1782907200000});
    seen.instance = instance;
    seen.pool = fixture->pool_too_deep;
    plan_instance(&plan, &seen);
    assert_int_equal(plan.action_count, 1);
    assert_int_equal(plan.actions[0].kind, ACTION_STATUS_PATCH);
    assert_non_null(strstr(plan.actions[0].body, "TemplateInvalid"));
}

static void a_template_that_cannot_be_merged_costs_no_clone(void **state)
{
    struct fixture *fixture = *state;
    assert_template_refused(fixture, INSTANCE(FINALIZED, ""), seen_in(fixture, PREFLIGHT_NONE));
}

static void a_template_that_cannot_be_merged_any_more_is_said(void **state)
{
    struct fixture *fixture = *state;
    struct instance_observation seen = seen_in(fixture, PREFLIGHT_PASSED);
    seen.volume = fixture->volume;
    seen.data_claim = fixture->data_claim;
    seen.secret_made = "alice-adjoint";
    assert_template_refused(fixture, INSTANCE(FINALIZED, BOUND), seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_may_have_a_clone_is_in_the_queue),
        cmocka_unit_test(one_that_has_a_volume_or_goes_is_not),
        cmocka_unit_test(a_template_that_cannot_be_merged_costs_no_clone),
        cmocka_unit_test(a_template_that_cannot_be_merged_any_more_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
