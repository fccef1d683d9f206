/* SPDX-License-Identifier: Apache-2.0 */
/* What is typed is judged here as far as it can be, because nobody judges it later: a driver that
   lists no snapshots calls any handle readyToUse, and a wrong system identifier is found only when
   a developer's Postgres has come up. */
#include "api/names.h"
#include "cli/command.h"
#include "cli/golden_pair.h"
#include "cli/output.h"

#include <inttypes.h>
#include <string.h>

/* Postgres' identifiers (NAMEDATALEN - 1); what it draws as a system identifier has had 19 digits
   since 1977, its upper half being a time (BootStrapXLOG). */
enum { IDENTIFIER_BYTES_MAX = 63, SYSTEM_ID_DIGITS = 19, TEXT_BYTES_MAX = 8 * 1024 };

#define HANDLE_PREFIX "fsvolsnap-"
enum { HANDLE_DIGITS_MIN = 8, HANDLE_BYTES_MAX = 28 }; /* FSx API, SnapshotId */

static const char *const VERBS[] = {"import", NULL};

static const struct option_row OPTIONS[] = {
    {.name = "handle",
     .argument = "ID",
     .help = "the snapshot as its storage names it, fsvolsnap-...; required",
     OPTION_SETS_TEXT(struct cli_options, handle)},
    {.name = "system-id",
     .argument = "N",
     .help = "what pg_controldata calls 'Database system identifier'; required",
     OPTION_SETS_TEXT(struct cli_options, system_id)},
    {.name = "database",
     .argument = "NAME",
     .help = "the golden's database that developers are connected to; required",
     OPTION_SETS_TEXT(struct cli_options, database)},
    {.name = "owner",
     .argument = "ROLE",
     .help = "the role that owns it; required",
     OPTION_SETS_TEXT(struct cli_options, owner)},
    {.name = "major-version",
     .argument = "N",
     .minimum = 10,
     .maximum = 99,
     .help = "Postgres' of the data: a Pool with an image of another is refused then",
     OPTION_SETS_INTEGER(struct cli_options, major_version)},
    {.name = "driver",
     .argument = "NAME",
     .fallback = DRIVER_FSX_OPENZFS,
     .help = "the CSI driver that knows the handle",
     OPTION_SETS_TEXT(struct cli_options, driver)},
    {.name = "dry-run",
     .help = "have the API server judge it and make nothing",
     OPTION_SETS_FLAG(struct cli_options, dry_run)},
    {.name = NULL},
};

/* ---- what was typed ---- */

static bool check_handle(const char *handle, const char *driver, struct error *error)
{
    if (handle == NULL) {
        return error_set(error, ERROR_INVALID,
                         "golden import needs --handle, the snapshot's id in its storage: `aws fsx "
                         "describe-snapshots` has FSx' as SnapshotId");
    }
    if (!text_equal(driver, DRIVER_FSX_OPENZFS)) {
        return handle[0] != '\0' || error_set(error, ERROR_INVALID, "--handle: it is empty");
    }
    size_t digits = text_starts_with(handle, HANDLE_PREFIX)
                        ? strspn(handle + strlen(HANDLE_PREFIX), "0123456789abcdef")
                        : 0;
    if (digits >= HANDLE_DIGITS_MIN && handle[strlen(HANDLE_PREFIX) + digits] == '\0' &&
        strlen(handle) <= HANDLE_BYTES_MAX) {
        return true;
    }
    const char *hint = "it is " HANDLE_PREFIX " and hexadecimal digits";
    if (text_starts_with(handle, "fsvol-")) {
        hint = "that is a volume; take a snapshot of it";
    } else if (text_starts_with(handle, "arn:")) {
        hint = "of the ARN it is the part behind the last slash";
    }
    return error_set(error, ERROR_INVALID, "--handle: \"%s\" is no snapshot of FSx for OpenZFS: %s",
                     handle, hint);
}

static bool check_system_id(const char *system_id, struct error *error)
{
    static const char where[] = "pg_controldata prints it of the golden's PGDATA as 'Database "
                                "system identifier'";
    if (system_id == NULL) {
        return error_set(error, ERROR_INVALID, "golden import needs --system-id: %s", where);
    }
    if (strlen(system_id) == SYSTEM_ID_DIGITS && system_id[0] != '0' &&
        strspn(system_id, "0123456789") == SYSTEM_ID_DIGITS) {
        return true;
    }
    return error_set(error, ERROR_INVALID, "--system-id: \"%s\" is no number of %d digits: %s",
                     system_id, SYSTEM_ID_DIGITS, where);
}

static bool check_identifier(const char *option, const char *value, struct error *error)
{
    if (value == NULL) {
        return error_set(error, ERROR_INVALID, "golden import needs --%s", option);
    }
    if (value[0] == '\0' || strlen(value) > IDENTIFIER_BYTES_MAX) {
        return error_set(error, ERROR_INVALID, "--%s: a name in Postgres has 1 to %d bytes", option,
                         IDENTIFIER_BYTES_MAX);
    }
    return true;
}

static bool check_typed(const struct cli *cli, struct error *error)
{
    const struct cli_options *options = &cli->options;
    if (cli->operands.items[1][0] == '\0') {
        return error_set(error, ERROR_INVALID, "golden import needs a NAME that is not empty");
    }
    return check_handle(options->handle, options->driver, error) &&
           check_system_id(options->system_id, error) &&
           check_identifier("database", options->database, error) &&
           check_identifier("owner", options->owner, error);
}

/* Contents have no namespace. A namespace has no dot, so that no two names are written alike. */
static bool name_content(struct golden_pair *pair, struct error *error)
{
    int byte_count = snprintf(pair->content, sizeof(pair->content), "adjoint-golden.%s.%s",
                              pair->namespace, pair->name);
    if (byte_count < 0 || (size_t)byte_count >= sizeof(pair->content)) {
        return error_set(error, ERROR_INVALID,
                         "NAME is too long: with its namespace it has to fit into the name of a "
                         "VolumeSnapshotContent, of %zu bytes",
                         sizeof(pair->content) - 1);
    }
    return true;
}

/* ---- what is said ---- */

static void report(const struct golden_pair *pair)
{
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    output_name(KIND_SNAPSHOT, pair->name, &out);
    if (pair->dry_run) {
        text_append(&out, pair->existed ? " is imported already\n" : " could be imported\n");
    } else {
        text_print(&out,
                   "%s of %s, over VolumeSnapshotContent %s\n"
                   "A Pool in namespace %s names it so:\n\n"
                   "  spec: {golden: {snapshot: %s}}\n\n"
                   "Its condition GoldenReady says whether it can be cloned; that the storage has "
                   "%s is seen\nwhen the first clone is made.\n",
                   pair->existed ? " is imported already:" : " imported:", pair->handle,
                   pair->content, pair->namespace, pair->name, pair->handle);
    }
    cli_print(pair->cli, out.bytes);
}

static enum exit_code run(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    struct error error;
    if (!check_typed(cli, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    if (!cli_connect(cli, &error)) {
        return cli_fail_with(cli, KIND_SNAPSHOT, &error);
    }
    struct golden_pair pair = {
        .cli = cli,
        .namespace = cli_namespace(cli),
        .name = cli->operands.items[1],
        .handle = options->handle,
        .driver = options->driver,
        .system_id = options->system_id,
        .database = options->database,
        .owner = options->owner,
        .dry_run = options->dry_run,
    };
    if (options->major_version != 0) {
        (void)snprintf(pair.major_version, sizeof(pair.major_version), "%" PRId64,
                       options->major_version);
    }
    if (!name_content(&pair, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    if (!golden_pair_make(&pair, &error)) {
        return cli_fail_with(cli, pair.kind, &error);
    }
    report(&pair);
    return CLI_OK;
}

const struct command command_golden = {
    .name = "golden",
    .operands = "import NAME",
    .summary = "Make a VolumeSnapshot of a snapshot that was taken elsewhere",
    .details =
        "For a golden that lives in another cluster: makes the VolumeSnapshot NAME in the "
        "namespace, which is\nthe Pool's, over a VolumeSnapshotContent with policy Retain, so that "
        "deleting either leaves the\nsnapshot. What CloudNativePG would have written on it is said "
        "by the options. If it was cut off, run\nit again: it makes what is missing. Needs the "
        "right to get and create both kinds.\n\n"
        "Who deleted the VolumeSnapshot deletes its VolumeSnapshotContent, too, before importing "
        "it again: a\ncontent is bound once.\n",
    .example = "import orders -n adjoint-pools --handle fsvolsnap-0123456789abcdef0 \\\n"
               "      --system-id 7423456789012345678 --database shop --owner clerk",
    .operand_count_min = 2,
    .operand_count_max = 2,
    .operand_choices = VERBS,
    .options = OPTIONS,
    .run = run,
};
