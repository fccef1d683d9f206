/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/workers.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LOOKS_MAX = 64 };

struct fixture {
    struct world *world;
    struct workers *workers;
    const char *looks[LOOKS_MAX]; /* keys in the order in which they were looked at */
    int64_t at_ms[LOOKS_MAX];
    int count;
    bool holds; /* looks are not over when look() returns */
    bool fails;
};

static void look(void *self, const char *key)
{
    struct fixture *fixture = self;
    assert_true(fixture->count < LOOKS_MAX);
    fixture->looks[fixture->count] = key[0] == 'a' ? "a" : key[0] == 'b' ? "b" : "c";
    fixture->at_ms[fixture->count++] = world_now(fixture->world).mono_ms;
    if (fixture->fails) {
        workers_failed(fixture->workers, key);
    } else if (!fixture->holds) {
        workers_done(fixture->workers, key);
    }
}

static void begin(struct fixture *fixture, int count)
{
    const struct workers_options options = {
        .count = count, .backoff_ms_min = 5, .backoff_ms_max = 1000};
    *fixture = (struct fixture){.world = world_new(1, 0)};
    fixture->workers = workers_new(fixture->world, &options, look, fixture);
}

static void end(struct fixture *fixture)
{
    workers_free(fixture->workers);
    world_free(fixture->world);
}

static void run(struct fixture *fixture, int64_t for_ms)
{
    int64_t until_ms = world_now(fixture->world).mono_ms + for_ms;
    while (world_run_next(fixture->world, until_ms)) {
    }
}

static void a_key_is_looked_at_once_however_often_it_is_added(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 1);
    workers_add(fixture.workers, "b");
    workers_add(fixture.workers, "a");
    workers_add(fixture.workers, "b");
    assert_int_equal(fixture.count, 0); /* not from within */
    run(&fixture, 0);
    assert_int_equal(fixture.count, 2);
    assert_string_equal(fixture.looks[0], "b");
    assert_string_equal(fixture.looks[1], "a");
    end(&fixture);
}

static void no_key_twice_at_once_and_no_more_than_there_are_workers(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    fixture.holds = true;
    workers_add(fixture.workers, "a");
    run(&fixture, 1);
    workers_add(fixture.workers, "a");
    workers_add(fixture.workers, "b");
    workers_add(fixture.workers, "c");
    run(&fixture, 1);
    assert_int_equal(fixture.count, 2); /* a, b */
    workers_done(fixture.workers, "a");
    run(&fixture, 1);
    assert_int_equal(fixture.count, 3);
    assert_string_equal(fixture.looks[2], "c");
    workers_done(fixture.workers, "b");
    run(&fixture, 1);
    assert_int_equal(fixture.count, 4);
    assert_string_equal(fixture.looks[3], "a");
    end(&fixture);
}

static void failures_come_back_ever_later_until_one_is_done(void **state)
{
    static const int64_t AT_MS[] = {0, 5, 15, 35, 75, 155, 315, 635, 1275, 2275, 3275};
    struct fixture fixture;
    (void)state;
    begin(&fixture, 1);
    fixture.fails = true;
    workers_add(fixture.workers, "a");
    run(&fixture, 3300);
    assert_int_equal(fixture.count, sizeof(AT_MS) / sizeof(AT_MS[0]));
    for (int i = 0; i < fixture.count; i++) {
        assert_int_equal(fixture.at_ms[i], AT_MS[i]);
    }
    assert_true(workers_has_failed(fixture.workers, "a"));
    fixture.fails = false;
    workers_add(fixture.workers, "a"); /* a mark does not wait for the back-off */
    run(&fixture, 1);
    assert_false(workers_has_failed(fixture.workers, "a"));
    fixture.fails = true;
    fixture.count = 0;
    workers_add(fixture.workers, "a");
    run(&fixture, 6);
    assert_int_equal(fixture.count, 2);
    assert_int_equal(fixture.at_ms[1] - fixture.at_ms[0], 5);
    end(&fixture);
}

static void of_two_delays_the_shorter_one_counts(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 1);
    workers_add_after(fixture.workers, "a", 100);
    workers_add_after(fixture.workers, "a", 50);
    workers_add_after(fixture.workers, "a", 200);
    run(&fixture, 1000);
    assert_int_equal(fixture.count, 1);
    assert_int_equal(fixture.at_ms[0], 50);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_looked_at_once_however_often_it_is_added),
        cmocka_unit_test(no_key_twice_at_once_and_no_more_than_there_are_workers),
        cmocka_unit_test(failures_come_back_ever_later_until_one_is_done),
        cmocka_unit_test(of_two_delays_the_shorter_one_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
