/* SPDX-License-Identifier: Apache-2.0 */
#include "api/condition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct condition NOT_READY = {
    .type = "Ready",
    .status = CONDITION_FALSE,
    .reason = "Starting",
    .message = "Postgres is not ready yet",
    .observed_generation = 2,
    .changed_ms = 1000,
};

static void read_from(const char *json, struct arena *arena, struct conditions *out)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(json, strlen(json), &document, &error));
    struct json_reader reader;
    json_reader_init(&reader, arena);
    conditions_read(&reader, json_root(document), out);
    assert_true(json_reader_check(&reader, "status", &error));
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    struct condition written_items[CONDITIONS_MAX] = {NOT_READY, NOT_READY};
    struct conditions written = {.count = 2, .items = written_items};
    written.items[1].type = "Eligible";
    written.items[1].status = CONDITION_TRUE;
    written.items[1].message = "say \"hello\"\n";

    cleanup_text struct text text;
    text_init(&text, 4096);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    json_begin_object(&writer);
    json_write_key(&writer, "conditions");
    conditions_write(&written, &writer);
    json_end_object(&writer);

    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct conditions read;
    read_from(text.bytes, &arena, &read);
    assert_true(conditions_equal(&written, &read));
    assert_int_equal(read.items[0].changed_ms, 1000);
}

static void writes_what_kubernetes_expects(void **state)
{
    (void)state;
    struct condition conditions_items[CONDITIONS_MAX] = {NOT_READY};
    struct conditions conditions = {.count = 1, .items = conditions_items};
    cleanup_text struct text text;
    text_init(&text, 4096);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    conditions_write(&conditions, &writer);
    assert_string_equal(text.bytes,
                        "[{\"type\":\"Ready\",\"status\":\"False\",\"observedGeneration\":2,"
                        "\"lastTransitionTime\":\"1970-01-01T00:00:01Z\","
                        "\"reason\":\"Starting\",\"message\":\"Postgres is not ready yet\"}]");
}

static void no_conditions_are_an_empty_list(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct conditions conditions;
    read_from("{}", &arena, &conditions);
    assert_int_equal(conditions.count, 0);
    assert_null(conditions_find(&conditions, "Ready"));

    cleanup_text struct text text;
    text_init(&text, 10);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    conditions_write(&conditions, &writer);
    assert_string_equal(text.bytes, "[]");
}

static void an_unknown_status_reads_as_unknown(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct conditions conditions;
    read_from("{\"conditions\":[{\"type\":\"A\",\"status\":\"Maybe\"},{\"type\":\"B\"}]}", &arena,
              &conditions);
    assert_int_equal(conditions_find(&conditions, "A")->status, CONDITION_UNKNOWN);
    assert_string_equal(conditions_find(&conditions, "B")->reason, "");
}

static void more_than_the_maximum_are_dropped(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 4096);
    text_append(&text, "{\"conditions\":[");
    for (int i = 0; i < CONDITIONS_MAX + 3; i++) {
        text_print(&text, "%s{\"type\":\"T%d\"}", i == 0 ? "" : ",", i);
    }
    text_append(&text, "]}");
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct conditions conditions;
    read_from(text.bytes, &arena, &conditions);
    assert_int_equal(conditions.count, CONDITIONS_MAX);
    assert_string_equal(conditions.items[CONDITIONS_MAX - 1].type, "T5");
}

static void the_time_of_change_stays_while_the_status_does(void **state)
{
    (void)state;
    struct condition before_items[CONDITIONS_MAX] = {NOT_READY};
    struct conditions before = {.count = 1, .items = before_items};
    struct condition after_items[CONDITIONS_MAX];
    struct conditions after = {.items = after_items};
    struct condition next = NOT_READY;
    next.changed_ms = 5000;
    next.message = "Postgres replays its log";
    conditions_set(&after, &before, next);
    assert_int_equal(after.items[0].changed_ms, 1000);
    assert_string_equal(after.items[0].message, "Postgres replays its log");

    next.status = CONDITION_TRUE;
    conditions_set(&after, &before, next);
    assert_int_equal(after.count, 1);
    assert_int_equal(after.items[0].changed_ms, 5000);
}

static void a_new_type_is_added_behind(void **state)
{
    (void)state;
    struct conditions before = {0};
    struct condition after_items[CONDITIONS_MAX] = {NOT_READY};
    struct conditions after = {.count = 1, .items = after_items};
    struct condition next = NOT_READY;
    next.type = "VolumeBound";
    next.changed_ms = 7;
    conditions_set(&after, &before, next);
    assert_int_equal(after.count, 2);
    assert_ptr_equal(conditions_find(&after, "VolumeBound"), &after.items[1]);
    assert_int_equal(after.items[1].changed_ms, 7);
}

static void setting_in_place_works(void **state)
{
    (void)state;
    struct condition conditions_items[CONDITIONS_MAX] = {NOT_READY};
    struct conditions conditions = {.count = 1, .items = conditions_items};
    struct condition next = NOT_READY;
    next.changed_ms = 9000;
    conditions_set(&conditions, &conditions, next);
    assert_int_equal(conditions.items[0].changed_ms, 1000);
}

static void equality_sees_all_but_the_time(void **state)
{
    (void)state;
    struct condition one_items[CONDITIONS_MAX] = {NOT_READY};
    struct conditions one = {.count = 1, .items = one_items};
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct conditions other;
    conditions_copy(&other, &one, &arena);
    other.items[0].changed_ms = 99;
    assert_true(conditions_equal(&one, &other));

    other.items[0].message = "other";
    assert_false(conditions_equal(&one, &other));
    other.items[0] = one.items[0];
    other.items[0].reason = "Other";
    assert_false(conditions_equal(&one, &other));
    other.items[0] = one.items[0];
    other.items[0].type = "Other";
    assert_false(conditions_equal(&one, &other));
    other.items[0] = one.items[0];
    other.items[0].status = CONDITION_TRUE;
    assert_false(conditions_equal(&one, &other));
    other.items[0] = one.items[0];
    other.items[0].observed_generation = 3;
    assert_false(conditions_equal(&one, &other));
    other.items[0] = one.items[0];
    assert_true(conditions_equal(&one, &other));
    other.count = 0;
    assert_false(conditions_equal(&one, &other));
}

static void statuses_have_kubernetes_names(void **state)
{
    (void)state;
    assert_string_equal(condition_status_name(CONDITION_UNKNOWN), "Unknown");
    assert_string_equal(condition_status_name(CONDITION_TRUE), "True");
    assert_string_equal(condition_status_name(CONDITION_FALSE), "False");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(writes_what_kubernetes_expects),
        cmocka_unit_test(no_conditions_are_an_empty_list),
        cmocka_unit_test(an_unknown_status_reads_as_unknown),
        cmocka_unit_test(more_than_the_maximum_are_dropped),
        cmocka_unit_test(the_time_of_change_stays_while_the_status_does),
        cmocka_unit_test(a_new_type_is_added_behind),
        cmocka_unit_test(setting_in_place_works),
        cmocka_unit_test(equality_sees_all_but_the_time),
        cmocka_unit_test(statuses_have_kubernetes_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
