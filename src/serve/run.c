/* SPDX-License-Identifier: Apache-2.0 */
/* Where adjoint-sim is put together: settings, simulation, definitions, front, and a loop whose
   step moves the world as the clock goes, times the speed. */
#include "serve/run.h"

#include "base/limits.h"
#include "base/memory.h"
#include "io/identity.h"
#include "io/loop.h"
#include "serve/settings.h"
#include "sim/front.h"
#include "sim/manifests.h"
#include "sim/simulation.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_STOPPED, EXIT_FAILED, EXIT_USAGE };

/* Events of the world between two looks at the sockets. */
enum { EVENTS_A_STEP = 10000 };

static const struct golden_options sample = {
    .namespace = "adjoint-pools",
    .snapshot = "orders-golden",
    .clone_class = "fsx-clone",
    .system_id = "7423456789012345678",
    .database = "orders",
    .owner = "orders",
};

struct run {
    struct loop *loop;
    struct simulation *simulation;
    struct world *world;
    struct front *front;
    struct now started; /* what the world's clocks showed at its mono_ms 0 */
    int64_t speed;
};

/* ---- time ---- */

/* Moves the world to now; false: it is not there yet. */
static bool move_world(struct run *run, struct now now)
{
    int64_t until_ms = (now.mono_ms - run->started.mono_ms) * run->speed;
    for (int i = 0; i < EVENTS_A_STEP; i++) {
        if (!world_run_next(run->world, until_ms)) {
            return true;
        }
    }
    return false;
}

static int64_t real_ms(const struct run *run, int64_t world_ms)
{
    return world_ms == NOW_NEVER ? NOW_NEVER
                                 : run->started.mono_ms + (world_ms + run->speed - 1) / run->speed;
}

static int64_t step(void *self, struct now now)
{
    struct run *run = self;
    (void)move_world(run, now);
    int64_t wake_at_ms = front_step(run->front, now);
    if (!move_world(run, now)) {
        return now.mono_ms;
    }
    int64_t world_at_ms = real_ms(run, world_next_at(run->world));
    return world_at_ms < wake_at_ms ? world_at_ms : wake_at_ms;
}

static void stop_asked(void *self, int signal_number)
{
    struct run *run = self;
    (void)signal_number;
    loop_stop(run->loop);
}

/* ---- start ---- */

static void print_line(void *self, const char *line)
{
    (void)self;
    (void)fprintf(stderr, "%s\n", line);
}

/* The first folder there is, seen from the program: installed, or in the tree it was built in. */
static const char *find_crds(char out[PATH_MAX])
{
    static const char *const places[] = {"../share/adjoint/crds", "../../crds"};
    char program[PATH_MAX] = "";
    if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0) {
        return NULL;
    }
    char *slash = strrchr(program, '/');
    int folder_bytes = slash != NULL ? (int)(slash - program) : 0;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        int byte_count = snprintf(out, PATH_MAX, "%.*s/%s", folder_bytes, program, places[i]);
        if (byte_count < PATH_MAX && access(out, R_OK) == 0) {
            return out;
        }
    }
    return NULL;
}

static bool fill_cluster(struct run *run, const struct settings *settings, struct error *error)
{
    char found[PATH_MAX];
    const char *crds = settings->crds != NULL ? settings->crds : find_crds(found);
    if (crds == NULL) {
        return error_set(error, ERROR_SYSTEM, "no definitions beside this program: use --crds");
    }
    if (settings->golden) {
        simulation_make_golden(run->simulation, &sample);
    }
    return manifests_create_folder(simulation_apiserver(run->simulation), crds, error);
}

/* `kubectl get --raw /debug/fsx` */
static bool tell(void *self, const char *path, struct text *out)
{
    if (!text_equal(path, "/debug/fsx")) {
        return false;
    }
    simulation_fsx_report(self, out);
    return true;
}

static bool open_front(struct run *run, const struct settings *settings, struct error *error)
{
    char token[IDENTITY_BYTES];
    (void)identity_make(token);
    struct front_options options = {.address = settings->address,
                                    .port = settings->port,
                                    .token = token,
                                    .user = "kubernetes-admin",
                                    .speed = settings->speed,
                                    .from_wall_ms = run->started.wall_ms,
                                    .tell = tell,
                                    .self = run->simulation};
    return front_open(run->loop, simulation_apiserver(run->simulation), &options, &run->front,
                      error) &&
           front_write_kubeconfig(run->front, settings->kubeconfig, error);
}

static void run_loop(struct run *run, const struct settings *settings)
{
    (void)printf("adjoint-sim: %s, speed %" PRId64 ", seed %" PRId64 "\n"
                 "export KUBECONFIG=%s\n",
                 front_url(run->front), settings->speed, settings->seed, settings->kubeconfig);
    (void)fflush(stdout);
    loop_set_step(run->loop, step, run);
    loop_on_stop_signal(run->loop, stop_asked, run);
    loop_run(run->loop);
    loop_set_step(run->loop, NULL, NULL);
}

static int run_settings(const struct settings *settings)
{
    struct run run = {.loop = loop_new(), .speed = settings->speed};
    run.started = loop_now(run.loop);
    struct simulation_options options = {.seed = (uint64_t)settings->seed,
                                         .wall_ms = run.started.wall_ms};
    simulation_pace(&options.pace);
    options.pace.provisioner_timeout_ms = settings->provisioner_timeout_ms;
    run.simulation = simulation_new(&options);
    run.world = simulation_world(run.simulation);
    if (settings->trace) {
        world_trace_to(run.world, print_line, NULL);
    }
    struct error error;
    bool ready = fill_cluster(&run, settings, &error) && open_front(&run, settings, &error);
    if (ready) {
        run_loop(&run, settings);
    } else {
        (void)fprintf(stderr, "adjoint-sim: %s\n", error.message);
    }
    front_free(run.front);
    simulation_free(run.simulation);
    loop_free(run.loop);
    return ready ? EXIT_STOPPED : EXIT_FAILED;
}

int run_simulator(int argc, char **argv)
{
    struct settings settings;
    struct error error;
    memory_adopt_libraries();
    if (!settings_read(argc, argv, &settings, &error)) {
        (void)fprintf(stderr, "adjoint-sim: %s\n", error.message);
        return EXIT_USAGE;
    }
    if (settings.help) {
        cleanup_text struct text help;
        text_init(&help, LIMIT_BODY_BYTES);
        settings_help(&help);
        (void)fputs(help.bytes, stdout);
        return EXIT_STOPPED;
    }
    return run_settings(&settings);
}
