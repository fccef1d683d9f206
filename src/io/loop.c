/* SPDX-License-Identifier: Apache-2.0 */
/* uv_prepare runs after the timers and right before the loop blocks. A step there sees all that
   this turn's callbacks have noted, and what it starts is polled for in the same turn. The prepare
   handle stays active for as long as the loop lives, so that the loop runs although nothing is
   asked of it yet. */
#include "io/loop.h"

#include "base/memory.h"

#include <assert.h>
#include <signal.h>
#include <time.h>
#include <uv.h>

enum { NANOSECONDS_PER_MS = 1000 * 1000, MS_PER_SECOND = 1000 };

struct loop {
    uv_loop_t uv;
    uv_prepare_t turn;
    uv_timer_t alarm;
    uv_signal_t terminated, interrupted;
    int64_t (*step)(void *self, struct now now);
    void *step_self;
    void (*stop_asked)(void *self, int signal_number);
    void *stop_self;
};

/* What libuv refuses here it refuses only for want of memory or descriptors, at the start. */
static void must(int status)
{
    assert(status == 0);
}

static void alarm_rings(uv_timer_t *alarm)
{
    (void)alarm; /* the turn that it starts is all */
}

static void set_alarm(struct loop *loop, int64_t wake_at_ms)
{
    if (wake_at_ms == NOW_NEVER) {
        must(uv_timer_stop(&loop->alarm));
        return;
    }
    /* The timer counts from the start of the turn, which a long step has left behind. */
    int64_t wait_ms = wake_at_ms - (int64_t)uv_now(&loop->uv);
    must(uv_timer_start(&loop->alarm, alarm_rings, wait_ms < 0 ? 0 : (uint64_t)wait_ms, 0));
}

static void turn(uv_prepare_t *handle)
{
    struct loop *loop = handle->data;
    if (loop->step != NULL) {
        set_alarm(loop, loop->step(loop->step_self, loop_now(loop)));
    }
}

struct loop *loop_new(void)
{
    struct loop *loop = memory_new(1, sizeof(*loop));
    must(uv_loop_init(&loop->uv));
    must(uv_prepare_init(&loop->uv, &loop->turn));
    loop->turn.data = loop;
    must(uv_prepare_start(&loop->turn, turn));
    must(uv_timer_init(&loop->uv, &loop->alarm));
    must(uv_signal_init(&loop->uv, &loop->terminated));
    loop->terminated.data = loop;
    must(uv_signal_init(&loop->uv, &loop->interrupted));
    loop->interrupted.data = loop;

    struct sigaction ignored = {.sa_handler = SIG_IGN};
    must(sigaction(SIGPIPE, &ignored, NULL));
    return loop;
}

void loop_free(struct loop *loop)
{
    if (loop == NULL) {
        return;
    }
    uv_close((uv_handle_t *)&loop->turn, NULL);
    uv_close((uv_handle_t *)&loop->alarm, NULL);
    uv_close((uv_handle_t *)&loop->terminated, NULL);
    uv_close((uv_handle_t *)&loop->interrupted, NULL);
    /* Others' handles may still be closing, and killed children be awaited. */
    while (uv_loop_close(&loop->uv) == UV_EBUSY) {
        bool has_work = uv_loop_alive(&loop->uv) != 0;
        assert(has_work); /* else somebody has not freed what uses this loop */
        uv_run(&loop->uv, UV_RUN_ONCE);
    }
    memory_free(loop);
}

void loop_set_step(struct loop *loop, int64_t (*step)(void *self, struct now now), void *self)
{
    loop->step = step;
    loop->step_self = self;
    set_alarm(loop, NOW_NEVER);
}

static void signal_came(uv_signal_t *handle, int signal_number)
{
    struct loop *loop = handle->data;
    loop->stop_asked(loop->stop_self, signal_number);
}

/* One shot: the second signal of a kind ends the process, whatever the first one waits for. */
void loop_on_stop_signal(struct loop *loop, void (*stop_asked)(void *self, int signal_number),
                         void *self)
{
    loop->stop_asked = stop_asked;
    loop->stop_self = self;
    must(uv_signal_start_oneshot(&loop->terminated, signal_came, SIGTERM));
    must(uv_signal_start_oneshot(&loop->interrupted, signal_came, SIGINT));
}

void loop_run(struct loop *loop)
{
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}

void loop_stop(struct loop *loop)
{
    uv_stop(&loop->uv);
}

/* The clock that libuv's own timers use. */
struct now loop_now(const struct loop *loop)
{
    (void)loop;
    struct timespec wall;
    must(clock_gettime(CLOCK_REALTIME, &wall));
    return (struct now){
        .mono_ms = (int64_t)(uv_hrtime() / NANOSECONDS_PER_MS),
        .wall_ms = (int64_t)wall.tv_sec * MS_PER_SECOND + wall.tv_nsec / NANOSECONDS_PER_MS,
    };
}

struct uv_loop_s *loop_uv(struct loop *loop)
{
    return &loop->uv;
}
