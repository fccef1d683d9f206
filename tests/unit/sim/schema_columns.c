/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/schema_columns.h"

#include "base/memory.h"
#include "support/json_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char OBJECT[] =
    "{'metadata':{'name':'x','creationTimestamp':'2025-06-01T10:00:00Z',"
    "'annotations':{'a.b/c':'dotted'}},"
    "'spec':{'n':3,'half':2.5,'yes':true,'text':'t','list':['p','q'],'o':{'a':1}},"
    "'status':{'conditions':[{'type':'Ready','status':'True','n':1},"
    "{'type':'Other','status':'False','n':2}]}}";

/* 2025-06-01T10:00:00Z and so many seconds. */
static int64_t after(int64_t seconds)
{
    return (INT64_C(1748772000) + seconds) * 1000;
}

static int set_up(void **state)
{
    *state = json_value(OBJECT);
    return 0;
}

static int tear_down(void **state)
{
    cJSON_Delete(*state);
    return 0;
}

static void assert_cell(void **state, const char *type, const char *path, const char *expected)
{
    struct column column = {.name = "C", .type = type, .json_path = path};
    assert_json_value_take(column_cell(&column, *state, after(192)), expected);
}

static void paths_lead_to_cells(void **state)
{
    assert_cell(state, "string", ".spec.text", "'t'");
    assert_cell(state, "integer", ".spec.n", "3");
    assert_cell(state, "string", ".spec['text']", "'t'");
    assert_cell(state, "string", ".metadata.annotations.a\\.b/c", "'dotted'");
    assert_cell(state, "string", ".spec.list[1]", "'q'");
    assert_cell(state, "string", ".spec.list[-1]", "'q'");
    assert_cell(state, "string", ".spec.list[*]", "'p'");
    assert_cell(state, "string", ".status.conditions[*].status", "'True'");
    assert_cell(state, "string", ".status.conditions[?(@.type==\"Other\")].status", "'False'");
    assert_cell(state, "string", ".status.conditions[?(@.type=='Ready')].status", "'True'");
    assert_cell(state, "string", ".status.conditions[?(@.type != 'Ready')].type", "'Other'");
    assert_cell(state, "string", ".status.conditions[?(@.n==2)].type", "'Other'");
}

static void what_is_not_there_is_an_empty_cell(void **state)
{
    assert_cell(state, "string", ".spec.other.text", "null");
    assert_cell(state, "string", ".spec.list[2]", "null");
    assert_cell(state, "string", ".status.conditions[?(@.type==\"None\")].status", "null");
}

static void a_cell_is_of_its_columns_type(void **state)
{
    assert_cell(state, "integer", ".spec.text", "null");
    assert_cell(state, "integer", ".spec.half", "2");
    assert_cell(state, "number", ".spec.half", "2.5");
    assert_cell(state, "boolean", ".spec.yes", "true");
    assert_cell(state, "boolean", ".spec.n", "null");
    assert_cell(state, "string", ".spec.n", "'3'");
    assert_cell(state, "string", ".spec.yes", "'true'");
    assert_cell(state, "date", ".metadata.creationTimestamp", "'3m12s'");
    assert_cell(state, "date", ".spec.text", "'<invalid>'");
}

/* k8s.io/apimachinery/pkg/util/duration */
static void ages_are_short(void **state)
{
    static const struct {
        int64_t seconds;
        const char *age;
    } cases[] = {
        {-5, "0s"},         {0, "0s"},         {119, "119s"},      {120, "2m"},
        {599, "9m59s"},     {600, "10m"},      {10799, "179m"},    {10800, "3h"},
        {28799, "7h59m"},   {28800, "8h"},     {172799, "47h"},    {172800, "2d"},
        {176400, "2d1h"},   {691200, "8d"},    {63071999, "729d"}, {63072000, "2y"},
        {63158400, "2y1d"}, {252288000, "8y"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char *age cleanup_memory = column_age("2025-06-01T10:00:00Z", after(cases[i].seconds));
        assert_string_equal(age, cases[i].age);
    }
}

static void a_definition_without_columns_shows_the_age(void **state)
{
    cleanup_violations struct violations violations;
    (void)state;
    violations_init(&violations);
    struct columns *columns = columns_new(NULL, "v", &violations);
    assert_int_equal(columns->count, 1);
    assert_string_equal(columns->items[0].name, "Age");
    columns_free(columns);
}

static void columns_are_read_in_order(void **state)
{
    cleanup_violations struct violations violations;
    (void)state;
    violations_init(&violations);
    cJSON *rows =
        json_value("[{'name':'A','type':'string','jsonPath':'.a','priority':1,'description':'d',"
                   "'format':'f'},{'name':'B','type':'date','jsonPath':'.b'}]");
    struct columns *columns = columns_new(rows, "v", &violations);
    assert_int_equal(columns->count, 2);
    assert_string_equal(columns->items[0].json_path, ".a");
    assert_string_equal(columns->items[0].description, "d");
    assert_string_equal(columns->items[0].format, "f");
    assert_int_equal(columns->items[0].priority, 1);
    assert_string_equal(columns->items[1].type, "date");
    assert_string_equal(columns->items[1].description, "");
    columns_free(columns);
    cJSON_Delete(rows);
}

static void assert_refused(const char *row, const char *expected)
{
    cleanup_violations struct violations violations;
    cleanup_text struct text said;
    violations_init(&violations);
    text_init(&said, 4096);
    cJSON *rows = json_value(row);
    assert_null(columns_new(rows, "v", &violations));
    violations_say(&violations, &said);
    cJSON_Delete(rows);
    if (strstr(said.bytes, expected) == NULL) {
        fail_msg("%s: %s", row, said.bytes);
    }
}

static void what_cannot_be_shown_is_refused(void **state)
{
    static const char *const paths[] = {
        "",     "a",           ".a..b", ".a[", ".a[0:2]", ".a[?(@.b>3)].c", ".a[?(@.b==x)",
        ".{a}", ".a[?(b==1)]", ".a.*",
    };
    (void)state;
    assert_refused("[{'name':'A','type':'text','jsonPath':'.a'}]", "v[0].type: Invalid value");
    assert_refused("[{'type':'string','jsonPath':'.a'}]", "a column needs a name");
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        cleanup_text struct text row;
        text_init(&row, 1024);
        text_print(&row, "[{'name':'A','type':'string','jsonPath':'%s'}]", paths[i]);
        assert_refused(row.bytes, "v[0].jsonPath: Invalid value");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_lead_to_cells),
        cmocka_unit_test(what_is_not_there_is_an_empty_cell),
        cmocka_unit_test(a_cell_is_of_its_columns_type),
        cmocka_unit_test(ages_are_short),
        cmocka_unit_test(a_definition_without_columns_shows_the_age),
        cmocka_unit_test(columns_are_read_in_order),
        cmocka_unit_test(what_cannot_be_shown_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
