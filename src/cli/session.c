/* SPDX-License-Identifier: Apache-2.0 */
/* The composition root of `adj`: loop, access, HTTP client; a forwarded port when one is asked for.
 */
#include "cli/session.h"

#include "base/memory.h"
#include "cli/version.h"
#include "io/http_client.h"
#include "io/identity.h"
#include "io/loop.h"
#include "io/port_forward.h"
#include "io/process.h"
#include "io/remote_command.h"

enum { OPEN_DEADLINE_MS = 30 * 1000, PING_MS = 20 * 1000 };

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
    struct port_forward *forward; /* NULL: none */
    struct process *process;      /* in the foreground; NULL: none */
    bool attends, is_told;
    struct error error; /* of the probe or the process */
    struct text *refusal;
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

/* ---- a forwarded port ---- */

static void told(void *self, const struct error *error, const char *refusal)
{
    struct live *live = self;
    live->is_told = true;
    live->error = *error;
    text_append(live->refusal, refusal);
}

static int64_t until_told(void *self, struct now now)
{
    (void)now;
    const struct live *live = self;
    return live->is_told ? SESSION_DONE : NOW_NEVER;
}

static bool forward(void *self, const struct session_forward *wanted, int *out_port,
                    struct text *out_refusal, struct error *error)
{
    struct live *live = self;
    struct port_forward_options options = {.loop = live->loop,
                                           .credentials = access_credentials(live->access),
                                           .client = live->options,
                                           .entropy = identity_entropy(),
                                           .path = wanted->path,
                                           .open_deadline_ms = OPEN_DEADLINE_MS,
                                           .ping_ms = PING_MS,
                                           .failed = wanted->failed,
                                           .self = wanted->self};
    if (!port_forward_open(&options, &live->forward, error)) {
        return false;
    }
    live->refusal = out_refusal;
    port_forward_probe(live->forward, told, live);
    run(live, until_told, live);
    *error = live->error;
    *out_port = port_forward_port(live->forward);
    return live->error.class == ERROR_NONE;
}

/* ---- a command in a pod ---- */

static bool execute(void *self, const char *path, struct text *out, struct text *out_refusal,
                    struct error *error)
{
    struct live *live = self;
    struct port_forward_options options = {.loop = live->loop,
                                           .credentials = access_credentials(live->access),
                                           .client = live->options,
                                           .entropy = identity_entropy(),
                                           .path = path,
                                           .open_deadline_ms = OPEN_DEADLINE_MS,
                                           .ping_ms = PING_MS};
    live->is_told = false;
    live->refusal = out_refusal;
    struct remote_command *command = remote_command_start(&options, out, told, live);
    run(live, until_told, live);
    remote_command_free(command);
    *error = live->error;
    return live->error.class == ERROR_NONE;
}

/* ---- a program in the foreground ---- */

static void process_ended(void *self, const char *output, const struct error *error)
{
    (void)output;
    struct live *live = self;
    live->attends = false;
    live->error = *error;
}

static void stop_asked(void *self, int signal_number)
{
    (void)signal_number;
    struct live *live = self;
    if (live->process != NULL) {
        process_terminate(live->process);
    } else {
        live->attends = false;
    }
}

/* Connections that the program has left say their goodbyes. */
static int64_t until_left(void *self, struct now now)
{
    (void)now;
    const struct live *live = self;
    bool is_over =
        !live->attends && (live->process == NULL || port_forward_count(live->forward) == 0);
    return is_over ? SESSION_DONE : NOW_NEVER;
}

static bool attend(void *self, const char *command, const char *const *arguments,
                   const char *const *variables, int *out_code, struct error *error)
{
    struct live *live = self;
    struct process_request request = {
        .command = command, .arguments = arguments, .variables = variables, .foreground = true};
    live->attends = true;
    loop_on_stop_signal(live->loop, stop_asked, live);
    if (command != NULL) {
        live->process = process_start(live->loop, &request, process_ended, live);
    }
    run(live, until_left, live);
    *out_code = live->process == NULL ? 0 : process_exit_code(live->process);
    if (*out_code < 0) {
        *error = live->error;
        return false;
    }
    return true;
}

static void close_live(void *self)
{
    struct live *live = self;
    close_other(live);
    process_free(live->process);
    port_forward_free(live->forward);
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
        .forward = forward,
        .attend = attend,
        .execute = execute,
        .close = close_live,
        .self = live,
    };
    return true;
}
