/* SPDX-License-Identifier: Apache-2.0 */
/* The composition root of `adj`: loop, access, HTTP client. */
#include "cli/session.h"

#include "base/memory.h"
#include "cli/version.h"
#include "io/http_client.h"
#include "io/loop.h"

struct live {
    struct loop *loop;
    struct access *access;
    struct clock clock;
    struct http_client *client;
    struct http_client_options options;
    int64_t (*step)(void *self, struct now now);
    void *step_self;
};

static int64_t turn(void *self, struct now real)
{
    struct live *live = self;
    int64_t wake_at_ms = live->step(live->step_self, clock_now(&live->clock, real));
    if (wake_at_ms != SESSION_DONE) {
        return clock_real_mono_ms(&live->clock, wake_at_ms);
    }
    loop_stop(live->loop);
    return NOW_NEVER;
}

static void run(void *self, int64_t (*step)(void *self, struct now now), void *step_self)
{
    struct live *live = self;
    live->step = step;
    live->step_self = step_self;
    loop_set_step(live->loop, turn, live);
    loop_run(live->loop);
    loop_set_step(live->loop, NULL, NULL);
}

static void close_live(void *self)
{
    struct live *live = self;
    http_client_free(live->client);
    access_free(live->access);
    loop_free(live->loop);
    memory_free(live);
}

bool session_open(const struct access_options *options, struct session *out, struct error *error)
{
    struct live *live = memory_new(1, sizeof(*live));
    live->loop = loop_new();
    if (!access_open(live->loop, options, &live->access, error)) {
        close_live(live);
        return false;
    }
    live->clock = access_clock(live->access);
    live->options = http_client_options_default;
    live->options.user_agent = "adj/" ADJOINT_VERSION;
    live->client = http_client_new(live->loop, access_credentials(live->access), &live->options);
    *out = (struct session){
        .transport = http_client_transport(live->client),
        .namespace = access_namespace(live->access),
        .description = access_description(live->access),
        .run = run,
        .close = close_live,
        .self = live,
    };
    return true;
}
