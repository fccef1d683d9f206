/* SPDX-License-Identifier: Apache-2.0 */
/* The test that decides a design: not how long one clone takes, but how long the last of ten does.
   It knows nothing of Adjoint's kinds, so it runs on any cluster with a CSI driver that clones. */
#include "api/names.h"
#include "api/volume.h"
#include "cli/command.h"
#include "cli/fanout_report.h"
#include "cli/fetch.h"
#include "cli/field_options.h"
#include "cli/field_test.h"
#include "cli/object_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLONES_MAX = 500, SIZE_BYTES = 64 };

static const struct option_row OPTIONS[] = {
    {.name = "snapshot",
     .argument = "NS/NAME",
     .help = "the VolumeSnapshot to clone; required. The PersistentVolumeClaims are made beside it",
     OPTION_SETS_TEXT(struct cli_options, snapshot)},
    {.name = "storage-class",
     .argument = "NAME",
     .help = "the StorageClass of the clones; required",
     OPTION_SETS_TEXT(struct cli_options, storage_class)},
    FIELD_OPTION_COUNT("how many clones are asked for at once", "10", CLONES_MAX),
    {.name = "size",
     .argument = "QUANTITY",
     .help = "of each clone (default: what the VolumeSnapshot asks for, or 1Gi)",
     OPTION_SETS_TEXT(struct cli_options, size)},
    FIELD_OPTIONS("3h"),
    {.name = NULL},
};

struct fanout {
    struct field_test test;
    struct object_name snapshot;
    char size[SIZE_BYTES];
};

/* ---- before ---- */

static bool check_typed(struct cli *cli, struct fanout *fanout, struct error *error)
{
    const struct cli_options *options = &cli->options;
    if (options->snapshot == NULL || options->storage_class == NULL) {
        return error_set(error, ERROR_INVALID,
                         "fanout needs --snapshot NAMESPACE/NAME and --storage-class NAME");
    }
    return object_name_parse(options->snapshot, options->namespace, &fanout->snapshot) ||
           error_set(error, ERROR_INVALID,
                     "--snapshot: \"%s\" has no namespace: write "
                     "NAMESPACE/NAME",
                     options->snapshot);
}

static enum exit_code check_class(struct cli *cli)
{
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_STORAGE_CLASS);
    struct error error;
    const char *name = cli->options.storage_class;
    if (!fetch_one(cli, NULL, name, &fetched, &error)) {
        return cli_fail_with(cli, KIND_STORAGE_CLASS, &error);
    }
    const struct storage_class *class = fetched.objects[0]->storage_class;
    if (text_equal(class->provisioner, PROVISIONER_NONE)) {
        return cli_fail(cli, CLI_ERROR, "StorageClass %s: nobody makes volumes for it (%s)", name,
                        PROVISIONER_NONE);
    }
    if (class->waits_for_consumer) {
        return cli_fail(cli, CLI_ERROR,
                        "StorageClass %s waits for a pod (WaitForFirstConsumer), and the test has "
                        "none: take a class with volumeBindingMode Immediate",
                        name);
    }
    if (class->policy != RECLAIM_DELETE) {
        return cli_fail(cli, CLI_ERROR,
                        "StorageClass %s has not reclaimPolicy Delete: the test would leave its "
                        "volumes. Take one that has",
                        name);
    }
    return CLI_OK;
}

static void read_size(struct cli *cli, const char *snapshot, struct fanout *fanout)
{
    cleanup_json struct json_document *document = NULL;
    struct error ignored;
    const char *size = NULL;
    if (json_parse(snapshot, strlen(snapshot), &document, &ignored)) {
        size = json_text(json_path(json_root(document), "status", "restoreSize", NULL));
    }
    bool is_said = size != NULL && size[0] != '\0' && !text_equal(size, "0");
    size = cli->options.size != NULL ? cli->options.size : is_said ? size : "1Gi";
    (void)snprintf(fanout->size, sizeof(fanout->size), "%s", size);
}

static enum exit_code check_snapshot(struct cli *cli, struct fanout *fanout)
{
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_SNAPSHOT);
    struct error error;
    const struct object_name *named = &fanout->snapshot;
    if (!fetch_one(cli, named->namespace, named->name, &fetched, &error)) {
        return cli_fail_with(cli, KIND_SNAPSHOT, &error);
    }
    const struct snapshot *snapshot = fetched.objects[0]->snapshot;
    if (!snapshot->ready) {
        return cli_fail(cli, CLI_ERROR, "VolumeSnapshot %s/%s is not readyToUse%s%s",
                        named->namespace, named->name, snapshot->failure == NULL ? "" : ": ",
                        snapshot->failure == NULL ? "" : snapshot->failure);
    }
    read_size(cli, fetched.json.bytes, fanout);
    return CLI_OK;
}

/* ---- the clones ---- */

static void write_spec(void *self, struct json_writer *json)
{
    const struct fanout *fanout = self;
    json_member_object(json, "spec");
    json_member_array(json, "accessModes");
    json_write_string(json, "ReadWriteOnce");
    json_end_array(json);
    json_member_string(json, "storageClassName", fanout->test.cli->options.storage_class);
    json_member_object(json, "resources");
    json_member_object(json, "requests");
    json_member_string(json, "storage", fanout->size);
    json_end_object(json);
    json_end_object(json);
    json_member_object(json, "dataSource");
    json_member_string(json, "apiGroup", "snapshot.storage.k8s.io");
    json_member_string(json, "kind", kind_of(KIND_SNAPSHOT)->kind);
    json_member_string(json, "name", fanout->snapshot.name);
    json_end_object(json);
    json_end_object(json);
}

static enum field_verdict judge(void *self, const struct object *object, struct field_item *item,
                                const char **out_why)
{
    (void)self;
    (void)item;
    if (object->volume_claim->phase == CLAIM_LOST) {
        *out_why = "it has lost its volume (phase Lost)";
        return FIELD_FAILED;
    }
    return object->volume_claim->phase == CLAIM_BOUND ? FIELD_DONE : FIELD_WAITS;
}

/* ---- after ---- */

static int compare_clones(const void *one, const void *other)
{
    const struct fanout_clone *a = one;
    const struct fanout_clone *b = other;
    return a->ms != b->ms ? (a->ms > b->ms) - (a->ms < b->ms) : strcmp(a->name, b->name);
}

static enum exit_code report(struct fanout *fanout)
{
    struct field_test *test = &fanout->test;
    struct fanout_clone *clones = arena_new(&test->arena, test->item_count, sizeof(*clones));
    struct fanout_report report = {.namespace = fanout->snapshot.namespace,
                                   .snapshot = fanout->snapshot.name,
                                   .storage_class = test->cli->options.storage_class,
                                   .asked = test->item_count,
                                   .clones = clones};
    for (size_t i = 0; i < test->item_count; i++) {
        const struct field_item *item = &test->items[i];
        if (item->done_ms != NOW_NEVER) {
            clones[report.count++] =
                (struct fanout_clone){item->name, item->done_ms - item->asked_ms};
        }
    }
    qsort(clones, report.count, sizeof(*clones), compare_clones);
    if (report.count < report.asked) {
        cli_say(test->cli, "What was being made is finished first, and then destroyed by the "
                           "provisioner: a run before that stands in line behind it");
    }
    fanout_report_count(&report);
    return field_print(test->cli, &FANOUT_FORMS, &report);
}

static enum exit_code measure(struct fanout *fanout)
{
    struct field_test *test = &fanout->test;
    struct cli *cli = test->cli;
    enum exit_code code = CLI_OK;
    if (!field_test_is_clean(test, &code)) {
        return code;
    }
    code = check_class(cli);
    code = code == CLI_OK ? check_snapshot(cli, fanout) : code;
    code = code == CLI_OK ? field_prepare(cli) : code;
    if (code != CLI_OK) {
        return code;
    }
    field_test_init(test, false);
    for (int64_t i = 0; i < cli->options.count; i++) {
        (void)field_test_plan(test, 0);
    }
    field_test_run(test);
    code = test->started_ms == NOW_NEVER ? CLI_OK : report(fanout);
    enum exit_code end = field_test_end(test);
    field_test_release(test);
    return end == CLI_OK ? code : end;
}

static enum exit_code run(struct cli *cli)
{
    struct fanout fanout = {.test = {.cli = cli,
                                     .name = "fanout",
                                     .kind = KIND_VOLUME_CLAIM,
                                     .done_word = "Bound",
                                     .life_ms = NOW_NEVER,
                                     .write_spec = write_spec,
                                     .judge = judge}};
    struct error error;
    if (!check_typed(cli, &fanout, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    fanout.test.namespace = fanout.snapshot.namespace;
    fanout.test.self = &fanout;
    return cli->options.clean ? field_test_clean(&fanout.test) : measure(&fanout);
}

const struct command command_fanout = {
    .name = "fanout",
    .operands = "",
    .summary = "Measure how clones come when many are asked for at once",
    .details = "Makes so many PersistentVolumeClaims from the VolumeSnapshot at once, waits until "
               "each is Bound,\n"
               "says how far apart they came and whether that looks like a queue, and deletes them "
               "and their\n"
               "volumes again: after a failure and after Ctrl-C, too (a second Ctrl-C leaves them; "
               "--clean finds\n"
               "them). Needs no part of Adjoint in the cluster, and the right to create, list, "
               "watch and delete\n"
               "PersistentVolumeClaims there, to get the VolumeSnapshot and the StorageClass, and "
               "to list and\n"
               "watch PersistentVolumes to see that they go.\n"
               "\n"
               "Exit codes: 0 all came and are gone again; 4 --timeout has passed; 5 something is "
               "left; 1 and 2 as\n"
               "ever.\n",
    .example = "-k 10 --snapshot adjoint-pools/orders-golden --storage-class fsx-clone",
    .options = OPTIONS,
    .run = run,
};
