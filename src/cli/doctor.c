/* SPDX-License-Identifier: Apache-2.0 */
/* Each check goes on where another could not: what is wrong with the first thing must not hide the
   second. Only what the operator itself cannot do without, reading all its kinds, stands before the
   checks that compare objects with each other: from half of them would follow findings that are not
   true. */
#include "cli/doctor.h"

#include "base/memory.h"
#include "cli/command.h"
#include "cli/json_layout.h"
#include "cli/output.h"

#include <string.h>

enum { TEXT_BYTES_MAX = 16 * 1024 * 1024 };

static const char *const FORMATS[] = {"json", NULL};

static const struct option_row OPTIONS[] = {
    {.name = "fsx",
     .help = "ask FSx, too, for volumes that no PersistentVolume names",
     OPTION_SETS_FLAG(struct cli_options, fsx)},
    {.name = "service-account",
     .argument = "NAMESPACE/NAME",
     .help = "the operator's, whose rights are asked for (default: of the chart's Deployment, else "
             "yours)",
     OPTION_SETS_TEXT(struct cli_options, service_account)},
    OPTIONS_LEASE,
    {.name = "remove-finalizers",
     .help = "instead: let go of what is being deleted after the operator is gone",
     OPTION_SETS_FLAG(struct cli_options, remove_finalizers)},
    {.name = "yes",
     .help = "with --remove-finalizers: do not ask",
     OPTION_SETS_FLAG(struct cli_options, yes)},
    OPTION_OUTPUT(FORMATS),
    {.name = NULL},
};

static const struct check {
    const char *name;
    bool compares; /* the operator's objects, all of them */
    void (*run)(struct doctor *doctor);
} CHECKS[] = {
    {"kinds", false, doctor_kinds},    {"operator", false, doctor_operator},
    {"rights", false, doctor_rights},  {"cloudnativepg", false, doctor_cloudnativepg},
    {"classes", true, doctor_classes}, {"goldens", true, doctor_goldens},
    {"pools", true, doctor_pools},     {"instances", true, doctor_instances},
    {"volumes", true, doctor_volumes}, {"owners", true, doctor_owners},
    {"fsx", true, doctor_fsx},
};
enum { CHECK_COUNT = sizeof(CHECKS) / sizeof(CHECKS[0]) };

/* ---- reading ---- */

static bool read_operand(struct doctor *doctor, struct error *error)
{
    struct cli *cli = doctor->cli;
    if (cli->operands.count == 0) {
        return true;
    }
    const char *operand = cli->operands.items[0];
    const char *slash = strchr(operand, '/');
    doctor->pool_name = slash == NULL ? operand : slash + 1;
    doctor->pool_namespace =
        slash == NULL ? cli_namespace(cli)
                      : arena_copy_bytes(&doctor->arena, operand, (size_t)(slash - operand));
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_POOL);
    return fetch_one(cli, doctor->pool_namespace, doctor->pool_name, &fetched, error);
}

static bool read_cluster(struct doctor *doctor, enum object_kind *out_kind, struct error *error)
{
    if (!cluster_view_read(&doctor->cluster)) {
        *out_kind = doctor->cluster.failed_kind;
        *error = doctor->cluster.error;
        return false;
    }
    struct now now = doctor->cli->now;
    assignment_compute(&doctor->assignment, doctor->cluster.store, NULL, NULL, now);
    doctor->seen = (struct view){.store = doctor->cluster.store,
                                 .memos = &doctor->memos,
                                 .assignment = &doctor->assignment,
                                 .now = now};
    *out_kind = KIND_VOLUME;
    return fetch_list(doctor->cli, NULL, &doctor->volumes, error);
}

static void doctor_init(struct doctor *doctor, struct cli *cli)
{
    *doctor = (struct doctor){.cli = cli};
    arena_init(&doctor->arena, 0);
    cluster_view_init(&doctor->cluster, cli);
    assignment_init(&doctor->assignment);
    memos_init(&doctor->memos);
    fetched_init(&doctor->volumes, KIND_VOLUME);
}

static void doctor_release(struct doctor *doctor)
{
    fetched_release(&doctor->volumes);
    memos_release(&doctor->memos);
    assignment_release(&doctor->assignment);
    cluster_view_release(&doctor->cluster);
    memory_free(doctor->findings);
    arena_release(&doctor->arena);
}

/* ---- what was found ---- */

static const char *level_name(enum finding_level level)
{
    static const char *const names[FINDING_LEVEL_COUNT] = {"ok", "warn", "FAIL"};
    return names[level];
}

static void print_json(const struct doctor *doctor)
{
    cleanup_text struct text compact;
    cleanup_text struct text out;
    text_init(&compact, TEXT_BYTES_MAX);
    text_init(&out, TEXT_BYTES_MAX);
    struct json_writer json;
    json_writer_init(&json, &compact);
    json_begin_object(&json);
    json_member_array(&json, "findings");
    for (size_t i = 0; i < doctor->finding_count; i++) {
        const struct finding *finding = &doctor->findings[i];
        json_begin_object(&json);
        json_member_string(&json, "level", level_name(finding->level));
        json_member_string(&json, "check", finding->check);
        json_member_optional(&json, "subject", finding->subject);
        json_member_string(&json, "message", finding->message);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_layout(compact.bytes, &out);
    cli_print(doctor->cli, out.bytes);
}

static void write_lines(const struct doctor *doctor, struct text *out)
{
    for (size_t i = 0; i < doctor->finding_count; i++) {
        const struct finding *finding = &doctor->findings[i];
        bool has_subject = finding->subject != NULL;
        text_print(out, "%-5s %-14s %s%s%s\n", level_name(finding->level), finding->check,
                   has_subject ? finding->subject : "", has_subject ? ": " : "", finding->message);
    }
}

static void print_lines(const struct doctor *doctor)
{
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    write_lines(doctor, &out);
    cli_print(doctor->cli, out.bytes);
    cli_say(doctor->cli, "%zu ok, %zu warn, %zu FAIL%s", doctor->counts[FINDING_OK],
            doctor->counts[FINDING_WARN], doctor->counts[FINDING_FAIL],
            doctor->cli->options.fsx
                ? ""
                : "; FSx was not asked for volumes that no PersistentVolume names: --fsx");
}

/* ---- the command ---- */

static void run_checks(struct doctor *doctor)
{
    enum object_kind kind = KIND_POOL;
    struct error error;
    bool is_read = read_cluster(doctor, &kind, &error);
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        doctor->check = CHECKS[i].name;
        if (is_read || !CHECKS[i].compares) {
            CHECKS[i].run(doctor);
        }
    }
    if (!is_read) {
        doctor->check = "objects";
        doctor_cannot_read(doctor, kind, &error);
    }
}

static enum exit_code examine(struct doctor *doctor)
{
    struct cli *cli = doctor->cli;
    run_checks(doctor);
    if (output_is_text(cli)) {
        print_lines(doctor);
    } else {
        print_json(doctor);
    }
    return doctor->counts[FINDING_FAIL] > 0 ? CLI_UNHEALTHY : CLI_OK;
}

void doctor_write(struct cli *cli, struct text *out)
{
    struct doctor doctor;
    doctor_init(&doctor, cli);
    run_checks(&doctor);
    write_lines(&doctor, out);
    doctor_release(&doctor);
}

static enum exit_code run_with(struct doctor *doctor)
{
    struct cli *cli = doctor->cli;
    cleanup_json struct json_document *version = NULL;
    struct error error;
    if (!fetch_json(doctor->cli, "/version", &version, &error) || !read_operand(doctor, &error)) {
        return cli_fail_with(cli, KIND_POOL, &error);
    }
    if (!cli->options.remove_finalizers) {
        return examine(doctor);
    }
    enum object_kind kind = KIND_POOL;
    return read_cluster(doctor, &kind, &error) ? doctor_remove_finalizers(doctor)
                                               : cli_fail_with(cli, kind, &error);
}

static bool is_service_account(const char *name)
{
    const char *slash = strchr(name, '/');
    return slash != NULL && slash != name && slash[1] != '\0' && strchr(slash + 1, '/') == NULL;
}

static enum exit_code run(struct cli *cli)
{
    struct error error;
    if (cli->options.service_account != NULL && !is_service_account(cli->options.service_account)) {
        return cli_fail(cli, CLI_USAGE, "--service-account: \"%s\" is none: write NAMESPACE/NAME",
                        cli->options.service_account);
    }
    if (cli->options.yes && !cli->options.remove_finalizers) {
        return cli_fail(cli, CLI_USAGE, "--yes is for --remove-finalizers");
    }
    if (!cli_connect(cli, &error)) {
        return cli_fail_with(cli, KIND_POOL, &error);
    }
    struct doctor doctor;
    doctor_init(&doctor, cli);
    enum exit_code code = run_with(&doctor);
    doctor_release(&doctor);
    return code;
}

const struct command command_doctor = {
    .name = "doctor",
    .operands = "[POOL]",
    .summary = "Examine an installation, and say what to do about what is wrong",
    .details =
        "One line for each finding: ok, warn or FAIL, the check, what it saw and what to do. Reads "
        "what\nyou may read and changes nothing. POOL (NAMESPACE/NAME, or the name of one in your "
        "namespace)\nnarrows it to that Pool with its Instances and volumes.\n\n"
        "--fsx looks for volumes in FSx that no PersistentVolume names, with AWS_REGION, "
        "AWS_ACCESS_KEY_ID,\nAWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN (and "
        "AWS_ENDPOINT_URL_FSX, if it is elsewhere); the\nright it needs is "
        "fsx:DescribeVolumes.\n\n"
        "--remove-finalizers is for an uninstall in the wrong order, when Pools and Instances hang "
        "in\ntheir deletion because the operator is gone. It takes Adjoint's finalizer off those "
        "alone, keeps\nevery volume of theirs, with the policy Retain, and says what "
        "remains.\n\n"
        "Exit codes: 0 nothing fails; 5 something does; 1 and 2 as ever.\n",
    .example = "adjoint-pools/shop --fsx",
    .operand_count_max = 1,
    .operand_completion = COMPLETE_POOLS,
    .options = OPTIONS,
    .run = run,
};
