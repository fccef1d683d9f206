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
    char *other_url;
    struct http_client *other;
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

static void on_stop(void *self, void (*stop_asked)(void *self, int signal_number), void *stop_self)
{
    struct live *live = self;
    loop_on_stop_signal(live->loop, stop_asked, stop_self);
}

static enum credentials_state get_nothing(void *self, struct credential_set *out,
                                          struct error *error)
{
    const struct live *live = self;
    (void)error;
    *out = (struct credential_set){.generation = 1, .server = live->other_url};
    return CREDENTIALS_READY;
}

static void invalidate_nothing(void *self, uint64_t generation)
{
    (void)self;
    (void)generation;
}

static void listen_to_nothing(void *self, void (*changed)(void *listener), void *listener)
{
    (void)self;
    (void)changed;
    (void)listener;
}

static void close_other(struct live *live)
{
    http_client_free(live->other);
    memory_free(live->other_url);
}

static struct transport elsewhere(void *self, const char *url)
{
    struct live *live = self;
    struct credentials nobody = {.get = get_nothing,
                                 .invalidate = invalidate_nothing,
                                 .listen = listen_to_nothing,
                                 .self = live};
    close_other(live);
    live->other_url = memory_copy_text(url);
    live->other = http_client_new(live->loop, nobody, &live->options);
    return http_client_transport(live->other);
}

static void close_live(void *self)
{
    struct live *live = self;
    close_other(live);
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
        .speed = live->clock.speed,
        .description = access_description(live->access),
        .run = run,
        .on_stop = on_stop,
        .elsewhere = elsewhere,
        .close = close_live,
        .self = live,
    };
    return true;
}
