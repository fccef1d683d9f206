/* SPDX-License-Identifier: Apache-2.0 */
/* What a field test leaves, and what others have left. Rights are asked about before anything is
   made: a deletion of what is not there, as a dry run, is refused for them alone. */
#include "cli/field_test.h"

#include "api/names.h"
#include "cli/fetch.h"
#include "cli/figures.h"

#include <inttypes.h>

enum { PATH_BYTES_MAX = 2 * 1024, LINE_BYTES_MAX = 4 * 1024, NAMES_MAX = 10 };

/* ---- before ---- */

static bool may_delete(struct field_test *test, struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(test->kind), test->namespace, "adj-not-there", NULL, &path);
    text_append(&path, "?dryRun=All");
    struct request request = {.method = METHOD_DELETE, .path = path.bytes};
    return text_check(&path, "the namespace", error) &&
           (cli_call(test->cli, &request, NULL, error) || error->class == ERROR_NOT_FOUND);
}

static bool list_earlier(struct field_test *test, struct json_document **out, struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(test->kind), test->namespace, NULL, NULL, &path);
    text_print(&path, "?labelSelector=" NAME_GROUP "%%2Ffield-test%%3D%s", test->name);
    return text_check(&path, "the namespace", error) &&
           fetch_json(test->cli, path.bytes, out, error);
}

static const char *name_of(const struct json *object)
{
    const char *name = json_text(json_path(object, "metadata", "name", NULL));
    return name == NULL ? "" : name;
}

static enum exit_code refuse_earlier(struct field_test *test, const struct json *items)
{
    cleanup_text struct text names;
    text_init(&names, LINE_BYTES_MAX);
    size_t count = json_count(items);
    size_t shown = 0;
    for (const struct json *at = json_first(items); at != NULL && shown < NAMES_MAX;
         at = json_next(at)) {
        text_print(&names, "%s%s", shown++ == 0 ? "" : ", ", name_of(at));
    }
    return cli_fail(test->cli, CLI_ERROR,
                    "namespace %s has %zu %s of an earlier or another run of this test: %s%s. They "
                    "would be measured, too: wait for it, or delete them with the same command and "
                    "--clean",
                    test->namespace, count, kind_of(test->kind)->plural, names.bytes,
                    count > shown ? ", ..." : "");
}

bool field_test_is_clean(struct field_test *test, enum exit_code *out_code)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!may_delete(test, &error) || !list_earlier(test, &document, &error)) {
        *out_code = cli_fail_with(test->cli, test->kind, &error);
        return false;
    }
    const struct json *items = json_member(json_root(document), "items");
    if (json_count(items) == 0) {
        return true;
    }
    *out_code = refuse_earlier(test, items);
    return false;
}

enum exit_code field_test_clean(struct field_test *test)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!list_earlier(test, &document, &error)) {
        return cli_fail_with(test->cli, test->kind, &error);
    }
    field_test_init(test, true);
    const struct json *items = json_member(json_root(document), "items");
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        if (test->item_count < FIELD_ITEMS_MAX) {
            field_test_plan_deletion(test, name_of(at));
        }
    }
    test->cleans = true;
    cli_say(test->cli, "Of earlier runs there are %zu %s in namespace %s", test->item_count,
            kind_of(test->kind)->plural, test->namespace);
    field_test_run(test);
    enum exit_code code = field_test_end(test);
    field_test_release(test);
    return code;
}

/* ---- after ---- */

size_t field_test_times(const struct field_test *test, int64_t *sorted)
{
    size_t count = 0;
    for (size_t i = 0; i < test->item_count; i++) {
        const struct field_item *item = &test->items[i];
        if (item->done_ms != NOW_NEVER) {
            sorted[count++] = item->done_ms - item->asked_ms;
        }
    }
    figures_sort(sorted, count);
    return count;
}

static void name_one(struct text *out, size_t *shown, const char *what, const char *name)
{
    if (*shown < NAMES_MAX) {
        text_print(out, "%s%s %s", *shown == 0 ? "" : ", ", what, name);
    } else if (*shown == NAMES_MAX) {
        text_append(out, ", ...");
    }
    ++*shown;
}

/* true: something is. */
static bool say_left(const struct field_test *test)
{
    cleanup_text struct text names;
    text_init(&names, LINE_BYTES_MAX);
    size_t shown = 0;
    for (size_t i = 0; i < test->item_count; i++) {
        if (test->items[i].state != FIELD_GONE) {
            name_one(&names, &shown, kind_of(test->kind)->kind, test->items[i].name);
        }
    }
    const struct object *volume = NULL;
    size_t at = 0;
    while ((volume = store_next(test->store, KIND_VOLUME, &at)) != NULL) {
        name_one(&names, &shown, "volume", volume->meta.name);
    }
    if (shown > 0) {
        (void)cli_fail(test->cli, CLI_UNHEALTHY,
                       "%zu are left in namespace %s: %s%s%s. Delete them with the same command "
                       "and --clean; `adj doctor` looks at volumes",
                       shown, test->namespace, names.bytes,
                       test->refusal.class == ERROR_NONE ? "" : "; ", test->refusal.message);
    }
    return shown > 0;
}

/* How many have failed, with the first one's reason. */
static size_t say_failed(const struct field_test *test)
{
    size_t count = 0;
    const struct field_item *first = NULL;
    for (size_t i = 0; i < test->item_count; i++) {
        const struct field_item *item = &test->items[i];
        count += item->why != NULL ? 1 : 0;
        first = first == NULL && item->why != NULL ? item : first;
    }
    if (count > 0) {
        cli_say(test->cli, "%zu of %zu have not become %s; %s: %s", count, test->item_count,
                test->done_word, first->name, first->why);
    }
    return count;
}

enum exit_code field_test_end(struct field_test *test)
{
    struct cli *cli = test->cli;
    const struct error *blind = field_test_blindness(test, KIND_VOLUME);
    if (blind->class != ERROR_NONE && test->item_count > 0) {
        cli_say(cli, "Whether the volumes are gone is not seen: %s", blind->message);
    }
    if (say_left(test)) {
        return CLI_UNHEALTHY;
    }
    if (test->error.class != ERROR_NONE) {
        return cli_fail_with(cli, test->kind, &test->error);
    }
    if (say_failed(test) > 0) {
        return CLI_INSTANCE_FAILED;
    }
    if (test->timed_out) {
        return cli_fail(cli, CLI_TIMED_OUT, "--timeout has passed: what was made is deleted again");
    }
    if (test->stop_asked && test->started_ms == NOW_NEVER) {
        return cli_fail(cli, CLI_ERROR, "interrupted before anything was made");
    }
    if (test->stop_asked) {
        return cli_fail(cli, CLI_ERROR, "interrupted: what was made is deleted again");
    }
    return CLI_OK;
}
