/* SPDX-License-Identifier: Apache-2.0 */
#include "io/loop.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>

struct steps {
    struct loop *loop;
    int count, stop_at_count;
    int64_t wait_ms; /* NOW_NEVER or from now */
    struct now first, last;
};

static int64_t step(void *self, struct now now)
{
    struct steps *steps = self;
    steps->first = steps->count == 0 ? now : steps->first;
    steps->last = now;
    if (++steps->count >= steps->stop_at_count) {
        loop_stop(steps->loop);
    }
    return steps->wait_ms == NOW_NEVER ? NOW_NEVER : now.mono_ms + steps->wait_ms;
}

static void step_is_called_as_soon_as_it_runs(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    struct steps steps = {.loop = loop, .stop_at_count = 1, .wait_ms = NOW_NEVER};
    loop_set_step(loop, step, &steps);
    assert_int_equal(steps.count, 0);
    loop_run(loop);
    assert_int_equal(steps.count, 1);
    loop_free(loop);
}

static void step_is_called_again_when_it_asked_to_be(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    struct steps steps = {.loop = loop, .stop_at_count = 4, .wait_ms = 20};
    loop_set_step(loop, step, &steps);
    loop_run(loop);
    assert_int_equal(steps.count, 4);
    assert_true(steps.last.mono_ms - steps.first.mono_ms >= 3 * steps.wait_ms);
    loop_free(loop);
}

static void a_time_that_has_passed_is_the_next_turn(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    struct steps steps = {.loop = loop, .stop_at_count = 3, .wait_ms = -1000};
    loop_set_step(loop, step, &steps);
    loop_run(loop);
    assert_int_equal(steps.count, 3);
    loop_free(loop);
}

struct event {
    struct steps steps;
    uv_timer_t timer;
    int count_at_event;
};

static void event_comes(uv_timer_t *timer)
{
    struct event *event = timer->data;
    event->count_at_event = event->steps.count;
    event->steps.stop_at_count = event->steps.count + 1;
}

static void an_event_alone_calls_a_step_that_waits_for_ever(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    struct event event = {.steps = {.loop = loop, .stop_at_count = 1000, .wait_ms = NOW_NEVER}};
    uv_timer_init(loop_uv(loop), &event.timer);
    event.timer.data = &event;
    uv_timer_start(&event.timer, event_comes, 30, 0);
    loop_set_step(loop, step, &event.steps);
    loop_run(loop);
    /* Nothing but the event has made it turn: it did not spin meanwhile. */
    assert_int_equal(event.count_at_event, 1);
    assert_int_equal(event.steps.count, 2);
    uv_close((uv_handle_t *)&event.timer, NULL);
    loop_free(loop);
}

static void runs_again_after_a_stop(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    struct steps steps = {.loop = loop, .stop_at_count = 1, .wait_ms = NOW_NEVER};
    loop_set_step(loop, step, &steps);
    loop_run(loop);
    steps.stop_at_count = 2;
    loop_run(loop);
    assert_int_equal(steps.count, 2);
    loop_free(loop);
}

static void now_moves_and_has_the_systems_wall_time(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    struct now before = loop_now(loop);
    usleep(3000);
    struct now after = loop_now(loop);
    assert_true(after.mono_ms - before.mono_ms >= 2);
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    assert_true(after.wall_ms / 1000 - wall.tv_sec <= 1);
    assert_true(wall.tv_sec - after.wall_ms / 1000 <= 1);
    loop_free(loop);
}

struct stop {
    struct loop *loop;
    int count, signal_number;
};

static void stop_asked(void *self, int signal_number)
{
    struct stop *stop = self;
    stop->count++;
    stop->signal_number = signal_number;
    loop_stop(stop->loop);
}

static void is_asked_to_stop_from_the_loop(int signal_number)
{
    struct loop *loop = loop_new();
    struct stop stop = {.loop = loop};
    loop_on_stop_signal(loop, stop_asked, &stop);
    kill(getpid(), signal_number);
    assert_int_equal(stop.count, 0);
    loop_run(loop);
    assert_int_equal(stop.count, 1);
    assert_int_equal(stop.signal_number, signal_number);
    loop_free(loop);
}

static void sigterm_asks_to_stop(void **state)
{
    (void)state;
    is_asked_to_stop_from_the_loop(SIGTERM);
}

static void sigint_asks_to_stop(void **state)
{
    (void)state;
    is_asked_to_stop_from_the_loop(SIGINT);
}

static void after_the_first_signal_the_next_one_ends_the_process(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    struct stop stop = {.loop = loop};
    loop_on_stop_signal(loop, stop_asked, &stop);
    kill(getpid(), SIGTERM);
    loop_run(loop);
    struct sigaction action;
    sigaction(SIGTERM, NULL, &action);
    assert_true(action.sa_handler == SIG_DFL);
    loop_free(loop);
}

static void writing_to_a_closed_pipe_does_not_kill(void **state)
{
    (void)state;
    struct loop *loop = loop_new();
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(write(ends[1], "", 1), -1);
    close(ends[1]);
    loop_free(loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_is_called_as_soon_as_it_runs),
        cmocka_unit_test(step_is_called_again_when_it_asked_to_be),
        cmocka_unit_test(a_time_that_has_passed_is_the_next_turn),
        cmocka_unit_test(an_event_alone_calls_a_step_that_waits_for_ever),
        cmocka_unit_test(runs_again_after_a_stop),
        cmocka_unit_test(now_moves_and_has_the_systems_wall_time),
        cmocka_unit_test(sigterm_asks_to_stop),
        cmocka_unit_test(sigint_asks_to_stop),
        cmocka_unit_test(after_the_first_signal_the_next_one_ends_the_process),
        cmocka_unit_test(writing_to_a_closed_pipe_does_not_kill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
