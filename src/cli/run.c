/* SPDX-License-Identifier: Apache-2.0 */
/* Where adjoint-operator is put together: options, access, loop, transport, operator, run. */
#include "cli/run.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/memory.h"
#include "cli/operator_options.h"
#include "cli/telemetry.h"
#include "cli/version.h"
#include "io/access.h"
#include "io/http_client.h"
#include "io/identity.h"
#include "io/loop.h"
#include "io/zone_files.h"
#include "operator/operator.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EXIT_STOPPED, EXIT_FAILED, EXIT_USAGE };

/* A claim's last requests get so long before a stop gives up on them. */
#define STOP_DEADLINE_MS 25000
/* Between two times that memory is given back; no wake-up of its own. */
#define GIVE_BACK_MS 30000
enum { SPEED_BYTES = 24 };

struct run {
    struct loop *loop;
    struct clock clock;
    struct operator* op;
    int64_t stop_by_ms;   /* real mono; 0: not asked to stop */
    int64_t gave_back_ms; /* real mono */
    bool gave_up;
};

static int64_t step(void *self, struct now real)
{
    struct run *run = self;
    struct now now = clock_now(&run->clock, real);
    operator_step(run->op, now);
    if (real.mono_ms - run->gave_back_ms >= GIVE_BACK_MS) {
        run->gave_back_ms = real.mono_ms;
        memory_give_back();
    }
    bool late = run->stop_by_ms != 0 && real.mono_ms >= run->stop_by_ms;
    if (late || operator_stopped(run->op, now)) {
        run->gave_up = late;
        loop_stop(run->loop);
    }
    int64_t wake_at_ms = clock_real_mono_ms(&run->clock, operator_wake_at(run->op));
    return run->stop_by_ms != 0 && run->stop_by_ms < wake_at_ms ? run->stop_by_ms : wake_at_ms;
}

static void stop_asked(void *self, int signal_number)
{
    struct run *run = self;
    struct now real = loop_now(run->loop);
    (void)signal_number;
    log_write(LOG_INFO, clock_now(&run->clock, real).wall_ms, "asked to stop", NULL);
    run->stop_by_ms = real.mono_ms + STOP_DEADLINE_MS;
    operator_stop(run->op);
}

static enum log_level level_of(const char *name)
{
    static const char *const names[] = {"debug", "info", "warning", "error"};
    for (int level = LOG_DEBUG; level <= LOG_ERROR; level++) {
        if (text_equal(names[level], name)) {
            return (enum log_level)level;
        }
    }
    return LOG_INFO;
}

static struct operator_options options_of(const struct operator_settings *settings,
                                          const struct access *access, const char *identity,
                                          uint64_t seed)
{
    struct operator_options options = {
        .lease = {.namespace = settings->lease_namespace != NULL ? settings->lease_namespace
                                                                 : access_namespace(access),
                  .name = settings->lease_name,
                  .identity = settings->identity != NULL ? settings->identity : identity,
                  .duration_ms = settings->lease_duration_ms,
                  .renew_ms = settings->lease_renew_ms,
                  .retry_ms = settings->lease_retry_ms,
                  .attempt_ms = settings->lease_renew_ms * 2 / 5},
        .informer = informer_options_default,
        .seed = seed,
        .entropy = identity_entropy(),
        .zones = zone_files(),
        .events = true,
    };
    options.informer.watch_silence_ms = settings->watch_silence_ms;
    return options;
}

static void log_start(const struct operator_settings *settings, const struct access *access,
                      const struct operator_options *options, const struct clock *clock,
                      const struct loop *loop)
{
    char speed[SPEED_BYTES];
    (void)snprintf(speed, sizeof(speed), "%" PRId64, clock->speed);
    log_write(LOG_INFO, clock_now(clock, loop_now(loop)).wall_ms, "adjoint-operator starts",
              "version", ADJOINT_VERSION, "server", access_description(access),
              "simulated at speed", clock->speed != 0 ? speed : NULL, "lease", options->lease.name,
              "namespace", options->lease.namespace, "identity", options->lease.identity, "listens",
              settings->listen, NULL);
}

/* false: it was asked for and cannot be had, and has been said. */
static bool open_server(const char *address, struct telemetry *telemetry, struct loop *loop,
                        struct http_server **out_server)
{
    struct error error;
    if (address == NULL ||
        http_server_open(loop, address, telemetry_answer, telemetry, out_server, &error)) {
        return true;
    }
    (void)fprintf(stderr, "adjoint-operator: --listen: %s\n", error.message);
    return false;
}

static int run_with(const struct operator_settings *settings, struct loop *loop,
                    struct access *access)
{
    char identity[IDENTITY_BYTES];
    uint64_t seed = identity_make(identity);
    struct operator_options options = options_of(settings, access, identity, seed);
    struct http_client *http =
        http_client_new(loop, access_credentials(access), &http_client_options_default);
    struct run run = {.loop = loop,
                      .clock = access_clock(access),
                      .op = operator_new(&options, http_client_transport(http))};
    struct telemetry telemetry = {loop, &run.clock, run.op};
    struct http_server *server = NULL;
    bool listens = open_server(settings->listen, &telemetry, loop, &server);
    if (listens) {
        log_start(settings, access, &options, &run.clock, loop);
        loop_set_step(loop, step, &run);
        loop_on_stop_signal(loop, stop_asked, &run);
        loop_run(loop);
        log_write(run.gave_up ? LOG_WARNING : LOG_INFO,
                  clock_now(&run.clock, loop_now(loop)).wall_ms,
                  run.gave_up ? "stopped without an answer to everything" : "stopped", NULL);
        loop_set_step(loop, NULL, NULL);
    }
    http_server_free(server);
    operator_free(run.op);
    http_client_free(http);
    return listens ? EXIT_STOPPED : EXIT_FAILED;
}

static int run_settings(const struct operator_settings *settings)
{
    struct error error;
    struct access *access = NULL;
    struct access_options options = {.kubeconfig = settings->kubeconfig,
                                     .context = settings->context};
    struct loop *loop = loop_new();
    int code = EXIT_FAILED;
    if (access_open(loop, &options, &access, &error)) {
        code = run_with(settings, loop, access);
    } else {
        (void)fprintf(stderr, "adjoint-operator: %s\n", error.message);
    }
    access_free(access);
    loop_free(loop);
    return code;
}

int run_operator(int argc, char **argv)
{
    struct operator_settings settings;
    struct error error;
    memory_adopt_libraries();
    if (!operator_options_read(argc, argv, &settings, &error)) {
        (void)fprintf(stderr, "adjoint-operator: %s\n", error.message);
        return EXIT_USAGE;
    }
    log_configure(level_of(settings.log_level), NULL, NULL);
    if (settings.help) {
        struct text help cleanup_text;
        text_init(&help, LIMIT_BODY_BYTES);
        operator_options_help(&help);
        (void)fputs(help.bytes, stdout);
        return EXIT_STOPPED;
    }
    if (settings.version) {
        (void)printf("adjoint-operator " ADJOINT_VERSION "\n");
        return EXIT_STOPPED;
    }
    return run_settings(&settings);
}
