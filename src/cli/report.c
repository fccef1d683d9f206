/* SPDX-License-Identifier: Apache-2.0 */
/* Each part is tried by itself: who may read half of it can send half of it, with a list of what is
   lacking and why. Secrets are never asked for. */
#include "base/timestamp.h"
#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/fetch.h"
#include "cli/operator_pods.h"
#include "cli/redact.h"
#include "cli/report_part.h"
#include "cli/version.h"
#include "io/archive.h"

#include <inttypes.h>
#include <string.h>

#define FOLDER "adjoint-report/"
#define LOG_QUERY "&timestamps=true&tailLines=20000&limitBytes=4194304"

enum {
    PART_BYTES_MAX = 4 * CLI_BODY_BYTES_MAX, /* laid out, JSON takes some times its bytes */
    SUMMARY_BYTES_MAX = 1024 * 1024,
    PATH_BYTES_MAX = 4 * 1024,
    NAME_BYTES_MAX = 96,
};

static const struct option_row OPTIONS[] = {
    {.name = "file",
     .letter = 'f',
     .argument = "FILE",
     .help = "write this one (default: adjoint-report-TIME.tar.gz here)",
     .completion = COMPLETE_FILES,
     OPTION_SETS_TEXT(struct cli_options, file)},
    OPTIONS_OPERATOR,
    OPTIONS_LEASE,
    {.name = NULL},
};

struct report {
    struct cli *cli;
    struct arena arena;
    struct archive *archive;
    struct report_scope scope;
    struct text summary;
    size_t lacking_count;
};

/* ---- what goes in ---- */

static void add(struct report *report, const char *name, const struct text *bytes)
{
    archive_add(report->archive, arena_print(&report->arena, FOLDER "%s", name), bytes->bytes,
                bytes->length_bytes, report->cli->now.wall_ms);
}

static void note_read(struct report *report, const char *name, const char *what)
{
    text_print(&report->summary, "  %-40s %s\n", name, what);
}

static void note_lacking(struct report *report, const char *name, const struct error *error)
{
    report->lacking_count++;
    text_print(&report->summary, "  %-40s NOT READ: %s\n", name, error->message);
    cli_say(report->cli, "Not read: %s: %s", name, error->message);
}

static void add_part(struct report *report, const struct report_part *part)
{
    cleanup_text struct text out;
    const char *note = NULL;
    struct error error;
    const char *name = arena_print(&report->arena, "%s.json", part->name);
    text_init(&out, PART_BYTES_MAX);
    if (!report_part_read(report->cli, part, &report->scope, &out, &note, &error)) {
        note_lacking(report, name, &error);
        return;
    }
    add(report, name, &out);
    note_read(report, name, note);
}

/* A text that somebody answered, once it is redacted. */
static void add_answer(struct report *report, const char *name, const struct text *answer)
{
    cleanup_text struct text seen;
    struct error error;
    text_init(&seen, PART_BYTES_MAX);
    redact_text(answer->bytes, &seen);
    if (!text_check(&seen, name, &error)) {
        note_lacking(report, name, &error);
        return;
    }
    add(report, name, &seen);
    note_read(report, name, arena_print(&report->arena, "%zu bytes", seen.length_bytes));
}

/* ---- the operators ---- */

/* pod NULL: the one of --operator-url. */
static void add_telemetry(struct report *report, const struct operator_pod *pod, const char *folder)
{
    static const struct {
        const char *path, *file;
    } pages[] = {{"/metrics", "metrics.txt"},
                 {"/debug/state", "state.json"},
                 {"/healthz", "healthz.txt"},
                 {"/readyz", "readyz.txt"}};
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        cleanup_text struct text answer;
        struct error error;
        const char *name = arena_print(&report->arena, "%s/%s", folder, pages[i].file);
        text_init(&answer, CLI_BODY_BYTES_MAX);
        if (operator_pod_get(report->cli, pod, pages[i].path, &answer, &error)) {
            add_answer(report, name, &answer);
        } else {
            note_lacking(report, name, &error);
        }
    }
}

/* before: of the container that ran there earlier, which mostly none did. */
static void add_log(struct report *report, const struct operator_pod *pod, const char *container,
                    bool before, const char *folder)
{
    cleanup_text struct text path;
    cleanup_text struct text log;
    struct error error;
    text_init(&path, PATH_BYTES_MAX);
    text_init(&log, CLI_BODY_BYTES_MAX);
    kind_path(kind_of(KIND_POD), pod->namespace, pod->name, "log", &path);
    text_append(&path, "?container=");
    text_append_encoded(&path, container);
    text_append(&path, LOG_QUERY);
    text_append(&path, before ? "&previous=true" : "");
    struct request request = {.method = METHOD_GET, .path = path.bytes, .accept = "*/*"};
    const char *name =
        arena_print(&report->arena, "%s/%.40s%s.log", folder, container, before ? ".previous" : "");
    if (cli_call(report->cli, &request, &log, &error)) {
        add_answer(report, name, &log);
    } else if (!before) {
        note_lacking(report, name, &error);
    }
}

static void add_operator(struct report *report, const struct operator_pod *pod)
{
    const char *folder = arena_print(&report->arena, "operator/%.80s", pod->name);
    report_scope_add(&report->scope, pod->namespace);
    for (size_t i = 0; i < pod->container_count; i++) {
        if (pod->containers[i] != NULL) {
            add_log(report, pod, pod->containers[i], false, folder);
            add_log(report, pod, pod->containers[i], true, folder);
        }
    }
    add_telemetry(report, pod, folder);
}

static void add_operators(struct report *report)
{
    struct operator_pods pods;
    struct error error;
    if (report->cli->options.operator_url != NULL) {
        add_telemetry(report, NULL, "operator/url");
    }
    if (!operator_pods_read(report->cli, &report->arena, &pods, &error)) {
        note_lacking(report, "operator/", &error);
        return;
    }
    for (size_t i = 0; i < pods.count; i++) {
        add_operator(report, &pods.items[i]);
    }
    if (pods.count == 0) {
        (void)error_set(&error, ERROR_NOT_FOUND,
                        "no pod has the label app.kubernetes.io/name=adjoint: if the operator runs "
                        "elsewhere, add its log, and --operator-url");
        note_lacking(report, "operator/", &error);
    }
}

/* ---- the whole ---- */

static void add_doctor(struct report *report)
{
    cleanup_text struct text found;
    text_init(&found, PART_BYTES_MAX);
    doctor_write(report->cli, &found);
    add_answer(report, "doctor.txt", &found);
}

static void begin_summary(struct report *report, const char *server_version)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_seconds(report->cli->now.wall_ms, at);
    text_init(&report->summary, SUMMARY_BYTES_MAX);
    text_print(
        &report->summary,
        "What adj " ADJOINT_VERSION " read at %s of Kubernetes %s. Left out: Secrets, the "
        "kubeconfig, objects of\nnamespaces without a Pool, an Instance or an operator. What "
        "may be a password, a token or a statement\nin SQL is replaced by " REDACTED
        ", and so is each environment variable's value.\n\n",
        at, server_version);
}

static enum exit_code finish(struct report *report, const char *path)
{
    struct cli *cli = report->cli;
    cleanup_text struct text line;
    struct error error;
    text_init(&line, PATH_BYTES_MAX);
    add(report, "summary.txt", &report->summary);
    if (!archive_close(report->archive, &error)) {
        return cli_fail(cli, CLI_ERROR, "%s", error.message);
    }
    text_print(&line, "%s\n", path);
    cli_print(cli, line.bytes);
    cli_say(cli,
            "Passwords and the like are left out as far as they can be told: read it before you "
            "send it. %zu parts were not read%s",
            report->lacking_count,
            report->lacking_count == 0 ? "." : "; summary.txt in it has the reasons.");
    return CLI_OK;
}

static enum exit_code write(struct report *report, const char *path, const char *server_version)
{
    struct error error;
    if (!archive_create(path, &report->archive, &error)) {
        return cli_fail(report->cli, CLI_ERROR, "%s", error.message);
    }
    begin_summary(report, server_version);
    for (const struct report_part *part = REPORT_PARTS; part->name != NULL; part++) {
        add_part(report, part);
        if (strcmp(part->name, "operator-pods") == 0) {
            add_operators(report);
        }
    }
    add_doctor(report);
    enum exit_code code = finish(report, path);
    text_release(&report->summary);
    return code;
}

static const char *default_path(struct report *report)
{
    char at[TIMESTAMP_BYTES];
    char *to = at;
    timestamp_format_seconds(report->cli->now.wall_ms, at);
    for (const char *from = at; *from != '\0'; from++) {
        if (*from != '-' && *from != ':') {
            *to++ = *from;
        }
    }
    *to = '\0';
    return arena_print(&report->arena, "adjoint-report-%s.tar.gz", at);
}

static enum exit_code run(struct cli *cli)
{
    struct error error;
    cleanup_json struct json_document *version = NULL;
    if (!operator_url_check(cli, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    if (!fetch_json(cli, "/version", &version, &error)) {
        return cli_fail_with(cli, KIND_POOL, &error);
    }
    const char *server = json_text(json_path(json_root(version), "gitVersion", NULL));
    struct report report = {.cli = cli};
    arena_init(&report.arena, 0);
    report.scope =
        (struct report_scope){.arena = &report.arena, .lease_name = cli->options.lease_name};
    const char *path = cli->options.file != NULL ? cli->options.file : default_path(&report);
    enum exit_code code = write(&report, path, server == NULL ? "?" : server);
    arena_release(&report.arena);
    return code;
}

const struct command command_report = {
    .name = "report",
    .operands = "",
    .summary = "Collect what a bug report needs into one file, without secrets",
    .details =
        "A .tar.gz with Pools, Instances, their PVCs, PersistentVolumes, Clusters and pods, "
        "snapshots,\nclasses, quotas, the Lease and events of their namespaces; the operators' "
        "logs, metrics and state;\nwhat `adj doctor` finds; and summary.txt, which lists it and "
        "what could not be read. Logs need the\nright to get pods/log, metrics and state that to "
        "get pods/proxy, or --operator-url.\n\n"
        "Secrets are never read. Values of environment variables, passwords and tokens are "
        "replaced by\nREDACTED, and so is sanitize.sql. Names stay: of namespaces, Instances, "
        "databases, roles, volumes.\n",
    .example = "--file report.tar.gz --operator-url http://localhost:8080",
    .options = OPTIONS,
    .run = run,
};
