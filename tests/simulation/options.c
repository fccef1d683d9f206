/* SPDX-License-Identifier: Apache-2.0 */
/* A flag has no value and any other option has one; there is nothing else. */
#include "simulation/options.h"

#include "simulation/scenario.h"

#include <string.h>

static bool read_number(const char *text, int64_t least, int64_t *out, struct error *error)
{
    if (!text_parse_int64(text, out, error)) {
        return false;
    }
    return *out >= least || error_set(error, ERROR_INVALID, "%s is too small", text);
}

/* "12:killed-applied" */
static bool read_crash(const char *text, struct options *out, struct error *error)
{
    const char *colon = strchr(text, ':');
    enum mishap mishap = colon == NULL ? MISHAP_NONE : mishap_find(colon + 1);
    int64_t write = 0;
    if (mishap == MISHAP_NONE || out->crash_count == CRASHES_MAX) {
        return error_set(error, ERROR_INVALID, "%s is not WRITE:MISHAP, or one too many", text);
    }
    cleanup_text struct text number;
    text_init(&number, 32);
    text_append_bytes(&number, text, (size_t)(colon - text));
    if (!read_number(number.bytes, 1, &write, error)) {
        return false;
    }
    out->crashes[out->crash_count++] = (struct crash){.write = (size_t)write, .mishap = mishap};
    return true;
}

static bool read_scenario(const char *text, struct options *out, struct error *error)
{
    out->scenario = scenario_find(text);
    return out->scenario != NULL ||
           error_set(error, ERROR_INVALID, "there is no scenario %s", text);
}

static bool read_valued(const char *name, const char *value, struct options *out,
                        struct error *error)
{
    if (text_equal(name, "--seeds")) {
        return read_number(value, 1, &out->seed_count, error);
    }
    if (text_equal(name, "--first-seed")) {
        return read_number(value, 0, &out->first_seed, error);
    }
    if (text_equal(name, "--jobs")) {
        return read_number(value, 1, &out->jobs, error) &&
               (out->jobs <= OPTIONS_JOBS_MAX ||
                error_set(error, ERROR_INVALID, "%s are too many", value));
    }
    if (text_equal(name, "--scenario")) {
        return read_scenario(value, out, error);
    }
    if (text_equal(name, "--crash")) {
        return read_crash(value, out, error);
    }
    if (text_equal(name, "--crds")) {
        out->crds = value;
        return true;
    }
    return error_set(error, ERROR_INVALID, "there is no option %s", name);
}

static bool *find_flag(const char *name, struct options *options)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--exhaustive", &options->exhaustive},
                 {"--pairs", &options->pairs},
                 {"--calm", &options->calm},
                 {"--replay", &options->replay},
                 {"-v", &options->verbose},
                 {"--help", &options->help}};
    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
        if (text_equal(flags[i].name, name)) {
            return flags[i].flag;
        }
    }
    return NULL;
}

bool options_read(int argc, char **argv, struct options *out, struct error *error)
{
    *out = (struct options){.seed_count = 200, .first_seed = 1, .jobs = 1, .crds = "crds"};
    for (int i = 1; i < argc; i++) {
        bool *flag = find_flag(argv[i], out);
        if (flag != NULL) {
            *flag = true;
            continue;
        }
        if (i + 1 == argc) {
            return error_set(error, ERROR_INVALID, "%s: unknown, or without its value", argv[i]);
        }
        if (!read_valued(argv[i], argv[i + 1], out, error)) {
            return error_wrap(error, "%s", argv[i]);
        }
        i++;
    }
    out->jobs = out->replay ? 1 : out->jobs; /* what happens is told as it happens */
    return true;
}

void options_help(struct text *out)
{
    text_append(out,
                "usage: simulation [OPTION...]\n"
                "  --seeds N          runs, one a seed (200)\n"
                "  --first-seed K     (1)\n"
                "  --jobs N           processes that share the runs (1)\n"
                "  --scenario NAME    one instead of all in turn\n"
                "  --exhaustive       each mishap at each write of a run without faults\n"
                "  --pairs            a death at each write, and another at each after it\n"
                "  --crash N:MISHAP   no faults but this one at the N-th write; twice: another\n"
                "                     at the N-th after it\n"
                "  --calm             no faults at all\n"
                "  --replay           prints all that happens\n"
                "  --crds DIR         the CustomResourceDefinitions (crds)\n"
                "  -v                 a line for each run\n"
                "scenarios:");
    for (const struct scenario *scenario = scenarios; scenario->name != NULL; scenario++) {
        text_print(out, " %s", scenario->name);
    }
    text_append(out, "\nmishaps:");
    for (int mishap = MISHAP_NONE + 1; mishap < MISHAP_COUNT; mishap++) {
        text_print(out, " %s", mishap_row((enum mishap)mishap)->name);
    }
    text_append(out, "\n");
}
