/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/world.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WALL_MS = 1000000, EVENTS = 500 };

/* What happened, as letters. */
struct diary {
    struct world *world;
    struct text text;
    struct world_event *other;
};

static int set_up(void **state)
{
    static struct diary diary;
    diary = (struct diary){.world = world_new(7, WALL_MS)};
    text_init(&diary.text, 4096);
    *state = &diary;
    return 0;
}

static int tear_down(void **state)
{
    struct diary *diary = *state;
    world_free(diary->world);
    text_release(&diary->text);
    return 0;
}

struct letter {
    struct diary *diary;
    char letter;
};

static void write_letter(void *self)
{
    struct letter *letter = self;
    text_append_char(&letter->diary->text, letter->letter);
}

static void run_all(struct world *world)
{
    while (world_run_next(world, NOW_NEVER)) {
    }
}

static void events_run_by_time_and_equal_ones_as_they_were_asked_for(void **state)
{
    struct diary *diary = *state;
    struct letter letters[] = {{diary, 'a'}, {diary, 'b'}, {diary, 'c'}, {diary, 'd'}};
    (void)world_after(diary->world, 20, write_letter, &letters[0]);
    (void)world_after(diary->world, 10, write_letter, &letters[1]);
    (void)world_after(diary->world, 10, write_letter, &letters[2]);
    (void)world_after(diary->world, 0, write_letter, &letters[3]);
    assert_int_equal(world_next_at(diary->world), 0);
    run_all(diary->world);
    assert_string_equal(diary->text.bytes, "dbca");
    assert_int_equal(world_now(diary->world).mono_ms, 20);
    assert_int_equal(world_next_at(diary->world), NOW_NEVER);
}

static void many_equal_times_keep_their_order(void **state)
{
    struct diary *diary = *state;
    struct letter letters[26];
    for (int i = 0; i < 26; i++) {
        letters[i] = (struct letter){diary, (char)('a' + i)};
        (void)world_after(diary->world, 5, write_letter, &letters[i]);
    }
    run_all(diary->world);
    assert_string_equal(diary->text.bytes, "abcdefghijklmnopqrstuvwxyz");
}

static void time_stops_where_it_is_told_to(void **state)
{
    struct diary *diary = *state;
    struct letter letter = {diary, 'a'};
    (void)world_after(diary->world, 100, write_letter, &letter);
    assert_false(world_run_next(diary->world, 99));
    assert_int_equal(world_now(diary->world).mono_ms, 99);
    assert_string_equal(diary->text.bytes, "");
    assert_true(world_run_next(diary->world, 100));
    assert_int_equal(world_now(diary->world).mono_ms, 100);
    assert_false(world_run_next(diary->world, NOW_NEVER));
    assert_int_equal(world_now(diary->world).mono_ms, 100);
    assert_false(world_run_next(diary->world, 50));
    assert_int_equal(world_now(diary->world).mono_ms, 100);
}

static void the_wall_clock_is_stepped_by_itself(void **state)
{
    struct diary *diary = *state;
    (void)world_run_next(diary->world, 500);
    assert_int_equal(world_now(diary->world).wall_ms, WALL_MS + 500);
    world_step_wall_clock(diary->world, -3000);
    assert_int_equal(world_now(diary->world).wall_ms, WALL_MS - 2500);
    assert_int_equal(world_now(diary->world).mono_ms, 500);
}

static void a_cancelled_event_does_not_run(void **state)
{
    struct diary *diary = *state;
    struct letter a = {diary, 'a'};
    struct letter b = {diary, 'b'};
    struct world_event *event = world_after(diary->world, 10, write_letter, &a);
    (void)world_after(diary->world, 10, write_letter, &b);
    world_cancel(diary->world, event);
    world_cancel(diary->world, NULL);
    run_all(diary->world);
    assert_string_equal(diary->text.bytes, "b");
}

static void ask_for_another(void *self)
{
    struct letter *letter = self;
    write_letter(letter);
    if (letter->letter < 'd') {
        letter->letter++;
        (void)world_after(letter->diary->world, 0, ask_for_another, letter);
    } else {
        world_cancel(letter->diary->world, letter->diary->other);
    }
}

static void an_event_may_ask_for_others_and_cancel_others(void **state)
{
    struct diary *diary = *state;
    struct letter first = {diary, 'a'};
    struct letter never = {diary, '!'};
    (void)world_after(diary->world, 10, ask_for_another, &first);
    diary->other = world_after(diary->world, 11, write_letter, &never);
    run_all(diary->world);
    assert_string_equal(diary->text.bytes, "abcd");
    assert_int_equal(world_now(diary->world).mono_ms, 10);
}

struct appointment {
    struct world *world;
    struct world_event *event;
    int64_t at_ms;
    bool happened;
};

static void keep_appointment(void *self)
{
    struct appointment *appointment = self;
    assert_int_equal(world_now(appointment->world).mono_ms, appointment->at_ms);
    appointment->happened = true;
}

static void a_heap_that_is_cancelled_at_random_loses_nothing_else(void **state)
{
    struct diary *diary = *state;
    static struct appointment appointments[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
        struct appointment *at = &appointments[i];
        *at = (struct appointment){
            .world = diary->world,
            .at_ms = world_between(diary->world, "times", 0, 200),
        };
        at->event = world_after(diary->world, at->at_ms, keep_appointment, at);
    }
    for (int i = 0; i < EVENTS; i += 3) {
        world_cancel(diary->world, appointments[i].event);
    }
    run_all(diary->world);
    for (int i = 0; i < EVENTS; i++) {
        assert_int_equal(appointments[i].happened, i % 3 != 0);
    }
}

/* ---- chance ---- */

static void a_stream_is_not_changed_by_what_others_draw(void **state)
{
    struct diary *diary = *state;
    struct world *again = world_new(7, 0);
    struct random *stream = world_random(diary->world, "fsx");
    for (int i = 0; i < 100; i++) {
        (void)random_next(world_random(again, "binder"));
        assert_int_equal(random_next(stream), random_next(world_random(again, "fsx")));
    }
    assert_ptr_equal(stream, world_random(diary->world, "fsx"));
    world_free(again);
}

static void seed_and_name_make_a_stream(void **state)
{
    struct diary *diary = *state;
    struct world *other_seed = world_new(8, WALL_MS);
    uint64_t first = random_next(world_random(diary->world, "fsx"));
    assert_int_not_equal(first, random_next(world_random(diary->world, "binder")));
    assert_int_not_equal(first, random_next(world_random(other_seed, "fsx")));
    world_free(other_seed);
}

static void between_takes_both_ends(void **state)
{
    struct diary *diary = *state;
    bool seen[3] = {false, false, false};
    for (int i = 0; i < 200; i++) {
        int64_t drawn = world_between(diary->world, "dice", -1, 1);
        assert_in_range(drawn + 1, 0, 2);
        seen[drawn + 1] = true;
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    assert_int_equal(world_between(diary->world, "dice", 5, 5), 5);
    (void)world_between(diary->world, "dice", INT64_MIN, INT64_MAX);
}

/* ---- the trace ---- */

static void append_line(void *self, const char *line)
{
    struct text *text = self;
    text_append(text, line);
    text_append_char(text, '\n');
}

static void a_line_has_its_time(void **state)
{
    struct diary *diary = *state;
    world_trace_to(diary->world, append_line, &diary->text);
    world_trace(diary->world, "first %d", 1);
    (void)world_run_next(diary->world, 61005);
    world_trace(diary->world, "second");
    assert_string_equal(diary->text.bytes, "0.000 first 1\n61.005 second\n");
}

static void a_long_line_is_whole(void **state)
{
    struct diary *diary = *state;
    char line[2001];
    memset(line, 'x', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    world_trace_to(diary->world, append_line, &diary->text);
    world_trace(diary->world, "%s %d", line, 42);
    assert_int_equal(strlen(diary->text.bytes), strlen("0.000 ") + 2000 + strlen(" 42\n"));
    assert_true(text_ends_with(diary->text.bytes, "xx 42\n"));
}

static uint64_t hash_of(const char *first, const char *second, int64_t second_at_ms)
{
    struct world *world = world_new(1, 0);
    world_trace(world, "%s", first);
    (void)world_run_next(world, second_at_ms);
    world_trace(world, "%s", second);
    uint64_t hash = world_trace_hash(world);
    world_free(world);
    return hash;
}

static void the_hash_is_of_the_lines_their_order_and_their_times(void **state)
{
    (void)state;
    uint64_t hash = hash_of("a", "b", 5);
    assert_int_equal(hash, hash_of("a", "b", 5));
    assert_int_not_equal(hash, hash_of("a", "c", 5));
    assert_int_not_equal(hash, hash_of("b", "a", 5));
    assert_int_not_equal(hash, hash_of("a", "b", 6));
    assert_int_not_equal(hash_of("ab", "", 0), hash_of("ba", "", 0));
    assert_int_not_equal(hash_of("ab", "c", 0), hash_of("a", "bc", 0));
}

static void the_hash_covers_lines_that_are_forgotten(void **state)
{
    struct diary *diary = *state;
    struct world *other = world_new(7, WALL_MS);
    world_trace(diary->world, "this");
    world_trace(other, "that");
    for (int i = 0; i < 2000; i++) {
        world_trace(diary->world, "more");
        world_trace(other, "more");
    }
    assert_int_not_equal(world_trace_hash(diary->world), world_trace_hash(other));
    world_free(other);
}

static void lines_are_told_as_they_come(void **state)
{
    struct diary *diary = *state;
    world_trace(diary->world, "before");
    world_trace_to(diary->world, append_line, &diary->text);
    world_trace(diary->world, "told");
    world_trace_to(diary->world, NULL, NULL);
    world_trace(diary->world, "after");
    assert_string_equal(diary->text.bytes, "0.000 told\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(events_run_by_time_and_equal_ones_as_they_were_asked_for),
        TEST(many_equal_times_keep_their_order),
        TEST(time_stops_where_it_is_told_to),
        TEST(the_wall_clock_is_stepped_by_itself),
        TEST(a_cancelled_event_does_not_run),
        TEST(an_event_may_ask_for_others_and_cancel_others),
        TEST(a_heap_that_is_cancelled_at_random_loses_nothing_else),
        TEST(a_stream_is_not_changed_by_what_others_draw),
        TEST(seed_and_name_make_a_stream),
        TEST(between_takes_both_ends),
        TEST(a_line_has_its_time),
        TEST(a_long_line_is_whole),
        TEST(the_hash_is_of_the_lines_their_order_and_their_times),
        TEST(the_hash_covers_lines_that_are_forgotten),
        TEST(lines_are_told_as_they_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
