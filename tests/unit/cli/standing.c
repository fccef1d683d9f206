/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/standing.h"

#include "base/text.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CONDITION(type, status, reason, generation)                                                \
    "{'type':'" type "','status':'" status "','reason':'" reason                                   \
    "','message':'words','observedGeneration':" generation                                         \
    ",'lastTransitionTime':'2026-07-01T12:00:00Z'}"

static struct object *instance(const char *meta, const char *status)
{
    cleanup_text struct text json;
    text_init(&json, 16 * 1024);
    text_print(&json,
               "{'metadata':{'name':'alice','namespace':'dev','generation':2%s},'spec':{'pool':{"
               "'name':'main','namespace':'golden'}},'status':{%s}}",
               meta, status);
    return object_from(KIND_INSTANCE, json.bytes);
}

static void assert_stands(const char *meta, const char *status, const char *expected)
{
    cleanup_object struct object *object = instance(meta, status);
    cleanup_text struct text line;
    text_init(&line, 4096);
    standing_print(object, &line);
    assert_string_equal(line.bytes, expected);
}

static void each_phase_has_its_words(void **state)
{
    (void)state;
    assert_stands("", "", "Pending: adjoint-operator has not looked at it yet");
    assert_stands("",
                  "'phase':'Pending','conditions':[" CONDITION(
                      "Ready", "False", "NotEligible", "2") "," CONDITION("Eligible", "False",
                                                                          "QuotaExceeded", "2") "]",
                  "Pending: QuotaExceeded: words");
    assert_stands("", "'phase':'Waiting','queue':{'position':4}",
                  "Waiting for a clone: position 4 in the queue of pool golden/main");
    assert_stands("",
                  "'phase':'Waiting','queue':{'position':4},'conditions':[" CONDITION(
                      "VolumeBound", "False", "LaneFull", "2") "]",
                  "Waiting for a clone: position 4 in the queue of pool golden/main: LaneFull: "
                  "words");
    assert_stands("", "'phase':'Claiming','volume':{'name':'pv-1'}", "Claiming volume pv-1");
    assert_stands("",
                  "'phase':'Claiming','volume':{'name':'pv-1'},'conditions':[" CONDITION(
                      "VolumeBound", "False", "Claiming", "2") "]",
                  "Claiming volume pv-1: words");
    assert_stands("",
                  "'phase':'Starting','volume':{'name':'pv-1'},'conditions':[" CONDITION(
                      "Ready", "False", "ClusterDeleting", "2") "]",
                  "Starting on volume pv-1: ClusterDeleting: words");
    assert_stands("", "'phase':'Ready'", "Ready");
    assert_stands(
        "",
        "'phase':'Failed','conditions':[" CONDITION("Ready", "False", "ClusterDeleted", "2") "]",
        "Failed: ClusterDeleted: words");
}

static void one_that_goes_is_going_whatever_its_phase_says(void **state)
{
    (void)state;
    static const char *const meta = ",'deletionTimestamp':'2026-07-01T12:00:00Z'";
    assert_stands(meta, "'phase':'Ready'", "Deleting");
    assert_stands(meta,
                  "'phase':'Pending','conditions':[" CONDITION("Eligible", "False", "Old", "2") "]",
                  "Deleting");
    assert_stands(
        meta, "'phase':'Deleting','conditions':[" CONDITION("Ready", "False", "Deleting", "2") "]",
        "Deleting: words");
}

static bool is_hopeless(const char *status)
{
    cleanup_object struct object *object = instance("", status);
    return standing_is_hopeless(object);
}

static void only_what_a_person_must_change_is_hopeless(void **state)
{
    (void)state;
    assert_true(is_hopeless("'phase':'Failed'"));
    assert_true(is_hopeless(
        "'conditions':[" CONDITION("Eligible", "False", "NamespaceNotAllowed", "2") "]"));
    assert_true(is_hopeless("'conditions':[" CONDITION("Eligible", "False", "NameTaken", "2") "]"));
    assert_false(is_hopeless(
        "'conditions':[" CONDITION("Eligible", "False", "LeftoverOfSameName", "2") "]"));
    assert_false(
        is_hopeless("'conditions':[" CONDITION("Eligible", "False", "NewReason", "2") "]"));
    assert_false(is_hopeless("'conditions':[" CONDITION("Ready", "False", "NameTaken", "2") "]"));
}

static void what_was_said_of_an_older_spec_may_have_passed(void **state)
{
    (void)state;
    assert_false(is_hopeless(
        "'conditions':[" CONDITION("Eligible", "False", "NamespaceNotAllowed", "1") "]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_phase_has_its_words),
        cmocka_unit_test(one_that_goes_is_going_whatever_its_phase_says),
        cmocka_unit_test(only_what_a_person_must_change_is_hopeless),
        cmocka_unit_test(what_was_said_of_an_older_spec_may_have_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
