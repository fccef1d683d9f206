/* SPDX-License-Identifier: Apache-2.0 */
/* Patches are judged by what they do to a volume, and by what they refuse to do to one that is not
   any more what was seen: claiming and destroying contend on it. */
#include "plan/volume_patch.h"

#include "api/names.h"
#include "base/json.h"
#include "base/json_merge.h"
#include "base/memory.h"
#include "support/json_patch.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const int64_t WALL_MS = 1787392800000; /* 2026-08-22T10:00:00Z */

#define WARM                                                                                       \
    "{'metadata':{'name':'pvc-0','uid':'u','resourceVersion':'7','labels':{"                       \
    "'adjoint.dev/state':'warm','adjoint.dev/pool':'orders'},'annotations':{"                      \
    "'adjoint.dev/golden':'g'}},'spec':{'persistentVolumeReclaimPolicy':'Delete','claimRef':{"     \
    "'namespace':'pools','name':'orders-0','uid':'holding','resourceVersion':'5'}},"               \
    "'status':{'phase':'Bound'}}"
#define CLAIMED(claim_ref, phase)                                                                  \
    "{'metadata':{'name':'pvc-0','uid':'u','resourceVersion':'7','labels':{"                       \
    "'adjoint.dev/state':'claimed','adjoint.dev/pool':'orders','adjoint.dev/instance':'alice',"    \
    "'adjoint.dev/instance-namespace':'dev','adjoint.dev/instance-uid':'ua'},'annotations':{"      \
    "'adjoint.dev/golden':'g','foreign.io/note':'mine'}},'spec':{"                                 \
    "'persistentVolumeReclaimPolicy':'Retain'" claim_ref "},'status':{'phase':'" phase "'}}"
#define HERS ",'claimRef':{'namespace':'dev','name':'alice-1','uid':'data'}"

struct fixture {
    struct arena arena;
    struct object *instance;
    struct object *volume; /* as seen */
    const char *json;      /* as it is */
};

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){0};
    arena_init(&fixture.arena, 0);
    fixture.instance =
        object_from(KIND_INSTANCE, "{'metadata':{'name':'alice','namespace':'dev','uid':'ua'},"
                                   "'spec':{'pool':{'name':'orders','namespace':'pools'}}}");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    object_free(fixture->volume);
    object_free(fixture->instance);
    arena_release(&fixture->arena);
    return 0;
}

static const char *quoted(struct fixture *fixture, const char *json)
{
    char *text = arena_copy(&fixture->arena, json);
    for (char *at = strchr(text, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
    return text;
}

static void see(struct fixture *fixture, const char *json)
{
    object_free(fixture->volume);
    fixture->json = quoted(fixture, json);
    fixture->volume = object_from_text(KIND_VOLUME, fixture->json);
}

/* It has changed since it was seen. */
static void becomes(struct fixture *fixture, const char *json)
{
    fixture->json = quoted(fixture, json);
}

static void applies(struct fixture *fixture, const char *patch)
{
    cleanup_text struct text out;
    text_init(&out, 100000);
    assert_true(json_patch_apply(fixture->json, patch, &out));
    fixture->json = arena_copy(&fixture->arena, out.bytes);
}

static void merges(struct fixture *fixture, const char *patch)
{
    cleanup_text struct text out;
    struct error error;
    text_init(&out, 100000);
    assert_true(json_merge(fixture->json, quoted(fixture, patch), &out, &error));
    fixture->json = arena_copy(&fixture->arena, out.bytes);
}

static void is_refused(struct fixture *fixture, const char *patch)
{
    cleanup_text struct text out;
    text_init(&out, 100000);
    assert_false(json_patch_apply(fixture->json, patch, &out));
}

/* The object as it is now; freed with the next. */
static const struct object *now(struct fixture *fixture)
{
    object_free(fixture->volume);
    fixture->volume = object_from_text(KIND_VOLUME, fixture->json);
    return fixture->volume;
}

static const char *claim(struct fixture *fixture, const char *claim_uid)
{
    struct volume_claimant claimant = {.instance = fixture->instance,
                                       .claim_name = "alice-1",
                                       .claim_uid = claim_uid,
                                       .holding_uid = "holding",
                                       .wall_ms = WALL_MS};
    claimant.offer = object_annotation(fixture->volume, ANNOTATION_OFFER);
    return volume_patch_claim(fixture->volume, &claimant, &fixture->arena);
}

static const char *adopt(struct fixture *fixture)
{
    struct volume_claimant claimant = {.instance = fixture->instance,
                                       .claim_name = "alice-1",
                                       .claim_uid = "data-again",
                                       .wall_ms = WALL_MS};
    return volume_patch_adopt(fixture->volume, &claimant, &fixture->arena);
}

static void claiming_makes_it_the_instances(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, WARM);
    applies(fixture, claim(fixture, "data"));
    const struct object *object = now(fixture);
    assert_int_equal(object->volume->state, VOLUME_STATE_CLAIMED);
    assert_int_equal(object->volume->policy, RECLAIM_RETAIN);
    assert_string_equal(object->volume->claim_namespace, "dev");
    assert_string_equal(object->volume->claim_name, "alice-1");
    assert_string_equal(object->volume->claim_uid, "data");
    assert_string_equal(object_label(object, LABEL_INSTANCE_UID), "ua");
    assert_string_equal(object_label(object, LABEL_INSTANCE), "alice");
    assert_string_equal(object_label(object, LABEL_INSTANCE_NAMESPACE), "dev");
    assert_string_equal(object_annotation(object, ANNOTATION_DELETION_POLICY), "Delete");
    assert_string_equal(object_annotation(object, ANNOTATION_HOLDING_UID), "holding");
    assert_string_equal(object_annotation(object, ANNOTATION_DATA_CLAIM_UID), "data");
    assert_string_equal(object_annotation(object, ANNOTATION_AT), "2026-08-22T10:00:00.000Z");
    assert_null(strstr(fixture->json, "\"resourceVersion\":\"5\"")); /* of the old claimRef */
}

static void claiming_by_name_leaves_the_uid_to_the_binder(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, WARM);
    applies(fixture, claim(fixture, NULL));
    const struct object *object = now(fixture);
    assert_string_equal(object->volume->claim_name, "alice-1");
    assert_null(object->volume->claim_uid);
}

static void what_was_withdrawn_is_claimed_by_nothing_from_before(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, WARM);
    const char *late = claim(fixture, "data");
    merges(fixture, volume_patch_withdraw(fixture->volume, &fixture->arena));
    is_refused(fixture, late);
    (void)now(fixture);
    applies(fixture, claim(fixture, "data"));
}

static void only_one_of_claiming_and_retiring_goes_through(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, WARM);
    const char *retire = volume_patch_retire(fixture->volume, WALL_MS, &fixture->arena);
    const char *take = claim(fixture, "data");
    applies(fixture, take);
    is_refused(fixture, retire);

    see(fixture, WARM);
    retire = volume_patch_retire(fixture->volume, WALL_MS, &fixture->arena);
    take = claim(fixture, "data");
    applies(fixture, retire);
    assert_int_equal(now(fixture)->volume->policy, RECLAIM_DELETE);
    is_refused(fixture, take);
}

static void only_one_of_two_claims_goes_through(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, WARM);
    const char *one = claim(fixture, "data");
    const char *other = claim(fixture, "data-of-another");
    applies(fixture, one);
    is_refused(fixture, other);
    is_refused(fixture, one); /* a repetition as well: then it is read and found done */
}

static void a_claim_tests_all_it_relies_on(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, WARM);
    const char *take = claim(fixture, "data");
    static const char *const others[] = {
        /* its holding PVC is another; it is Released; it is going */
        "{'metadata':{'labels':{'adjoint.dev/state':'warm'},'annotations':{}},'spec':{'claimRef':{"
        "'uid':'another'}},'status':{'phase':'Bound'}}",
        "{'metadata':{'labels':{'adjoint.dev/state':'warm'},'annotations':{}},'spec':{'claimRef':{"
        "'uid':'holding'}},'status':{'phase':'Released'}}",
        "{'metadata':{'deletionTimestamp':'2026-08-22T10:00:00Z','labels':{"
        "'adjoint.dev/state':'warm'},'annotations':{}},'spec':{'claimRef':{'uid':'holding'}},"
        "'status':{'phase':'Bound'}}",
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        becomes(fixture, others[i]);
        is_refused(fixture, take);
    }
    /* Other controllers' writes are no matter: a finalizer, another resourceVersion. */
    becomes(fixture, WARM);
    merges(fixture, "{'metadata':{'resourceVersion':'8','finalizers':['x/y']}}");
    applies(fixture, take);
}

static void disposal_needs_a_released_volume(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, CLAIMED(HERS, "Released"));
    const char *dispose = volume_patch_dispose(fixture->volume, WALL_MS, &fixture->arena);
    applies(fixture, dispose);
    assert_int_equal(now(fixture)->volume->state, VOLUME_STATE_DISPOSING);
    assert_int_equal(now(fixture)->volume->policy, RECLAIM_DELETE);

    becomes(fixture, CLAIMED(HERS, "Bound"));
    is_refused(fixture, dispose);
}

static void only_one_of_disposal_and_adoption_goes_through(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, CLAIMED(HERS, "Released"));
    const char *dispose = volume_patch_dispose(fixture->volume, WALL_MS, &fixture->arena);
    const char *again = adopt(fixture);
    applies(fixture, again);
    assert_string_equal(now(fixture)->volume->claim_uid, "data-again");
    is_refused(fixture, dispose);

    see(fixture, CLAIMED(HERS, "Released"));
    again = adopt(fixture);
    applies(fixture, volume_patch_dispose(fixture->volume, WALL_MS, &fixture->arena));
    is_refused(fixture, again);
}

static void adoption_also_takes_a_volume_without_a_claim(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, CLAIMED("", "Available"));
    const char *again = adopt(fixture);
    applies(fixture, again);
    assert_string_equal(now(fixture)->volume->claim_uid, "data-again");
    becomes(fixture, CLAIMED(HERS, "Available")); /* somebody else was faster */
    is_refused(fixture, again);
}

static void another_instances_volume_is_not_disposed_of(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, CLAIMED(HERS, "Released"));
    const char *dispose = volume_patch_dispose(fixture->volume, WALL_MS, &fixture->arena);
    const char *forget = volume_patch_forget(fixture->volume, &fixture->arena);
    const char *keep =
        volume_patch_keep(fixture->volume, fixture->instance->instance, &fixture->arena);
    merges(fixture, "{'metadata':{'labels':{'adjoint.dev/instance-uid':'uc'}}}");
    is_refused(fixture, dispose);
    is_refused(fixture, forget);
    is_refused(fixture, keep);
}

static void an_expelled_volume_belongs_to_no_claim(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, CLAIMED("", "Available"));
    applies(fixture, volume_patch_expel(fixture->volume, &fixture->arena));
    const struct object *object = now(fixture);
    assert_string_equal(object->volume->claim_uid, "ua"); /* an Instance's: no PVC has it */
    assert_int_equal(object->volume->policy, RECLAIM_RETAIN);
}

static void a_volume_without_a_name_on_it_can_be_expelled(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, "{'metadata':{'name':'pvc-0','labels':{'adjoint.dev/state':'claimed',"
                 "'adjoint.dev/instance-uid':'ua'}},'status':{'phase':'Available'},'spec':{}}");
    applies(fixture, volume_patch_expel(fixture->volume, &fixture->arena));
    assert_null(strstr(fixture->json, "null"));
    assert_string_equal(now(fixture)->volume->claim_uid, "ua");
}

static void forgetting_takes_off_what_is_ours_alone(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, CLAIMED(HERS, "Bound"));
    applies(fixture, volume_patch_forget(fixture->volume, &fixture->arena));
    assert_null(strstr(fixture->json, "adjoint.dev/"));
    assert_non_null(strstr(fixture->json, "foreign.io/note"));
    assert_int_equal(now(fixture)->volume->policy, RECLAIM_RETAIN);
    assert_string_equal(now(fixture)->volume->claim_uid, "data");
}

static void retiring_by_hand_is_given_its_policy(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, "{'metadata':{'name':'pvc-0','labels':{'adjoint.dev/state':'retiring'}},"
                 "'spec':{'persistentVolumeReclaimPolicy':'Retain','claimRef':{'name':'orders-0',"
                 "'uid':'holding'}},'status':{'phase':'Released'}}");
    const char *patch = volume_patch_delete(fixture->volume, &fixture->arena);
    applies(fixture, patch);
    assert_int_equal(now(fixture)->volume->policy, RECLAIM_DELETE);
    becomes(fixture, CLAIMED(HERS, "Released"));
    is_refused(fixture, patch);
}

static void warming_is_a_merge_patch_at_the_version_seen(void **state)
{
    struct fixture *fixture = *state;
    see(fixture, "{'metadata':{'name':'pvc-0','resourceVersion':'41'}}");
    cleanup_object struct object *holding = object_from(
        KIND_VOLUME_CLAIM, "{'metadata':{'name':'orders-0','annotations':{"
                           "'adjoint.dev/system-id':'74','adjoint.dev/database':'shop'}}}");
    cleanup_object struct object *pool =
        object_from(KIND_POOL, "{'metadata':{'name':'orders','namespace':'pools','uid':'up'}}");
    const char *patch = volume_patch_warm(fixture->volume, holding, pool, &fixture->arena);
    merges(fixture, patch);
    assert_non_null(strstr(patch, "\"resourceVersion\":\"41\""));
    const struct object *object = now(fixture);
    assert_int_equal(object->volume->state, VOLUME_STATE_WARM);
    assert_string_equal(object_label(object, LABEL_POOL_UID), "up");
    assert_string_equal(object_label(object, LABEL_POOL_NAMESPACE), "pools");
    assert_string_equal(object_annotation(object, ANNOTATION_SYSTEM_ID), "74");
    assert_null(object_annotation(object, ANNOTATION_OWNER));
}

/* While claimRef is empty the binder may give the volume to any claim that fits. */
static void no_patch_takes_the_claim_away(void **state)
{
    struct fixture *fixture = *state;
    struct arena *arena = &fixture->arena;
    see(fixture, WARM);
    const char *const of_warm[] = {claim(fixture, "data"), claim(fixture, NULL),
                                   volume_patch_retire(fixture->volume, WALL_MS, arena)};
    for (size_t i = 0; i < sizeof(of_warm) / sizeof(of_warm[0]); i++) {
        becomes(fixture, WARM);
        applies(fixture, of_warm[i]);
        assert_non_null(now(fixture)->volume->claim_name);
    }
    see(fixture, CLAIMED(HERS, "Released"));
    const char *const of_claimed[] = {
        adopt(fixture), volume_patch_dispose(fixture->volume, WALL_MS, arena),
        volume_patch_keep(fixture->volume, fixture->instance->instance, arena),
        volume_patch_expel(fixture->volume, arena), volume_patch_forget(fixture->volume, arena)};
    for (size_t i = 0; i < sizeof(of_claimed) / sizeof(of_claimed[0]); i++) {
        becomes(fixture, CLAIMED(HERS, "Released"));
        applies(fixture, of_claimed[i]);
        assert_non_null(now(fixture)->volume->claim_name);
    }
}

#define WITH_VOLUME(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VOLUME(claiming_makes_it_the_instances),
        WITH_VOLUME(claiming_by_name_leaves_the_uid_to_the_binder),
        WITH_VOLUME(only_one_of_claiming_and_retiring_goes_through),
        WITH_VOLUME(only_one_of_two_claims_goes_through),
        WITH_VOLUME(a_claim_tests_all_it_relies_on),
        WITH_VOLUME(disposal_needs_a_released_volume),
        WITH_VOLUME(only_one_of_disposal_and_adoption_goes_through),
        WITH_VOLUME(adoption_also_takes_a_volume_without_a_claim),
        WITH_VOLUME(another_instances_volume_is_not_disposed_of),
        WITH_VOLUME(an_expelled_volume_belongs_to_no_claim),
        WITH_VOLUME(a_volume_without_a_name_on_it_can_be_expelled),
        WITH_VOLUME(forgetting_takes_off_what_is_ours_alone),
        WITH_VOLUME(retiring_by_hand_is_given_its_policy),
        WITH_VOLUME(warming_is_a_merge_patch_at_the_version_seen),
        WITH_VOLUME(what_was_withdrawn_is_claimed_by_nothing_from_before),
        WITH_VOLUME(no_patch_takes_the_claim_away),
    };
    return cmocka_run_group_tests_name("volume_patch", tests, NULL, NULL);
}
