/* SPDX-License-Identifier: Apache-2.0 */
/* No timer: somebody who needs credentials asks for them often enough (an operator does every few
   seconds), and an idle program should not log in again all night. A credential that arrives waits
   beside the current one until the next get, because the strings of the current one are lent. */
#include "io/access_plugin.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/timestamp.h"
#include "io/complaint.h"
#include "io/loop.h"
#include "io/pem.h"
#include "io/process.h"
#include "io/yaml.h"

#include <uv.h>

#include <assert.h>
#include <string.h>

enum {
    PAUSE_MS_FIRST = 1000,
    PAUSE_MS_MAX = 60 * 1000,
    YOUNG_MS = 60 * 1000, /* refused at this age: logging in again at once will not help for long */
};

struct held {
    struct arena arena;
    struct exec_credential credential;
    struct now got_at;
    bool is_there;
};

struct access_plugin {
    struct loop *loop;
    struct access_plugin_options options;
    const struct kubeconfig *config;
    struct process *process; /* NULL: none runs */
    struct held current, arrived;
    bool refused; /* the current one, by the server */
    int refusal_count, failure_count;
    int64_t not_before_ms; /* mono */
    struct error failure;  /* of the last run; class ERROR_NONE: it went well */
    struct complaint complaint;
};

static void held_clear(struct held *held)
{
    arena_release(&held->arena);
    *held = (struct held){.is_there = false};
    arena_init(&held->arena, 0);
}

static bool is_terminal(void)
{
    return uv_guess_handle(0) == UV_TTY;
}

static int64_t pause_ms(int count)
{
    int64_t pause = count == 0 ? 0 : PAUSE_MS_FIRST;
    for (int i = 1; i < count && pause < PAUSE_MS_MAX; i++) {
        pause *= 2;
    }
    return pause < PAUSE_MS_MAX ? pause : PAUSE_MS_MAX;
}

bool access_plugin_new(struct loop *loop, const struct access_plugin_options *options,
                       const struct kubeconfig *config, struct access_plugin **out,
                       struct error *error)
{
    assert(config->exec != NULL && options->deadline_ms > 0);

    if (config->exec->interactive == EXEC_INTERACTIVE_ALWAYS && !is_terminal()) {
        return error_set(error, ERROR_INVALID,
                         "the exec plugin %s wants a terminal (interactiveMode: Always), and "
                         "standard input is none",
                         config->exec->command);
    }
    struct access_plugin *plugin = memory_new(1, sizeof(*plugin));
    plugin->loop = loop;
    plugin->options = *options;
    plugin->config = config;
    plugin->complaint.warning = "the exec plugin failed; its last credential stays in use";
    arena_init(&plugin->current.arena, 0);
    arena_init(&plugin->arrived.arena, 0);
    *out = plugin;
    return true;
}

void access_plugin_free(struct access_plugin *plugin)
{
    if (plugin == NULL) {
        return;
    }
    process_free(plugin->process);
    arena_release(&plugin->current.arena);
    arena_release(&plugin->arrived.arena);
    complaint_release(&plugin->complaint);
    memory_free(plugin);
}

void access_plugin_adopt(struct access_plugin *plugin, const struct kubeconfig *config)
{
    assert(exec_plugin_equal(plugin->config->exec, config->exec));
    plugin->config = config;
}

struct printed {
    struct access_plugin *plugin;
    struct held *held;
};

static bool take_document(void *self, const char *json, struct error *error)
{
    const struct printed *printed = self;
    struct held *held = printed->held;
    if (held->is_there) {
        return error_set(error, ERROR_INVALID, "more than one document");
    }
    held->is_there = true;
    return exec_credential_read(json, printed->plugin->config->exec, &held->arena,
                                &held->credential, error);
}

static bool check_credential(const struct exec_credential *credential, struct now now,
                             struct error *error)
{
    if (credential->certificate_pem != NULL &&
        !pem_check_pair(credential->certificate_pem, credential->key_pem, error)) {
        return false;
    }
    if (credential->expiry_ms != 0 && credential->expiry_ms <= now.wall_ms) {
        char expiry[TIMESTAMP_BYTES];
        timestamp_format_seconds(credential->expiry_ms, expiry);
        return error_set(error, ERROR_INVALID, "a credential that expired at %s", expiry);
    }
    return true;
}

/* YAML, and so JSON. */
static bool take_output(struct access_plugin *plugin, const char *output, struct error *error)
{
    struct held held = {.got_at = loop_now(plugin->loop)};
    arena_init(&held.arena, 0);
    struct printed printed = {.plugin = plugin, .held = &held};
    bool is_good = yaml_to_json(output, strlen(output), take_document, &printed, error);
    if (is_good && !held.is_there) {
        is_good = error_set(error, ERROR_INVALID, "nothing");
    }
    if (!is_good || !check_credential(&held.credential, held.got_at, error)) {
        arena_release(&held.arena);
        return error_wrap(error, "the exec plugin %s printed", plugin->config->exec->command);
    }
    held_clear(&plugin->arrived);
    plugin->arrived = held;
    return true;
}

static void note_failure(struct access_plugin *plugin, const struct error *failure)
{
    struct now now = loop_now(plugin->loop);
    plugin->failure = *failure;
    plugin->failure_count++;
    plugin->not_before_ms = now.mono_ms + pause_ms(plugin->failure_count);
    if (plugin->current.is_there && !plugin->refused) {
        complaint_raise(&plugin->complaint, failure, now.wall_ms);
    }
}

/* A plugin that could not be started or gave up may be missing parts; one that hangs is there. */
static void explain_run(const struct access_plugin *plugin, const struct error *error,
                        struct error *out)
{
    const char *hint = plugin->config->exec->install_hint;
    bool has_hint = error->class == ERROR_SYSTEM && hint != NULL;
    error_set(out, error->class, "the exec plugin %s%s%s", error->message, has_hint ? ". " : "",
              has_hint ? hint : "");
}

static void run_ended(void *self, const char *output, const struct error *error)
{
    struct access_plugin *plugin = self;
    process_free(plugin->process);
    plugin->process = NULL;

    struct error failure;
    if (output == NULL) {
        explain_run(plugin, error, &failure);
        note_failure(plugin, &failure);
    } else if (!take_output(plugin, output, &failure)) {
        note_failure(plugin, &failure);
    } else {
        plugin->failure = (struct error){.class = ERROR_NONE};
        plugin->failure_count = 0;
        complaint_settle(&plugin->complaint, loop_now(plugin->loop).wall_ms);
    }
    plugin->options.ended(plugin->options.self);
}

static const char *const *write_variables(const struct access_plugin *plugin,
                                          const char *authority_pem, bool interactive,
                                          struct arena *arena)
{
    const struct exec_plugin *exec = plugin->config->exec;
    struct kubeconfig config = *plugin->config;
    if (authority_pem != NULL) {
        config.authority_pem = authority_pem;
    }
    cleanup_text struct text info;
    text_init(&info, LIMIT_BODY_BYTES);
    exec_plugin_write_info(exec, &config, interactive, &info);

    const char **variables = arena_new(arena, exec->variable_count + 2, sizeof(*variables));
    for (size_t i = 0; i < exec->variable_count; i++) {
        variables[i] =
            arena_print(arena, "%s=%s", exec->variables[i].name, exec->variables[i].value);
    }
    variables[exec->variable_count] =
        arena_print(arena, "KUBERNETES_EXEC_INFO=%s", info.overflowed ? "" : info.bytes);
    return variables;
}

static void start(struct access_plugin *plugin, const char *authority_pem)
{
    const struct exec_plugin *exec = plugin->config->exec;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char **arguments = arena_new(&arena, exec->argument_count + 1, sizeof(*arguments));
    for (size_t i = 0; i < exec->argument_count; i++) {
        arguments[i] = exec->arguments[i];
    }
    bool interactive = exec->interactive != EXEC_INTERACTIVE_NEVER && is_terminal();
    struct process_request request = {
        .command = exec->command,
        .arguments = arguments,
        .variables = write_variables(plugin, authority_pem, interactive, &arena),
        .deadline_ms = plugin->options.deadline_ms,
        .output_bytes_max = LIMIT_PROCESS_OUTPUT_BYTES,
        .inherit_stdin = interactive,
    };
    plugin->process = process_start(plugin->loop, &request, run_ended, plugin);
}

static bool credential_equal(const struct exec_credential *one, const struct exec_credential *other)
{
    return text_equal(one->token, other->token) &&
           text_equal(one->certificate_pem, other->certificate_pem) &&
           text_equal(one->key_pem, other->key_pem);
}

static bool adopt_arrived(struct access_plugin *plugin)
{
    if (!plugin->arrived.is_there) {
        return false;
    }
    bool changed = !plugin->current.is_there ||
                   !credential_equal(&plugin->current.credential, &plugin->arrived.credential);
    struct held old = plugin->current;
    plugin->current = plugin->arrived;
    plugin->arrived = old;
    held_clear(&plugin->arrived);
    plugin->refused = false;
    return changed;
}

/* Short-lived ones get half their life, or they would be renewed all the time. */
static int64_t refresh_at_ms(const struct access_plugin *plugin)
{
    const struct held *held = &plugin->current;
    if (held->credential.expiry_ms == 0) {
        return NOW_NEVER;
    }
    int64_t half_life_ms = (held->credential.expiry_ms - held->got_at.wall_ms) / 2;
    int64_t before_ms = plugin->options.refresh_before_ms;
    return held->credential.expiry_ms - (before_ms < half_life_ms ? before_ms : half_life_ms);
}

static void explain(const struct access_plugin *plugin, struct now now, struct error *error)
{
    int64_t wait_ms = plugin->not_before_ms - now.mono_ms;
    if (plugin->failure.class != ERROR_NONE) {
        *error = plugin->failure;
        return;
    }
    error_set(error, ERROR_UNAUTHORIZED,
              "the server refused what the exec plugin %s gave; it runs again in %lld s",
              plugin->config->exec->command, (long long)(wait_ms + 999) / 1000);
}

enum credentials_state access_plugin_get(struct access_plugin *plugin, const char *authority_pem,
                                         const struct exec_credential **out, bool *changed,
                                         struct error *error)
{
    struct now now = loop_now(plugin->loop);
    *changed = adopt_arrived(plugin);
    const struct held *held = &plugin->current;
    bool is_usable = held->is_there && !plugin->refused &&
                     (held->credential.expiry_ms == 0 || now.wall_ms < held->credential.expiry_ms);
    bool is_due = !is_usable || now.wall_ms >= refresh_at_ms(plugin);
    if (is_due && plugin->process == NULL && now.mono_ms >= plugin->not_before_ms) {
        start(plugin, authority_pem);
    }
    if (is_usable) {
        *out = &held->credential;
        return CREDENTIALS_READY;
    }
    if (plugin->process != NULL) {
        return CREDENTIALS_PENDING;
    }
    explain(plugin, now, error);
    return CREDENTIALS_FAILED;
}

void access_plugin_refuse(struct access_plugin *plugin)
{
    if (!plugin->current.is_there || plugin->refused) {
        return;
    }
    int64_t got_at_ms = plugin->current.got_at.mono_ms;
    bool is_young = loop_now(plugin->loop).mono_ms - got_at_ms < YOUNG_MS;
    plugin->refused = true;
    plugin->refusal_count = is_young ? plugin->refusal_count : 0;
    plugin->not_before_ms = got_at_ms + pause_ms(plugin->refusal_count);
    plugin->refusal_count++;
}
