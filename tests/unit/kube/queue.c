/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct queue_options OPTIONS = {.backoff_ms_min = 100, .backoff_ms_max = 1000};

static struct now at(int64_t mono_ms)
{
    return (struct now){.mono_ms = mono_ms};
}

static int set_up(void **state)
{
    struct random random;
    random_init(&random, 7);
    *state = queue_new(&OPTIONS, &random);
    return 0;
}

static int tear_down(void **state)
{
    queue_free(*state);
    return 0;
}

static void gives_keys_in_the_order_they_were_marked(void **state)
{
    struct queue *queue = *state;
    queue_add(queue, "b");
    queue_add(queue, "a");
    queue_add(queue, "c");
    assert_int_equal(queue_length(queue), 3);
    assert_string_equal(queue_take(queue, at(0)), "b");
    assert_string_equal(queue_take(queue, at(0)), "a");
    assert_string_equal(queue_take(queue, at(0)), "c");
    assert_null(queue_take(queue, at(0)));
}

/* B20 */
static void many_marks_are_one_look(void **state)
{
    struct queue *queue = *state;
    for (int i = 0; i < 300; i++) {
        queue_add(queue, "claim");
    }
    queue_add(queue, "other");
    queue_add(queue, "claim");
    assert_string_equal(queue_take(queue, at(0)), "claim");
    queue_done(queue, "claim");
    assert_string_equal(queue_take(queue, at(0)), "other");
    assert_null(queue_take(queue, at(0)));
}

/* B39 */
static void a_key_is_never_processed_twice_at_once_and_a_mark_meanwhile_is_not_lost(void **state)
{
    struct queue *queue = *state;
    queue_add(queue, "a");
    const char *key = queue_take(queue, at(0));
    queue_add(queue, "a");
    queue_add(queue, "a");
    assert_null(queue_take(queue, at(0)));
    assert_int_equal(queue_wake_at(queue), NOW_NEVER);
    queue_done(queue, key);
    assert_true(queue_wake_at(queue) <= 0);
    assert_string_equal(queue_take(queue, at(0)), "a");
    queue_done(queue, "a");
    assert_null(queue_take(queue, at(0)));
    assert_int_equal(queue_wake_at(queue), NOW_NEVER);
}

static void a_delayed_key_comes_at_its_time(void **state)
{
    struct queue *queue = *state;
    queue_add_at(queue, "late", 200);
    queue_add_at(queue, "early", 100);
    assert_int_equal(queue_wake_at(queue), 100);
    assert_null(queue_take(queue, at(99)));
    assert_string_equal(queue_take(queue, at(100)), "early");
    assert_int_equal(queue_wake_at(queue), 200);
    assert_string_equal(queue_take(queue, at(500)), "late");
}

static void of_two_times_the_earlier_counts(void **state)
{
    struct queue *queue = *state;
    queue_add_at(queue, "a", 200);
    queue_add_at(queue, "a", 300);
    queue_add_at(queue, "b", 200);
    queue_add_at(queue, "b", 150);
    assert_int_equal(queue_wake_at(queue), 150);
    queue_add(queue, "b");
    assert_string_equal(queue_take(queue, at(0)), "b");
    assert_null(queue_take(queue, at(199)));
    assert_string_equal(queue_take(queue, at(200)), "a");
    queue_done(queue, "a");
    assert_null(queue_take(queue, at(1000)));
}

static void what_came_due_waits_behind_what_was_marked_before(void **state)
{
    struct queue *queue = *state;
    queue_add_at(queue, "second", 10);
    queue_add_at(queue, "third", 10);
    queue_add(queue, "first");
    assert_string_equal(queue_take(queue, at(10)), "first");
    queue_add(queue, "fourth");
    assert_string_equal(queue_take(queue, at(11)), "second");
    assert_string_equal(queue_take(queue, at(11)), "third");
    assert_string_equal(queue_take(queue, at(11)), "fourth");
}

static void a_delay_set_while_it_is_processed_starts_afterwards(void **state)
{
    struct queue *queue = *state;
    queue_add(queue, "a");
    (void)queue_take(queue, at(0));
    queue_add_at(queue, "a", 50);
    assert_null(queue_take(queue, at(60)));
    queue_done(queue, "a");
    assert_int_equal(queue_wake_at(queue), 50);
    assert_string_equal(queue_take(queue, at(60)), "a");
}

/* B18, B19 */
static void what_failed_is_not_hot_however_often_it_is_marked(void **state)
{
    struct queue *queue = *state;
    queue_add(queue, "a");
    (void)queue_take(queue, at(1000));
    int64_t again_ms = queue_add_failed(queue, "a", at(1000), 0);
    assert_true(again_ms >= 1050 && again_ms <= 1100);
    queue_add(queue, "a");
    queue_done(queue, "a");
    queue_add(queue, "a");
    queue_add_at(queue, "a", 1001);
    assert_int_equal(queue_wake_at(queue), again_ms);
    assert_null(queue_take(queue, at(again_ms - 1)));
    assert_string_equal(queue_take(queue, at(again_ms)), "a");
    queue_add(queue, "a");
    queue_done(queue, "a");
    assert_string_equal(queue_take(queue, at(again_ms)), "a");
}

static void a_ready_key_that_failed_waits_too(void **state)
{
    struct queue *queue = *state;
    queue_add(queue, "a");
    int64_t again_ms = queue_add_failed(queue, "a", at(10), 0);
    assert_null(queue_take(queue, at(10)));
    assert_int_equal(queue_length(queue), 0);
    assert_string_equal(queue_take(queue, at(again_ms)), "a");
}

static int64_t fail_once(struct queue *queue, const char *key, int64_t mono_ms, int64_t at_least_ms)
{
    queue_add(queue, key);
    assert_string_equal(queue_take(queue, at(mono_ms)), key);
    int64_t delay_ms = queue_add_failed(queue, key, at(mono_ms), at_least_ms) - mono_ms;
    queue_done(queue, key);
    return delay_ms;
}

static void the_delay_grows_with_each_failure_until_it_is_forgiven(void **state)
{
    struct queue *queue = *state;
    int64_t mono_ms = 0;
    for (int failures = 1; failures <= 8; failures++) {
        int64_t full_ms = failures >= 5 ? 1000 : 100 << (failures - 1);
        int64_t delay_ms = fail_once(queue, "a", mono_ms, 0);
        assert_true(delay_ms >= full_ms / 2 && delay_ms <= full_ms);
        assert_int_equal(queue_failures(queue, "a"), failures);
        mono_ms += delay_ms;
    }
    assert_string_equal(queue_take(queue, at(mono_ms)), "a");
    queue_done(queue, "a");
    assert_int_equal(queue_failures(queue, "a"), 8);
    queue_forgive(queue, "a");
    assert_int_equal(queue_failures(queue, "a"), 0);
    assert_true(fail_once(queue, "a", mono_ms, 0) <= 100);
}

/* B15 */
static void a_servers_retry_after_is_the_least(void **state)
{
    struct queue *queue = *state;
    int64_t delay_ms = fail_once(queue, "a", 0, 5000);
    assert_true(delay_ms >= 5000 && delay_ms <= 6250);
}

static void failures_of_one_key_do_not_hold_up_another(void **state)
{
    struct queue *queue = *state;
    fail_once(queue, "a", 0, 0);
    queue_add(queue, "b");
    assert_string_equal(queue_take(queue, at(0)), "b");
    assert_int_equal(queue_failures(queue, "b"), 0);
}

/* ---- against a model that is too simple to be wrong ---- */

enum { KEY_COUNT = 7, STEP_COUNT = 20000, NOT_MARKED = -1 };

struct model_key {
    int64_t due_ms; /* NOT_MARKED */
    int64_t not_before_ms;
    bool processing;
};

struct model {
    struct queue *queue;
    struct random random;
    struct model_key keys[KEY_COUNT];
    int64_t mono_ms;
};

static const char *const KEYS[KEY_COUNT] = {"a", "b", "c", "d", "e", "f", "g"};

static int64_t ready_ms(const struct model_key *key)
{
    if (key->due_ms == NOT_MARKED || key->processing) {
        return NOW_NEVER;
    }
    return key->due_ms > key->not_before_ms ? key->due_ms : key->not_before_ms;
}

static void mark(struct model_key *key, int64_t mono_ms)
{
    key->due_ms = key->due_ms == NOT_MARKED || mono_ms < key->due_ms ? mono_ms : key->due_ms;
}

static int64_t earliest_ms(const struct model *model)
{
    int64_t earliest = NOW_NEVER;
    for (int i = 0; i < KEY_COUNT; i++) {
        int64_t key_ms = ready_ms(&model->keys[i]);
        earliest = key_ms < earliest ? key_ms : earliest;
    }
    return earliest;
}

static void take_one(struct model *model)
{
    const char *taken = queue_take(model->queue, at(model->mono_ms));
    if (taken == NULL) {
        assert_true(earliest_ms(model) > model->mono_ms);
        return;
    }
    struct model_key *key = &model->keys[taken[0] - 'a'];
    assert_true(ready_ms(key) <= model->mono_ms);
    *key = (struct model_key){.due_ms = NOT_MARKED, .processing = true};
}

static void do_one(struct model *model)
{
    int index = (int)random_below(&model->random, KEY_COUNT);
    struct model_key *key = &model->keys[index];
    int64_t later_ms = model->mono_ms + (int64_t)random_below(&model->random, 300);
    switch (random_below(&model->random, 7)) {
    case 0:
        queue_add(model->queue, KEYS[index]);
        mark(key, 0);
        break;
    case 1:
        queue_add_at(model->queue, KEYS[index], later_ms);
        mark(key, later_ms);
        break;
    case 2:
        key->not_before_ms = queue_add_failed(model->queue, KEYS[index], at(model->mono_ms), 0);
        mark(key, key->not_before_ms);
        break;
    case 3:
        queue_forgive(model->queue, KEYS[index]);
        break;
    case 4:
        model->mono_ms += (int64_t)random_below(&model->random, 100);
        break;
    case 5:
        if (key->processing) {
            queue_done(model->queue, KEYS[index]);
            key->processing = false;
        }
        break;
    default:
        take_one(model);
        break;
    }
}

static void check_wake(const struct model *model)
{
    int64_t wake_ms = queue_wake_at(model->queue);
    int64_t earliest = earliest_ms(model);
    assert_true(wake_ms == earliest || (wake_ms <= model->mono_ms && earliest <= model->mono_ms));
}

static void drain(struct model *model)
{
    for (int i = 0; i < KEY_COUNT; i++) {
        if (model->keys[i].processing) {
            queue_done(model->queue, KEYS[i]);
            model->keys[i].processing = false;
        }
    }
    for (int64_t earliest = earliest_ms(model); earliest != NOW_NEVER;
         earliest = earliest_ms(model)) {
        model->mono_ms = earliest > model->mono_ms ? earliest : model->mono_ms;
        take_one(model);
    }
    assert_int_equal(queue_wake_at(model->queue), NOW_NEVER);
}

/* B39 */
static void loses_no_key_and_processes_none_twice_whatever_is_done(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct model model = {0};
        random_init(&model.random, seed);
        model.queue = queue_new(&OPTIONS, &model.random);
        for (int i = 0; i < KEY_COUNT; i++) {
            model.keys[i].due_ms = NOT_MARKED;
        }
        for (int step = 0; step < STEP_COUNT; step++) {
            do_one(&model);
            check_wake(&model);
        }
        drain(&model);
        queue_free(model.queue);
    }
}

static void many_delayed_keys_come_in_the_order_of_their_times(void **state)
{
    struct queue *queue = *state;
    enum { COUNT = 1000 };
    char key[16];
    for (int i = 0; i < COUNT; i++) {
        snprintf(key, sizeof(key), "%04d", i * 617 % COUNT);
        queue_add_at(queue, key, 1 + i * 617 % COUNT);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(key, sizeof(key), "%04d", i);
        assert_int_equal(queue_wake_at(queue), 1 + i);
        assert_string_equal(queue_take(queue, at(1 + i)), key);
        queue_done(queue, key);
    }
}

#define WITH_QUEUE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_QUEUE(gives_keys_in_the_order_they_were_marked),
        WITH_QUEUE(many_marks_are_one_look),
        WITH_QUEUE(a_key_is_never_processed_twice_at_once_and_a_mark_meanwhile_is_not_lost),
        WITH_QUEUE(a_delayed_key_comes_at_its_time),
        WITH_QUEUE(of_two_times_the_earlier_counts),
        WITH_QUEUE(what_came_due_waits_behind_what_was_marked_before),
        WITH_QUEUE(a_delay_set_while_it_is_processed_starts_afterwards),
        WITH_QUEUE(what_failed_is_not_hot_however_often_it_is_marked),
        WITH_QUEUE(a_ready_key_that_failed_waits_too),
        WITH_QUEUE(the_delay_grows_with_each_failure_until_it_is_forgiven),
        WITH_QUEUE(a_servers_retry_after_is_the_least),
        WITH_QUEUE(failures_of_one_key_do_not_hold_up_another),
        WITH_QUEUE(many_delayed_keys_come_in_the_order_of_their_times),
        cmocka_unit_test(loses_no_key_and_processes_none_twice_whatever_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
