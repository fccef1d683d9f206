/* SPDX-License-Identifier: Apache-2.0 */
/* What no plan shows: SQL that is very long, and names with quotes in them. */
#include "plan/statements.h"

#include "api/names.h"
#include "base/json.h"
#include "base/limits.h"
#include "plan/errand.h"
#include "support/handoff_fixture.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LONG = 200000 };

static int set_up(void **state)
{
    static struct handoff_fixture fixture;
    handoff_fixture_init(&fixture,
                         "{'metadata':{'name':'pvc-0','annotations':{"
                         "'adjoint.dev/database':'shop','adjoint.dev/owner':'o\\u0027neil'}}}",
                         "{'credentials':{'scrambleRoles':true},"
                         "'sanitize':{'configMap':{'name':'sql','keys':['a']}}}");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    handoff_fixture_release(*state);
    return 0;
}

/* So many bytes of one character. */
static char *repeat(struct handoff_fixture *fixture, const char *character, size_t byte_count)
{
    char *text = arena_new(&fixture->arena, byte_count + 1, 1);
    size_t size = strlen(character);
    for (size_t i = 0; i + size <= byte_count; i += size) {
        memcpy(text + i, character, size);
    }
    return text;
}

static const char *judge(struct handoff_fixture *fixture, size_t byte_count)
{
    struct object *config_map = object_from(
        KIND_CONFIG_MAP,
        arena_print(&fixture->arena,
                    "{'metadata':{'name':'sql','namespace':'pools','labels':{'" LABEL_ROLE
                    "':'" ROLE_SANITIZE "'}},'data':{'a':'%s'}}",
                    repeat(fixture, "x", byte_count)));
    const char *reason = statements_check(fixture->pool, config_map, &fixture->arena).reason;
    object_free(config_map);
    return reason;
}

static void more_than_a_pod_carries_is_refused(void **state)
{
    struct handoff_fixture *fixture = *state;
    assert_null(judge(fixture, LIMIT_STATEMENTS_BYTES));
    assert_string_equal(judge(fixture, LIMIT_STATEMENTS_BYTES + 1), "StatementsTooLarge");
}

static void a_quote_in_a_name_ends_nothing(void **state)
{
    struct handoff_fixture *fixture = *state;
    struct handoff handoff = handoff_fixture_get(fixture);
    const char *sql = statements_text(&handoff, NULL, &fixture->arena);
    assert_non_null(strstr(sql, "'streaming_replica', 'o''neil')"));
}

/* Of characters of three bytes, so that no argument's limit falls between two of them. */
static void long_ones_are_cut_between_characters(void **state)
{
    struct handoff_fixture *fixture = *state;
    struct handoff handoff = handoff_fixture_get(fixture);
    const char *sql = arena_print(&fixture->arena, "x%s", repeat(fixture, "\u20ac", LONG));
    struct errand_pod pod = {.handoff = &handoff,
                             .errand = ERRAND_SANITIZE,
                             .data_claim_uid = "uc",
                             .image = "postgres",
                             .secret = "s",
                             .probe = "select 1",
                             .statements = sql};
    const char *body = errand_pod(&pod, &fixture->arena);
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(body, strlen(body), &document, &error));
    const struct json *containers = json_path(json_root(document), "spec", "containers", NULL);
    size_t argument_count = 0;
    const char *rest = sql;
    for (const struct json *at = json_first(json_member(json_first(containers), "args"));
         at != NULL; at = json_next(at)) {
        const char *argument = json_text(at);
        size_t byte_count = strlen(argument);
        assert_memory_equal(rest, argument, byte_count);
        assert_int_equal((byte_count - (argument_count == 0)) % strlen("\u20ac"), 0);
        rest += byte_count;
        argument_count++;
    }
    assert_string_equal(rest, "");
    assert_true(argument_count > 1);
}

#define WITH_OBJECTS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OBJECTS(more_than_a_pod_carries_is_refused),
        WITH_OBJECTS(a_quote_in_a_name_ends_nothing),
        WITH_OBJECTS(long_ones_are_cut_between_characters),
    };
    return cmocka_run_group_tests_name("statements", tests, NULL, NULL);
}
