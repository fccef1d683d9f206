/* SPDX-License-Identifier: Apache-2.0 */
/* A watch of the one object rather than GETs again and again: a claim takes a few seconds, and a
   developer sees each of its states. A server that cannot be reached for a while is waited for like
   anything else; only what will not pass (RBAC, a kind that is not there) ends the wait. */
#include "cli/wait.h"

#include "base/extremes.h"
#include "cli/standing.h"

enum { NAME_BYTES_MAX = 512, STANDING_BYTES_MAX = 4 * 1024, LEFT_BYTES_MAX = 64 };

void wait_init(struct wait *wait, struct cli *cli, enum wait_goal goal, const char *name,
               const char *uid)
{
    *wait = (struct wait){.cli = cli,
                          .goal = goal,
                          .name = name,
                          .uid = uid,
                          .timeout_ms = cli->options.timeout_ms,
                          .options = informer_options_default};
    text_init(&wait->field_selector, NAME_BYTES_MAX);
    text_print(&wait->field_selector, "metadata.name%%3D%s", name);
    wait->options.namespace = cli_namespace(cli);
    wait->options.field_selector = wait->field_selector.bytes;
    struct random random;
    random_init(&random, (uint64_t)cli->now.wall_ms);
    wait->store = store_new(1, (struct store_listener){.changed = NULL});
    wait->informer = informer_new(KIND_INSTANCE, &wait->options, cli->session.transport,
                                  wait->store, NULL, NULL, &random);
    progress_init(&wait->progress, cli);
}

void wait_release(struct wait *wait)
{
    informer_free(wait->informer);
    store_free(wait->store);
    progress_release(&wait->progress);
    text_release(&wait->field_selector);
}

bool wait_is_in_vain(enum error_class class)
{
    return class == ERROR_FORBIDDEN || class == ERROR_NOT_FOUND || class == ERROR_UNAUTHORIZED ||
           class == ERROR_INVALID || class == ERROR_LIMIT;
}

static enum wait_outcome judge_instance(const struct wait *wait)
{
    const struct object *instance = wait->instance;
    if (wait->goal == WAIT_UNTIL_GONE) {
        return instance == NULL ? WAIT_REACHED : WAIT_GOES_ON;
    }
    if (instance == NULL || instance->meta.deleting_ms != 0) {
        return WAIT_VANISHED;
    }
    if (instance->instance->reset.count < wait->reset_count) {
        return WAIT_GOES_ON; /* whatever it is now is going to be replaced */
    }
    if (instance->instance->phase == PHASE_READY) {
        return WAIT_REACHED;
    }
    return standing_is_hopeless(instance) ? WAIT_HOPELESS : WAIT_GOES_ON;
}

static enum wait_outcome judge(struct wait *wait)
{
    const struct error *error = informer_error(wait->informer);
    if (wait_is_in_vain(error->class)) {
        wait->error = *error;
        return WAIT_REFUSED;
    }
    enum wait_outcome outcome =
        informer_synced(wait->informer) ? judge_instance(wait) : WAIT_GOES_ON;
    if (outcome == WAIT_GOES_ON && wait->elapsed_ms >= wait->timeout_ms) {
        outcome = WAIT_TIMED_OUT;
    }
    return outcome;
}

static void show(struct wait *wait)
{
    const struct error *error = informer_error(wait->informer);
    cleanup_text struct text standing;
    cleanup_text struct text left;
    text_init(&standing, STANDING_BYTES_MAX);
    text_init(&left, LEFT_BYTES_MAX);
    if (error->class != ERROR_NONE) {
        text_print(&standing, "No contact with the API server, trying again: %s", error->message);
    } else if (wait->instance != NULL) {
        standing_print(wait->instance, &standing);
        standing_print_left(wait->instance, wait->cli->now.wall_ms, &left);
    } else {
        return;
    }
    progress_show(&wait->progress, standing.bytes, left.bytes, wait->elapsed_ms);
}

static int64_t step(void *self, struct now now)
{
    struct wait *wait = self;
    wait->cli->now = now;
    if (!wait->started) {
        wait->started = true;
        wait->started_ms = now.mono_ms;
    }
    do {
        informer_step(wait->informer, now);
    } while (informer_due(wait->informer));
    const struct object *seen =
        store_get(wait->store, KIND_INSTANCE, wait->options.namespace, wait->name);
    wait->instance = seen != NULL && text_equal(seen->meta.uid, wait->uid) ? seen : NULL;
    wait->elapsed_ms = now.mono_ms - wait->started_ms;
    wait->outcome = judge(wait);
    if (wait->outcome != WAIT_GOES_ON) {
        progress_end(&wait->progress);
        return SESSION_DONE;
    }
    show(wait);
    int64_t next_ms =
        smaller(progress_next_ms(&wait->progress, wait->elapsed_ms), wait->timeout_ms);
    return smaller(informer_wake_at(wait->informer), wait->started_ms + next_ms);
}

enum wait_outcome wait_run(struct wait *wait)
{
    struct session *session = &wait->cli->session;
    session->run(session->self, step, wait);
    return wait->outcome;
}
