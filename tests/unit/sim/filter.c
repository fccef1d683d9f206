/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/filter.h"

#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A pod with the labels app=db, tier="", rank=7 and phase Running. */
static struct record *make_pod(void)
{
    static const char text[] =
        "{\"metadata\":{\"name\":\"p\",\"namespace\":\"dev\",\"uid\":\"u\","
        "\"labels\":{\"app\":\"db\",\"tier\":\"\",\"rank\":\"7\"}},"
        "\"spec\":{\"hostNetwork\":true},\"status\":{\"phase\":\"Running\"}}";
    cJSON *value;
    struct error error;
    assert_true(value_parse(text, &value, &error));
    return record_new(&resource_pods, value, 1);
}

static bool matches(const char *labels, const char *fields)
{
    struct record *pod = make_pod();
    struct filter filter;
    struct error error;
    if (!filter_parse(&filter, &resource_pods, labels, fields, &error)) {
        fail_msg("%s", error.message);
    }
    bool result = filter_matches(&filter, pod);
    filter_release(&filter);
    record_release(pod);
    return result;
}

static void assert_each(const char *const *labels, bool expected)
{
    for (size_t i = 0; labels[i] != NULL; i++) {
        if (matches(labels[i], NULL) != expected) {
            fail_msg("%s should be %s", labels[i], expected ? "true" : "false");
        }
    }
}

static void labels_match(void **state)
{
    (void)state;
    static const char *const ones[] = {
        "",
        " ",
        "app",
        "app=db",
        "app==db",
        " app = db ",
        "app!=web",
        "app!=",
        "missing!=x",
        "!missing",
        "! missing",
        "tier=",
        "tier in ()",
        "tier in (a,)",
        "app in (web, db)",
        "app notin (web)",
        "missing notin (a)",
        "rank>6",
        "rank<8",
        "app=db,rank",
        "app,tier,rank",
        "app=db,!missing,rank in (7)",
        NULL,
    };
    assert_each(ones, true);
}

static void labels_do_not_match(void **state)
{
    (void)state;
    static const char *const ones[] = {
        "missing",        "app=web",        "app=",           "!app",
        "app!=db",        "missing=x",      "app in (web)",   "app notin (web,db)",
        "missing in (a)", "rank>7",         "rank<7",         "app>1",
        "missing>1",      "app=db,missing", "missing,app=db", NULL,
    };
    assert_each(ones, false);
}

static void labels_that_make_no_sense(void **state)
{
    (void)state;
    static const char *const ones[] = {
        "=a", "a=b=c", "a b",  "a in b", "a in (b", "a in (b c)", "a,",
        ",a", "a,,b",  "!a=b", "a>b",    "a is b",  "(a)",
    };
    for (size_t i = 0; i < sizeof(ones) / sizeof(ones[0]); i++) {
        struct filter filter;
        struct error error;
        if (filter_parse(&filter, &resource_pods, ones[i], NULL, &error)) {
            fail_msg("%s was taken", ones[i]);
        }
        filter_release(&filter);
        assert_int_equal(error.class, ERROR_INVALID);
    }
}

static void fields_match(void **state)
{
    (void)state;
    assert_true(matches(NULL, "metadata.name=p"));
    assert_true(matches(NULL, "metadata.name==p,metadata.namespace=dev"));
    assert_true(matches(NULL, "status.phase!=Failed"));
    assert_true(matches(NULL, "spec.nodeName="));
    assert_true(matches(NULL, "spec.hostNetwork=true"));
    assert_true(matches(NULL, ""));
    assert_true(matches("app=db", "metadata.name=p"));
    assert_false(matches("app=web", "metadata.name=p"));
    assert_false(matches("app=db", "metadata.name=q"));
    assert_false(matches(NULL, "status.phase=Failed,metadata.name=p"));
    assert_false(matches(NULL, "spec.nodeName=n"));
    assert_false(matches(NULL, "metadata.name!=p"));
}

static void a_field_value_may_be_escaped(void **state)
{
    (void)state;
    struct filter filter;
    struct error error;
    assert_true(filter_parse(&filter, &resource_pods, NULL,
                             "metadata.name=a\\,b\\=c\\\\d,status.phase=x", &error));
    const struct requirement *second = filter.requirements;
    assert_string_equal(second->values[0], "x");
    assert_string_equal(second->next->values[0], "a,b=c\\d");
    filter_release(&filter);
}

static void fields_nobody_knows_are_refused(void **state)
{
    (void)state;
    static const struct {
        const struct resource *resource;
        const char *fields;
    } ones[] = {
        {&resource_pods, "spec.foo=a"},    {&resource_persistent_volumes, "status.phase=Bound"},
        {&resource_pods, "metadata.name"}, {&resource_pods, "metadata.name!p"},
        {&resource_pods, "name=p"},
    };
    for (size_t i = 0; i < sizeof(ones) / sizeof(ones[0]); i++) {
        struct filter filter;
        struct error error;
        assert_false(filter_parse(&filter, ones[i].resource, NULL, ones[i].fields, &error));
        filter_release(&filter);
        assert_int_equal(error.class, ERROR_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_match),
        cmocka_unit_test(labels_do_not_match),
        cmocka_unit_test(labels_that_make_no_sense),
        cmocka_unit_test(fields_match),
        cmocka_unit_test(a_field_value_may_be_escaped),
        cmocka_unit_test(fields_nobody_knows_are_refused),
    };
    return cmocka_run_group_tests_name("sim/filter", tests, NULL, NULL);
}
