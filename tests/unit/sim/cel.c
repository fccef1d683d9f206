/* SPDX-License-Identifier: Apache-2.0 */
/* What the language definition says, and what a real kube-apiserver 1.36 answered to the same. */
#include "sim/cel.h"

#include "sim/schema_node.h"

#include "base/memory.h"
#include "support/json_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char SCHEMA[] =
    "{'type':'object','properties':{"
    "'n':{'type':'integer'},'d':{'type':'number'},'s':{'type':'string'},'t':{'type':'string'},"
    "'b':{'type':'boolean'},'nothing':{'type':'string','nullable':true},"
    "'either':{'x-kubernetes-int-or-string':true},"
    "'list':{'type':'array','items':{'type':'string'}},"
    "'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},"
    "'keyed':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
    "'items':{'type':'object','required':['k'],"
    "'properties':{'k':{'type':'string'},'v':{'type':'integer'}}}},"
    "'map':{'type':'object','additionalProperties':{'type':'integer'}},"
    "'o':{'type':'object','properties':{'in':{'type':'string'},'x.y-z/w':{'type':'string'},"
    "'p':{'type':'object','properties':{'q':{'type':'string'}}}}}}}";

static const char OBJECT[] =
    "{'metadata':{'name':'orders'},'n':3,'d':2.5,'s':'ab','t':'\u00e9t\u00e9','b':true,"
    "'nothing':null,'either':'x','list':['a','b'],'set':['a','b'],"
    "'keyed':[{'k':'1','v':1},{'k':'2','v':2}],'map':{'one':1},'o':{'in':'here','x.y-z/w':'v'}}";
static const char OLD[] =
    "{'metadata':{'name':'orders'},'n':2,'s':'ab','list':['b','a'],'set':['b','a'],"
    "'keyed':[{'k':'2','v':2},{'k':'1','v':1}]}";

struct fixture {
    cJSON *schema, *object, *old;
    struct schema_node *node;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    cleanup_violations struct violations violations;
    violations_init(&violations);
    fixture.schema = json_value(SCHEMA);
    fixture.object = json_value(OBJECT);
    fixture.old = json_value(OLD);
    fixture.node = schema_node_new(fixture.schema, "schema", &violations);
    assert_non_null(fixture.node);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    schema_node_free(fixture->node);
    cJSON_Delete(fixture->schema);
    cJSON_Delete(fixture->object);
    cJSON_Delete(fixture->old);
    return 0;
}

static struct cel *rule(const struct fixture *fixture, const char *source)
{
    struct cel_place place = {.self = fixture->node};
    struct cel *cel = NULL;
    struct error error;
    if (!cel_new(source, &place, CEL_GIVES_TRUTH, &cel, &error)) {
        fail_msg("%s: %s", source, error.message);
    }
    return cel;
}

static void assert_judged(const struct fixture *fixture, const char *source, bool expected)
{
    struct cel *cel = rule(fixture, source);
    struct error error;
    bool holds = !expected;
    if (!cel_judge(cel, fixture->object, fixture->old, &holds, &error)) {
        fail_msg("%s: %s", source, error.message);
    }
    if (holds != expected) {
        fail_msg("%s is %s", source, holds ? "true" : "false");
    }
    cel_free(cel);
}

static void assert_holds(void **state, const char *source)
{
    assert_judged(*state, source, true);
}

static void assert_fails(void **state, const char *source)
{
    assert_judged(*state, source, false);
}

/* It goes wrong with this object. */
static void assert_error(void **state, const char *source, const char *message)
{
    const struct fixture *fixture = *state;
    struct cel *cel = rule(fixture, source);
    struct error error;
    bool holds = false;
    assert_false(cel_judge(cel, fixture->object, fixture->old, &holds, &error));
    assert_string_equal(error.message, message);
    cel_free(cel);
}

static void assert_refused(void **state, const char *source, const char *part)
{
    const struct fixture *fixture = *state;
    struct cel_place place = {.self = fixture->node};
    struct cel *cel = NULL;
    struct error error;
    if (cel_new(source, &place, CEL_GIVES_TRUTH, &cel, &error)) {
        fail_msg("%s was taken", source);
    }
    if (strstr(error.message, part) == NULL) {
        fail_msg("%s: %s", source, error.message);
    }
}

/* ---- literals and operators ---- */

static void literals_are_themselves(void **state)
{
    assert_holds(state, "true");
    assert_fails(state, "false");
    assert_holds(state, "self.n == 3 && self.d == 2.5 && self.n != -3");
    assert_holds(state, "self.s == 'ab' && self.s == \"ab\" && self.s == r'ab'");
    assert_holds(state, "'it\\'s' == \"it's\" && r'\\d' != '\\n'");
    assert_holds(state, "self.nothing == null");
    assert_holds(state, "self.list == ['a', 'b'] && ['a', 'b'] == self.list");
    assert_fails(state, "self.list == ['a', 'b', 'c']");
    assert_holds(state, "[['a']] == [['a']]");
}

static void operators_bind_as_the_language_says(void **state)
{
    assert_holds(state, "true || false && false");
    assert_fails(state, "(true || false) && false");
    assert_holds(state, "!false && !!true");
    assert_fails(state, "!(false || true)");
    assert_holds(state, "self.n == 3 == true");
    assert_holds(state, "false ? false : true ? true : false");
    assert_holds(state, "self.n > 2 ? self.b : false");
    assert_holds(state, "self.s + 'c' == 'abc' && self.s + 'c' + 'd' == 'abcd'");
}

static void numbers_and_texts_have_an_order(void **state)
{
    assert_holds(state, "self.n < 4 && self.n <= 3 && self.n > 2 && self.n >= 3");
    assert_fails(state, "self.n < 3 || self.n > 3");
    assert_holds(state, "self.d > 2 && self.n > 2.5");
    assert_holds(state, "self.s < 'b' && self.s > 'a' && self.s >= 'ab' && self.s <= 'ab'");
}

static void in_looks_into_lists_and_maps(void **state)
{
    assert_holds(state, "'a' in self.list && !('c' in self.list)");
    assert_holds(state, "self.s in ['x', 'ab']");
    assert_holds(state, "'one' in self.map && !('two' in self.map)");
}

/* ---- members ---- */

static void members_are_reached_by_name_and_by_index(void **state)
{
    assert_holds(state, "self.o.__in__ == 'here'");
    assert_holds(state, "self.o.x__dot__y__dash__z__slash__w == 'v'");
    assert_holds(state, "self.list[1] == 'b' && self.map['one'] == 1");
    assert_holds(state, "self.keyed[0].k == '1'");
    assert_holds(state, "self.metadata.name == 'orders'");
}

static void has_tells_whether_a_member_is_there(void **state)
{
    assert_holds(state, "has(self.o) && !has(self.o.p) && has(self.map.one) && !has(self.map.two)");
    assert_holds(state, "has(self.nothing)");
}

static void what_is_not_there_is_an_error(void **state)
{
    assert_error(state, "self.o.p.q == 'x'", "no such key: p");
    assert_error(state, "self.map['two'] == 2", "no such key: two");
    assert_error(state, "self.list[2] == 'c'", "index out of bounds: 2");
    assert_error(state, "self.either > 3", "no such overload");
}

static void logic_forgives_an_error_that_does_not_matter(void **state)
{
    assert_holds(state, "!has(self.o.p) || self.o.p.q == 'x'");
    assert_holds(state, "self.o.p.q == 'x' || true");
    assert_fails(state, "self.o.p.q == 'x' && false");
    assert_error(state, "self.o.p.q == 'x' || false", "no such key: p");
    assert_error(state, "true && self.o.p.q == 'x'", "no such key: p");
}

/* ---- functions ---- */

static void size_counts_characters_items_and_members(void **state)
{
    assert_holds(state, "size(self.t) == 3 && self.t.size() == 3");
    assert_holds(state, "size(self.list) == 2 && size(self.map) == 1 && size([]) == 0");
}

static void texts_can_be_searched(void **state)
{
    assert_holds(state, "self.s.matches('^a') && self.s.matches('b') && matches(self.s, '^..$')");
    assert_fails(state, "self.s.matches('^b')");
    assert_holds(state, "self.s.startsWith('a') && self.s.endsWith('b') && self.s.contains('ab')");
    assert_fails(state, "self.s.startsWith('b') || self.s.endsWith('a') || self.s.contains('ba')");
}

/* ---- oldSelf ---- */

static void old_and_new_are_compared_as_the_list_type_says(void **state)
{
    assert_holds(state, "self.n > oldSelf.n");
    assert_fails(state, "self.list == oldSelf.list");
    assert_holds(state, "self.set == oldSelf.set && self.keyed == oldSelf.keyed");
}

static void a_rule_knows_whether_it_uses_old_self(void **state)
{
    const struct fixture *fixture = *state;
    struct cel *with = rule(fixture, "self == oldSelf");
    struct cel *without = rule(fixture, "self.b");
    assert_true(cel_uses_old_self(with));
    assert_false(cel_uses_old_self(without));
    cel_free(with);
    cel_free(without);
}

static void an_optional_old_self_may_be_absent(void **state)
{
    const struct fixture *fixture = *state;
    struct cel_place place = {.self = schema_node_member(fixture->node, "s"),
                              .old_is_optional = true};
    struct cel *cel = NULL;
    struct error error;
    bool holds = false;
    cJSON *self = json_value("'x'");
    cJSON *old = json_value("'y'");
    assert_true(cel_new("!oldSelf.hasValue() || oldSelf.value() == self", &place, CEL_GIVES_TRUTH,
                        &cel, &error));
    assert_true(cel_judge(cel, self, NULL, &holds, &error) && holds);
    assert_true(cel_judge(cel, self, old, &holds, &error) && !holds);
    cel_free(cel);
    assert_true(cel_new("oldSelf.orValue('x') == self", &place, CEL_GIVES_TRUTH, &cel, &error));
    assert_true(cel_judge(cel, self, NULL, &holds, &error) && holds);
    assert_true(cel_judge(cel, self, old, &holds, &error) && !holds);
    cel_free(cel);
    assert_true(cel_new("oldSelf.value() == self", &place, CEL_GIVES_TRUTH, &cel, &error));
    assert_false(cel_judge(cel, self, NULL, &holds, &error));
    assert_string_equal(error.message, "optional.none() dereference");
    cel_free(cel);
    cJSON_Delete(self);
    cJSON_Delete(old);
}

/* ---- messages ---- */

static void a_message_is_a_text_made_of_the_object(void **state)
{
    const struct fixture *fixture = *state;
    struct cel_place place = {.self = fixture->node};
    struct cel *cel = NULL;
    struct error error;
    char *said cleanup_memory = NULL;
    assert_true(
        cel_new("'not ' + (self.b ? self.s : 'that')", &place, CEL_GIVES_TEXT, &cel, &error));
    assert_true(cel_write(cel, fixture->object, NULL, &said, &error));
    assert_string_equal(said, "not ab");
    cel_free(cel);
    assert_false(cel_new("self.n", &place, CEL_GIVES_TEXT, &cel, &error));
    assert_string_equal(error.message, "messageExpression must evaluate to a string");
}

/* ---- what is refused when the rule is made ---- */

static void types_are_checked_against_the_schema(void **state)
{
    assert_refused(state, "self.nn == 3", "undefined field 'nn'");
    assert_refused(state, "self.o.nn == 3", "undefined field 'nn'");
    assert_refused(state, "self.metadata.labels == 3", "undefined field 'labels'");
    assert_refused(state, "has(self.nn)", "undefined field 'nn'");
    assert_refused(state, "self.n.x == 3", "type 'int' does not support field selection");
    assert_refused(state, "self.n == 'x'", "overload for '== or !=' applied to 'int, string'");
    assert_refused(state, "self.n == 2.5", "applied to 'int, double'");
    assert_refused(state, "self.s == null", "applied to 'string, null'");
    assert_refused(state, "self.s < 3", "applied to 'string, int'");
    assert_refused(state, "!self.n", "applied to 'int'");
    assert_refused(state, "self.b && self.n", "applied to 'bool, int'");
    assert_refused(state, "self.b ? 1 : 'x'", "_?_:_");
    assert_refused(state, "size(self.n) == 1", "'size' applied to 'int'");
    assert_refused(state, "self.n.matches('x')", "applied to 'int, string'");
    assert_refused(state, "'a' in self.s", "'in' applied to 'string, string'");
    assert_refused(state, "self.list['a'] == 'a'", "'_[_]' applied to 'list, string'");
    assert_refused(state, "self.n", "must evaluate to a bool");
    assert_refused(state, "oldSelf.hasValue()", "hasValue");
}

static void what_is_not_done_here_is_refused(void **state)
{
    assert_refused(state, "self.list.all(x, x == 'a')", "all() is not supported");
    assert_refused(state, "self.n + 1 == 4", "not supported");
    assert_refused(state, "self.n - 1 == 2", "expected an operator");
    assert_refused(state, "self.n * 2 == 6", "not supported");
    assert_refused(state, "-self.n == 3", "arithmetic is not supported");
    assert_refused(state, "self.s.matches(self.t)", "no literal is not supported");
    assert_refused(state, "self.s.matches('a{1,2}?')", "not supported");
    assert_refused(state, "{'a': 1}['a'] == 1", "not supported");
    assert_refused(state, "b'x' == b'x'", "undeclared reference to 'b'");
    assert_refused(state, "self.s == '''x'''", "triple quotes");
    assert_refused(state, "self.s == '\\x41'", "escape");
    assert_refused(state, "self.n == 3u", "number");
}

static void what_is_no_expression_is_refused_at_its_place(void **state)
{
    assert_refused(state, "", "expected an expression at byte 1");
    assert_refused(state, "self.b &&", "expected an expression at byte 10");
    assert_refused(state, "self.b self.b", "expected an operator at byte 8");
    assert_refused(state, "(self.b", "expected ')'");
    assert_refused(state, "self.", "expected a name");
    assert_refused(state, "self.o.in == 'x'", "expected a name at byte 8");
    assert_refused(state, "other", "undeclared reference to 'other' at byte 1");
    assert_refused(state, "has(self)", "invalid argument to has()");
    assert_refused(state, "size()", "no matching overload for 'size'");
    assert_refused(state, "self.s == 'x", "has no end");
    assert_refused(state, "self.b ? true", "expected ':'");
}

static void nesting_has_a_limit(void **state)
{
    char source[512] = "";
    (void)memset(source, '(', 300);
    (void)memcpy(source + 300, "true", 5);
    assert_refused(state, source, "nested too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_are_themselves),
        cmocka_unit_test(operators_bind_as_the_language_says),
        cmocka_unit_test(numbers_and_texts_have_an_order),
        cmocka_unit_test(in_looks_into_lists_and_maps),
        cmocka_unit_test(members_are_reached_by_name_and_by_index),
        cmocka_unit_test(has_tells_whether_a_member_is_there),
        cmocka_unit_test(what_is_not_there_is_an_error),
        cmocka_unit_test(logic_forgives_an_error_that_does_not_matter),
        cmocka_unit_test(size_counts_characters_items_and_members),
        cmocka_unit_test(texts_can_be_searched),
        cmocka_unit_test(old_and_new_are_compared_as_the_list_type_says),
        cmocka_unit_test(a_rule_knows_whether_it_uses_old_self),
        cmocka_unit_test(an_optional_old_self_may_be_absent),
        cmocka_unit_test(a_message_is_a_text_made_of_the_object),
        cmocka_unit_test(types_are_checked_against_the_schema),
        cmocka_unit_test(what_is_not_done_here_is_refused),
        cmocka_unit_test(what_is_no_expression_is_refused_at_its_place),
        cmocka_unit_test(nesting_has_a_limit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
