/* SPDX-License-Identifier: Apache-2.0 */
/* One loop with watches: times are when this program saw something, on its own clock, so that no
   two machines' clocks are compared. */
#include "cli/field_test.h"

#include "api/names.h"
#include "api/volume.h"
#include "base/extremes.h"
#include "base/limits.h"
#include "cli/field_item.h"
#include "cli/wait.h"

#include <assert.h>

enum {
    TEXT_BYTES_MAX = 1024,
    END_MS_MAX = 15 * 60 * 1000, /* a claim's pod stops, its volume is destroyed: minutes */
    RUN_LETTERS = 5,
};

/* ---- before ---- */

static struct field_watch *add_watch(struct field_test *test, enum object_kind kind)
{
    assert(test->watch_count < FIELD_WATCHES_MAX);
    struct field_watch *watch = &test->watches[test->watch_count++];
    *watch = (struct field_watch){.kind = kind, .options = informer_options_default};
    return watch;
}

static void begin_watch(struct field_test *test, struct field_watch *watch,
                        bool (*keep)(void *self, const struct object *object))
{
    watch->informer = informer_new(watch->kind, &watch->options, test->cli->session.transport,
                                   test->store, keep, test, &test->random);
}

/* A PVC of the test, or one of an Instance's: its name goes on behind the Instance's. */
static bool keep_volume(void *self, const struct object *object)
{
    const struct field_test *test = self;
    const struct volume *volume = object->volume;
    return text_equal(volume->claim_namespace, test->namespace) &&
           text_starts_with(volume->claim_name == NULL ? "" : volume->claim_name, test->prefix);
}

static void draw_run(struct field_test *test)
{
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    for (size_t i = 0; i < RUN_LETTERS; i++) {
        test->run[i] = letters[random_below(&test->random, sizeof(letters) - 1)];
    }
    test->run[RUN_LETTERS] = '\0';
}

void field_test_init(struct field_test *test, bool all_runs)
{
    arena_init(&test->arena, 0);
    random_init(&test->random, (uint64_t)test->cli->now.wall_ms);
    test->store = store_new(LIMIT_OBJECTS_PER_KIND, (struct store_listener){.changed = NULL});
    test->started_ms = NOW_NEVER;
    test->ended_ms = NOW_NEVER;
    test->items = arena_new(&test->arena, FIELD_ITEMS_MAX, sizeof(*test->items));
    progress_init(&test->progress, test->cli);
    draw_run(test);
    const char *label = all_runs ? "field-test" : "field-test-run";
    (void)snprintf(test->prefix, sizeof(test->prefix), "adj-%s-%s%s", test->name,
                   all_runs ? "" : test->run, all_runs ? "" : "-");
    (void)snprintf(test->selector, sizeof(test->selector), NAME_GROUP "%%2F%s%%3D%s", label,
                   all_runs ? test->name : test->run);
    struct field_watch *objects = add_watch(test, test->kind);
    objects->options.namespace = test->namespace;
    objects->options.label_selector = test->selector;
    begin_watch(test, objects, NULL);
    begin_watch(test, add_watch(test, KIND_VOLUME), keep_volume);
}

void field_test_release(struct field_test *test)
{
    client_forget(test->cli->client, test);
    for (size_t i = 0; i < test->item_count; i++) {
        client_forget(test->cli->client, &test->items[i]);
    }
    for (size_t i = 0; i < test->watch_count; i++) {
        informer_free(test->watches[i].informer);
    }
    store_free(test->store);
    progress_release(&test->progress);
    arena_release(&test->arena);
}

void field_test_watch(struct field_test *test, enum object_kind kind, const char *namespace,
                      const char *field_selector)
{
    struct field_watch *watch = add_watch(test, kind);
    watch->options.namespace = namespace;
    watch->options.field_selector = arena_copy(&test->arena, field_selector);
    begin_watch(test, watch, NULL);
}

static struct field_item *add_item(struct field_test *test)
{
    assert(test->item_count < FIELD_ITEMS_MAX);
    struct field_item *item = &test->items[test->item_count++];
    *item = (struct field_item){.test = test,
                                .asked_ms = NOW_NEVER,
                                .done_ms = NOW_NEVER,
                                .end_ms = NOW_NEVER,
                                .try_ms = INT64_MIN};
    return item;
}

struct field_item *field_test_plan(struct field_test *test, int64_t due_ms)
{
    struct field_item *item = add_item(test);
    item->due_ms = due_ms;
    item->name = arena_print(&test->arena, "%s%zu", test->prefix, test->item_count);
    return item;
}

void field_test_plan_deletion(struct field_test *test, const char *name)
{
    struct field_item *item = add_item(test);
    item->name = arena_copy(&test->arena, name);
    item->state = FIELD_MADE;
}

const struct error *field_test_blindness(const struct field_test *test, enum object_kind kind)
{
    static const struct error none = {.class = ERROR_NONE};
    for (size_t i = 0; i < test->watch_count; i++) {
        if (test->watches[i].kind == kind) {
            return &test->watches[i].error;
        }
    }
    return &none;
}

/* ---- the loop ---- */

static void end(struct field_test *test, struct now now)
{
    if (test->ended_ms == NOW_NEVER) {
        test->ended_ms = now.mono_ms;
    }
}

void field_test_refuse(struct field_test *test, const struct error *error)
{
    if (test->error.class == ERROR_NONE) {
        test->error = *error;
    }
    end(test, test->cli->now);
}

static void step_watches(struct field_test *test, struct now now)
{
    for (size_t i = 0; i < test->watch_count; i++) {
        struct field_watch *watch = &test->watches[i];
        if (watch->error.class != ERROR_NONE) {
            continue;
        }
        do {
            informer_step(watch->informer, now);
        } while (informer_due(watch->informer));
        if (wait_is_in_vain(informer_error(watch->informer)->class)) {
            watch->error = *informer_error(watch->informer);
        }
    }
}

static bool are_seen(const struct field_test *test)
{
    bool seen = true;
    for (size_t i = 0; i < test->watch_count; i++) {
        const struct field_watch *watch = &test->watches[i];
        seen = seen && (watch->error.class != ERROR_NONE || informer_synced(watch->informer));
    }
    return seen;
}

struct standing {
    size_t done, settled, left;
    int64_t wake_ms;
};

static struct standing step_items(struct field_test *test, struct now now)
{
    struct standing standing = {.wake_ms = NOW_NEVER};
    for (size_t i = 0; i < test->item_count; i++) {
        struct field_item *item = &test->items[i];
        field_item_look(item, now);
        if (field_item_act_at(item) <= now.mono_ms) {
            field_item_act(item, now);
        }
        int64_t at_ms = field_item_act_at(item);
        standing.wake_ms = at_ms < standing.wake_ms ? at_ms : standing.wake_ms;
        standing.left += item->state == FIELD_GONE ? 0 : 1;
        standing.done += item->done_ms == NOW_NEVER ? 0 : 1;
        standing.settled += item->done_ms != NOW_NEVER || item->why != NULL ? 1 : 0;
    }
    return standing;
}

static void judge_end(struct field_test *test, const struct standing *standing, struct now now)
{
    size_t volumes = store_count(test->store, KIND_VOLUME);
    bool lives_on = test->life_ms != NOW_NEVER && standing->left > 0;
    if (test->watches[0].error.class != ERROR_NONE) {
        field_test_refuse(test, &test->watches[0].error);
        test->is_over = true;
    } else if (test->stop_asked || test->cleans ||
               (standing->settled == test->item_count && !lives_on)) {
        end(test, now);
    } else if (test->ended_ms == NOW_NEVER &&
               now.mono_ms - test->started_ms >= test->cli->options.timeout_ms) {
        test->timed_out = true;
        end(test, now);
    }
    if (test->ended_ms == NOW_NEVER) {
        return;
    }
    bool is_late = now.mono_ms - test->ended_ms >= END_MS_MAX;
    test->is_over = is_late || (standing->left == 0 && volumes == 0);
}

static int64_t show(struct field_test *test, const struct standing *standing, struct now now)
{
    cleanup_text struct text line;
    cleanup_text struct text left;
    text_init(&line, TEXT_BYTES_MAX);
    text_init(&left, TEXT_BYTES_MAX);
    int64_t elapsed_ms = now.mono_ms - test->started_ms;
    size_t volumes = store_count(test->store, KIND_VOLUME);
    if (test->ended_ms == NOW_NEVER) {
        text_print(&line, "%zu of %zu %s", standing->done, test->item_count, test->done_word);
    } else {
        text_print(&left, ": %zu %s and %zu volumes are left", standing->left,
                   kind_of(test->kind)->plural, volumes);
    }
    progress_show(&test->progress, line.length_bytes == 0 ? "Cleaning up" : line.bytes, left.bytes,
                  elapsed_ms);
    int64_t next_ms = progress_next_ms(&test->progress, elapsed_ms);
    return next_ms == NOW_NEVER ? NOW_NEVER : test->started_ms + next_ms;
}

static int64_t wake_at(const struct field_test *test)
{
    int64_t wake_ms = NOW_NEVER;
    if (test->ended_ms != NOW_NEVER) {
        wake_ms = test->ended_ms + END_MS_MAX;
    } else if (test->started_ms != NOW_NEVER) {
        wake_ms = test->started_ms + test->cli->options.timeout_ms;
    }
    for (size_t i = 0; i < test->watch_count; i++) {
        const struct field_watch *watch = &test->watches[i];
        if (watch->error.class == ERROR_NONE) {
            wake_ms = smaller(wake_ms, informer_wake_at(watch->informer));
        }
    }
    return wake_ms;
}

static int64_t step(void *self, struct now now)
{
    struct field_test *test = self;
    test->cli->now = now;
    step_watches(test, now);
    client_step(test->cli->client, now);
    if (test->started_ms == NOW_NEVER) {
        if (test->stop_asked || test->watches[0].error.class != ERROR_NONE) {
            test->error = test->watches[0].error;
            return SESSION_DONE;
        }
        if (!are_seen(test)) {
            return wake_at(test);
        }
        test->started_ms = now.mono_ms;
        test->started_wall_ms = now.wall_ms;
    }
    if (test->look != NULL && test->ended_ms == NOW_NEVER) {
        test->look(test->self, now);
    }
    struct standing standing = step_items(test, now);
    client_step(test->cli->client, now);
    judge_end(test, &standing, now);
    if (test->ended_ms == now.mono_ms && !test->is_over) {
        standing = step_items(test, now);
        client_step(test->cli->client, now);
        judge_end(test, &standing, now);
    }
    if (test->is_over) {
        progress_end(&test->progress);
        return SESSION_DONE;
    }
    int64_t next_ms = show(test, &standing, now);
    return smaller(smaller(next_ms, standing.wake_ms), wake_at(test));
}

static void stop(void *self, int signal_number)
{
    struct field_test *test = self;
    (void)signal_number;
    test->stop_asked = true;
}

void field_test_run(struct field_test *test)
{
    struct session *session = &test->cli->session;
    session->on_stop(session->self, stop, test);
    session->run(session->self, step, test);
}
