/* SPDX-License-Identifier: Apache-2.0 */
/* Everything is read again from inside get: then nothing that was lent changes behind the
   borrower's back, and no timer runs for a program that does not talk. The kubeconfig is read
   again too, since some are mounted Secrets whose token is rotated, but what it names may not
   become another cluster: caches and the lease belong to the one that was opened. */
#include "io/access.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/access_identity.h"
#include "io/access_source.h"
#include "io/complaint.h"
#include "io/loop.h"

#include <assert.h>

enum { DEFAULT_MS = 60 * 1000 };

struct access {
    struct loop *loop;
    int64_t reload_ms;
    struct access_plugin_options plugin_options;
    struct access_source source;
    struct access_identity *identity;
    char *context; /* NULL in a pod */
    char *namespace, *description;
    uint64_t generation;
    int64_t read_at_ms;
    bool read_now;
    struct complaint complaint_config, complaint_file;
    void (*changed)(void *listener);
    void *listener;
    bool is_awaited; /* somebody was told to wait */
};

static void plugin_ended(void *self)
{
    struct access *access = self;
    if (access->is_awaited && access->changed != NULL) {
        access->is_awaited = false;
        access->changed(access->listener);
    }
}

static int64_t or_default(int64_t option_ms)
{
    return option_ms > 0 ? option_ms : DEFAULT_MS;
}

static void describe(struct access *access)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const struct kubeconfig *config = &access->identity->config;
    const char *text = access->source.paths == NULL
                           ? arena_print(&arena, "in-cluster, server %s", config->server)
                           : arena_print(&arena, "context %s of %s, server %s", config->context,
                                         access->source.paths, config->server);
    access->description = memory_copy_text(text);
    access->namespace = memory_copy_text(config->namespace);
    access->context = memory_copy_text(config->context);
}

static bool open_identity(struct access *access, const char *context, struct error *error)
{
    struct access_identity *identity = access_identity_new();
    access->identity = identity;
    return access_source_read(&access->source, context, &identity->arena, &identity->config,
                              error) &&
           access_identity_open(identity, access->loop, &access->plugin_options, error);
}

bool access_open(struct loop *loop, const struct access_options *options, struct access **out,
                 struct error *error)
{
    struct access_source source;
    if (!access_source_find(options, &source, error)) {
        return false;
    }
    struct access *access = memory_new(1, sizeof(*access));
    *access = (struct access){
        .loop = loop,
        .reload_ms = or_default(options->reload_ms),
        .plugin_options = {.deadline_ms = or_default(options->exec_deadline_ms),
                           .refresh_before_ms = or_default(options->exec_refresh_before_ms),
                           .ended = plugin_ended,
                           .self = access},
        .source = source,
        .generation = 1,
        .read_at_ms = loop_now(loop).mono_ms,
        .complaint_config.warning =
            "the kubeconfig cannot be read again; what it said stays in use",
        .complaint_file.warning =
            "credentials cannot be read again; the last good ones stay in use",
    };
    if (!open_identity(access, options->context, error)) {
        access_free(access);
        return false;
    }
    describe(access);
    *out = access;
    return true;
}

void access_free(struct access *access)
{
    if (access == NULL) {
        return;
    }
    access_identity_free(access->identity);
    access_source_release(&access->source);
    complaint_release(&access->complaint_config);
    complaint_release(&access->complaint_file);
    memory_free(access->context);
    memory_free(access->namespace);
    memory_free(access->description);
    memory_free(access);
}

/* An equal plugin goes on with the credential it has: nobody logs in twice because another
   cluster's entry was edited. */
static bool replace_identity(struct access *access, struct access_identity *fresh,
                             struct error *error)
{
    struct access_identity *old = access->identity;
    bool same_plugin =
        old->plugin != NULL && exec_plugin_equal(old->config.exec, fresh->config.exec);
    fresh->plugin = same_plugin ? old->plugin : NULL;
    if (!access_identity_open(fresh, access->loop, &access->plugin_options, error)) {
        fresh->plugin = same_plugin ? NULL : fresh->plugin;
        access_identity_free(fresh);
        return false;
    }
    if (same_plugin) {
        old->plugin = NULL;
        access_plugin_adopt(fresh->plugin, &fresh->config);
    }
    access_identity_free(old);
    access->identity = fresh;
    access->generation++;
    return true;
}

static bool reread_config(struct access *access, struct error *error)
{
    struct access_identity *fresh = access_identity_new();
    const char *server = access->identity->config.server;
    bool is_good =
        access_source_read(&access->source, access->context, &fresh->arena, &fresh->config, error);
    if (is_good && !text_equal(fresh->config.server, server)) {
        is_good = error_set(error, ERROR_INVALID,
                            "it names another server now, %s instead of %s; restart to use it",
                            fresh->config.server, server);
    }
    if (!is_good || kubeconfig_equal(&fresh->config, &access->identity->config)) {
        access_identity_free(fresh);
        return is_good;
    }
    return replace_identity(access, fresh, error);
}

static void report(struct complaint *complaint, bool went_well, const struct error *error,
                   struct now now)
{
    if (went_well) {
        complaint_settle(complaint, now.wall_ms);
    } else {
        complaint_raise(complaint, error, now.wall_ms);
    }
}

static void reread(struct access *access, struct now now)
{
    access->read_now = false;
    access->read_at_ms = now.mono_ms;

    struct error error;
    bool went_well = reread_config(access, &error);
    report(&access->complaint_config, went_well, &error, now);

    bool changed = false;
    went_well = access_identity_read(access->identity, &changed, &error);
    report(&access->complaint_file, went_well, &error, now);
    access->generation += changed;
}

static enum credentials_state get(void *self, struct credential_set *out, struct error *error)
{
    struct access *access = self;
    struct now now = loop_now(access->loop);
    bool is_due = access->read_now || now.mono_ms - access->read_at_ms >= access->reload_ms;
    if (is_due && !access->is_awaited) { /* else the plugin that somebody awaits could go */
        reread(access, now);
    }
    const struct access_identity *identity = access->identity;
    const struct exec_credential *credential = NULL;
    enum credentials_state state = CREDENTIALS_READY;
    if (identity->plugin != NULL) {
        bool changed = false;
        state = access_plugin_get(identity->plugin, access_identity_authority(identity),
                                  &credential, &changed, error);
        access->generation += changed;
    }
    access->is_awaited = state == CREDENTIALS_PENDING;
    if (state != CREDENTIALS_READY) {
        return state;
    }
    access_identity_fill(identity, out);
    if (credential != NULL) {
        out->token = credential->token;
        out->certificate_pem = credential->certificate_pem;
        out->key_pem = credential->key_pem;
    }
    out->generation = access->generation;
    return CREDENTIALS_READY;
}

static void invalidate(void *self, uint64_t generation)
{
    struct access *access = self;
    if (generation != access->generation) {
        return;
    }
    access->read_now = true;
    if (access->identity->plugin != NULL) {
        access_plugin_refuse(access->identity->plugin);
    }
}

static void listen(void *self, void (*changed)(void *listener), void *listener)
{
    struct access *access = self;
    access->changed = changed;
    access->listener = listener;
}

struct credentials access_credentials(struct access *access)
{
    return (struct credentials){
        .get = get, .invalidate = invalidate, .listen = listen, .self = access};
}

struct clock access_clock(const struct access *access)
{
    const struct kubeconfig *config = &access->identity->config;
    return (struct clock){.speed = config->clock_speed, .from_wall_ms = config->clock_from_ms};
}

const char *access_namespace(const struct access *access)
{
    return access->namespace;
}

const char *access_description(const struct access *access)
{
    return access->description;
}
