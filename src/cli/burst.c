/* SPDX-License-Identifier: Apache-2.0 */
/* A burst is the morning, a soak the day: both are Instances at planned times, so both are here.
   The operator's own steps are told apart by its own clock alone; what a developer waits, by ours.
 */
#include "api/instance.h"
#include "api/pool.h"
#include "cli/command.h"
#include "cli/fetch.h"
#include "cli/field_options.h"
#include "cli/field_test.h"
#include "cli/load.h"
#include "cli/object_name.h"
#include "cli/standing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WHY_BYTES_MAX = 1024,
    BURST_MAX = 500,
    SELECTOR_BYTES = 320,
};
#define BEYOND_MS (INT64_C(3) * 60 * 60 * 1000) /* for those that wait at the end of a soak */

#define OPTION_POOL                                                                                \
    {                                                                                              \
        .name = "pool", .argument = "NS/NAME", .help = "the Pool to claim clones of; required",    \
        .completion = COMPLETE_POOLS, OPTION_SETS_TEXT(struct cli_options, pool)                   \
    }

static const struct option_row BURST_OPTIONS[] = {
    OPTION_POOL,
    FIELD_OPTION_COUNT("how many Instances are asked for at once", "10", BURST_MAX),
    FIELD_OPTIONS("3h"),
    {.name = NULL},
};

static const struct option_row SOAK_OPTIONS[] = {
    OPTION_POOL,
    {.name = "rate",
     .argument = "N/UNIT",
     .fallback = "6/h",
     .help = "how many Instances are asked for in an hour (6/h), a minute (1/m), a day (40/d)",
     OPTION_SETS_TEXT(struct cli_options, rate)},
    {.name = "for",
     .argument = "DURATION",
     .fallback = "1h",
     .help = "how long they are asked for",
     .minimum = 1000,
     .maximum = INT64_C(31) * 24 * 60 * 60 * 1000,
     OPTION_SETS_DURATION(struct cli_options, for_ms)},
    {.name = "life",
     .argument = "DURATION",
     .fallback = "30m",
     .help = "how long each lives once it is Ready",
     OPTION_SETS_DURATION(struct cli_options, life_ms)},
    FIELD_OPTIONS(NULL),
    {.name = NULL},
};

struct load {
    struct field_test test;
    struct object_name pool;
    struct load_claim *claims;
    struct load_lane lane;
    int64_t looked_ms; /* mono; NOW_NEVER: the Pool was not seen yet */
    int64_t filling;   /* then */
};

/* ---- what was typed ---- */

/* ms between two; 0: it is no rate. */
static int64_t read_rate(const char *typed)
{
    static const struct {
        const char *unit;
        int64_t ms;
    } units[] = {{"/s", 1000}, {"/m", 60000}, {"/h", 3600000}, {"/d", 86400000}};
    char number[24] = "";
    size_t digits = strspn(typed, "0123456789");
    int64_t count = 0;
    struct error ignored;
    if (digits == 0 || digits >= sizeof(number)) {
        return 0;
    }
    (void)memcpy(number, typed, digits);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (text_equal(typed + digits, units[i].unit) &&
            text_parse_int64(number, &count, &ignored) && count > 0) {
            return units[i].ms / count;
        }
    }
    return 0;
}

static enum exit_code check_pool(struct load *load)
{
    struct cli *cli = load->test.cli;
    const char *pool = cli->options.pool;
    if (pool == NULL) {
        return cli_fail(cli, CLI_USAGE, "%s needs --pool NAMESPACE/NAME: `adj pools` lists them",
                        load->test.name);
    }
    if (!object_name_parse(pool, NULL, &load->pool)) {
        return cli_fail(cli, CLI_USAGE, "--pool: \"%s\" has no namespace: write NAMESPACE/NAME",
                        pool);
    }
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_POOL);
    struct error error;
    if (!cli_connect(cli, &error) ||
        (!fetch_one(cli, load->pool.namespace, load->pool.name, &fetched, &error) &&
         error.class != ERROR_FORBIDDEN)) {
        return cli_fail_with(cli, KIND_POOL, &error);
    }
    load->test.namespace = cli_namespace(cli);
    return CLI_OK;
}

/* ---- the Instances ---- */

static void write_spec(void *self, struct json_writer *json)
{
    const struct load *load = self;
    json_member_object(json, "spec");
    json_member_object(json, "pool");
    json_member_string(json, "name", load->pool.name);
    json_member_string(json, "namespace", load->pool.namespace);
    json_end_object(json);
    json_member_string(json, "deletionPolicy", "Delete");
    json_end_object(json);
}

static int64_t stretch(const int64_t *steps, enum claim_step from, enum claim_step to)
{
    int64_t ms = steps[to] - steps[from];
    return steps[from] == 0 || steps[to] == 0 || ms < 0 ? 0 : ms;
}

static void note_ready(struct load_claim *claim, const struct instance *instance, int64_t ready_ms)
{
    const int64_t *steps = instance->steps;
    claim->ready = true;
    claim->ready_ms = ready_ms;
    claim->bind_ms = stretch(steps, STEP_CHOSEN, STEP_BOUND);
    claim->start_ms = stretch(steps, STEP_BOUND, STEP_READY);
    int64_t queue_ms = ready_ms - claim->bind_ms - claim->start_ms;
    claim->queue_ms = queue_ms > 0 ? queue_ms : 0;
}

static enum field_verdict judge(void *self, const struct object *object, struct field_item *item,
                                const char **out_why)
{
    struct load *load = self;
    const struct instance *instance = object->instance;
    struct load_claim *claim = item->more;
    claim->waited =
        claim->waited || instance->phase == PHASE_WAITING || instance->first_eta_ms != 0;
    if (instance->phase == PHASE_READY) {
        note_ready(claim, instance, load->test.cli->now.mono_ms - item->asked_ms);
        return FIELD_DONE;
    }
    if (!standing_is_hopeless(object)) {
        return FIELD_WAITS;
    }
    cleanup_text struct text why;
    text_init(&why, WHY_BYTES_MAX);
    standing_print(object, &why);
    *out_why = arena_copy(&load->test.arena, why.bytes);
    return FIELD_FAILED;
}

/* The Pool's counts hold until it shows others. */
static void look(void *self, struct now now)
{
    struct load *load = self;
    struct load_lane *lane = &load->lane;
    const struct object *object =
        store_get(load->test.store, KIND_POOL, load->pool.namespace, load->pool.name);
    if (object == NULL) {
        return;
    }
    const struct pool *pool = object->pool;
    if (load->looked_ms != NOW_NEVER) {
        int64_t passed_ms = now.mono_ms - load->looked_ms;
        lane->seen_ms += passed_ms;
        lane->busy_ms += load->filling > 0 ? passed_ms : 0;
        lane->filling_ms += load->filling * passed_ms;
    }
    load->looked_ms = now.mono_ms;
    load->filling = pool->counts.filling;
    bool is_least = lane->warm_least < 0 || pool->counts.warm < lane->warm_least;
    lane->warm_least = is_least ? pool->counts.warm : lane->warm_least;
    lane->gap_ms = pool->measured.gap_ms;
    if (pool->measured.name != NULL && lane->name == NULL) {
        lane->name = arena_copy(&load->test.arena, pool->measured.name);
    }
}

/* ---- after ---- */

/* Of one kind, those with the run's names. */
static size_t count_left(struct load *load, enum object_kind kind)
{
    struct cli *cli = load->test.cli;
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, kind);
    struct error error;
    if (!fetch_list(cli, load->test.namespace, &fetched, &error)) {
        cli_say(cli, "Whether %s are left is not seen: %s", kind_of(kind)->plural, error.message);
        return 0;
    }
    size_t count = 0;
    for (size_t i = 0; i < fetched.count; i++) {
        const char *name = fetched.objects[i]->meta.name;
        if (text_starts_with(name, load->test.prefix)) {
            (void)cli_fail(cli, CLI_UNHEALTHY, "%s %s/%s is left, without its Instance",
                           kind_of(kind)->kind, load->test.namespace, name);
            count++;
        }
    }
    return count;
}

static size_t count_all_left(struct load *load)
{
    for (size_t i = 0; i < load->test.item_count; i++) {
        if (load->test.items[i].state != FIELD_GONE) {
            return 0; /* what is its Instance's is told with it */
        }
    }
    return count_left(load, KIND_CLUSTER) + count_left(load, KIND_VOLUME_CLAIM);
}

static enum exit_code report(struct load *load)
{
    struct field_test *test = &load->test;
    struct load_report report = {.test = test->name,
                                 .pool = load->pool.name,
                                 .pool_namespace = load->pool.namespace,
                                 .namespace = test->namespace,
                                 .lasted_ms = test->ended_ms - test->started_ms,
                                 .claims = load->claims,
                                 .lane = load->lane,
                                 .left = count_all_left(load)};
    for (size_t i = 0; i < test->item_count; i++) {
        const struct field_item *item = &test->items[i];
        if (item->asked_ms != NOW_NEVER) {
            load->claims[i].asked_ms = item->asked_ms - test->started_ms;
            load->claims[i].why = item->why;
            report.count++; /* they are asked for in this order */
        }
    }
    enum exit_code code = field_print(test->cli, &LOAD_FORMS, &report);
    return report.left > 0 ? CLI_UNHEALTHY : code;
}

/* count of them, so far apart. */
static enum exit_code measure(struct load *load, size_t count, int64_t apart_ms)
{
    struct field_test *test = &load->test;
    enum exit_code code = CLI_OK;
    if (!field_test_is_clean(test, &code)) {
        return code;
    }
    code = field_prepare(test->cli);
    if (code != CLI_OK) {
        return code;
    }
    field_test_init(test, false);
    char selector[SELECTOR_BYTES];
    (void)snprintf(selector, sizeof(selector), "metadata.name%%3D%s", load->pool.name);
    field_test_watch(test, KIND_POOL, load->pool.namespace, selector);
    load->claims = arena_new(&test->arena, count, sizeof(*load->claims));
    for (size_t i = 0; i < count; i++) {
        struct field_item *item = field_test_plan(test, (int64_t)i * apart_ms);
        load->claims[i].name = item->name;
        item->more = &load->claims[i];
    }
    field_test_run(test);
    code = test->started_ms == NOW_NEVER ? CLI_OK : report(load);
    enum exit_code end = field_test_end(test);
    field_test_release(test);
    return end == CLI_OK ? code : end;
}

static struct load load_of(struct cli *cli, const char *name, int64_t life_ms)
{
    return (struct load){.test = {.cli = cli,
                                  .name = name,
                                  .kind = KIND_INSTANCE,
                                  .done_word = "Ready",
                                  .life_ms = life_ms,
                                  .write_spec = write_spec,
                                  .judge = judge,
                                  .look = look},
                         .lane = {.warm_least = -1},
                         .looked_ms = NOW_NEVER};
}

static enum exit_code run_load(struct load *load, size_t count, int64_t apart_ms)
{
    load->test.self = load;
    enum exit_code code = check_pool(load);
    if (code != CLI_OK) {
        return code;
    }
    return load->test.cli->options.clean ? field_test_clean(&load->test)
                                         : measure(load, count, apart_ms);
}

static enum exit_code run_burst(struct cli *cli)
{
    struct load load = load_of(cli, "burst", NOW_NEVER);
    return run_load(&load, (size_t)cli->options.count, 0);
}

static enum exit_code run_soak(struct cli *cli)
{
    struct cli_options *options = &cli->options;
    int64_t apart_ms = read_rate(options->rate);
    if (apart_ms == 0) {
        return cli_fail(cli, CLI_USAGE,
                        "--rate: \"%s\" is no rate: a number, and /h, /m, /s or /d: 6/h",
                        options->rate);
    }
    int64_t count = (options->for_ms + apart_ms - 1) / apart_ms;
    if (count > FIELD_ITEMS_MAX) {
        return cli_fail(cli, CLI_USAGE, "%s for so long are %" PRId64 " Instances: at most %d",
                        options->rate, count, FIELD_ITEMS_MAX);
    }
    options->timeout_ms = options->timeout_ms > 0 ? options->timeout_ms
                                                  : options->for_ms + options->life_ms + BEYOND_MS;
    struct load load = load_of(cli, "soak", options->life_ms);
    return run_load(&load, (size_t)count, apart_ms);
}

#define RIGHTS_AND_CODES                                                                           \
    "Takes the rights to create, list, watch and delete Instances in the namespace; what is seen " \
    "of the\nPool, of PersistentVolumes, Clusters and PersistentVolumeClaims is told as far as "   \
    "you may list (and\nwatch) them.\n\n"                                                          \
    "Exit codes: 0 all became Ready and are gone again; 3 some did not; 4 --timeout has passed; "  \
    "5\nsomething is left; 1 and 2 as ever.\n"

const struct command command_burst = {
    .name = "burst",
    .operands = "",
    .summary = "Measure how long Instances take that are asked for at once",
    .details =
        "Makes so many Instances of the Pool in the namespace at once, waits until each is Ready, "
        "tells where\ntheir time went and how the lane was used, and deletes them again, after a "
        "failure and after Ctrl-C,\ntoo (a second Ctrl-C leaves them; --clean finds them). They "
        "are clones like any others: who asks for\none meanwhile stands in line with "
        "them.\n\n" RIGHTS_AND_CODES,
    .example = "-k 10 --pool adjoint-pools/orders -n dev",
    .options = BURST_OPTIONS,
    .run = run_burst,
};

const struct command command_soak = {
    .name = "soak",
    .operands = "",
    .summary = "Measure how long Instances take that are asked for hour after hour",
    .details =
        "Asks for Instances of the Pool in the namespace, evenly spread, for so long; each is "
        "deleted a while\nafter it is Ready, and the rest at the end, after a failure and after "
        "Ctrl-C, too (--clean\nfinds what a killed run has left). Tells what `adj burst` "
        "tells,\nand "
        "what is left when all should be gone.\n\n" RIGHTS_AND_CODES,
    .example = "--pool adjoint-pools/orders --rate 12/h --for 8h --life 1h -n dev",
    .options = SOAK_OPTIONS,
    .run = run_soak,
};
