/* SPDX-License-Identifier: Apache-2.0 */
/* A Pool's own statements, or those of a ConfigMap in its namespace, which developers cannot write
   to. They travel in the spec of the pod that runs them, where nobody can change them any more, and
   not by a reference: a pod could refer to its own namespace alone, which is the developer's. */
#include "plan/statements.h"

#include "api/cluster.h"
#include "api/names.h"
#include "base/limits.h"
#include "plan/desired_parts.h"

#include <string.h>

bool statements_wanted(const struct pool *pool)
{
    return pool->scramble_roles || pool->sanitize.sql != NULL || pool->sanitize.config_map != NULL;
}

/* NULL: it is not there. */
static const char *value_of(const struct object *config_map, const char *key)
{
    for (size_t i = 0; i < config_map->config_map->count; i++) {
        if (text_equal(config_map->config_map->data[i].key, key)) {
            return config_map->config_map->data[i].value;
        }
    }
    return NULL;
}

static struct verdict missing(const struct object *pool, const char *what, struct arena *arena)
{
    return (struct verdict){
        "StatementsMissing",
        arena_print(arena,
                    "ConfigMap %s/%s, which spec.sanitize.configMap of Pool %s names, %s; no clone "
                    "is handed out before",
                    pool->meta.namespace, pool->pool->sanitize.config_map, pool->meta.name, what)};
}

struct verdict statements_check(const struct object *pool, const struct object *config_map,
                                struct arena *arena)
{
    const struct statements *source = &pool->pool->sanitize;
    size_t byte_count = 0;
    if (source->config_map == NULL) {
        return (struct verdict){NULL, NULL};
    }
    if (config_map == NULL || !text_equal(object_label(config_map, LABEL_ROLE), ROLE_SANITIZE)) {
        return missing(pool,
                       "is not there, or lacks the label " LABEL_ROLE "=" ROLE_SANITIZE
                       ": the Pool's owner makes it, or labels it",
                       arena);
    }
    for (size_t i = 0; i < source->key_count; i++) {
        const char *value = value_of(config_map, source->keys[i]);
        if (value == NULL || value[0] == '\0') {
            return missing(pool,
                           arena_print(arena,
                                       "has no statements at key %s: the Pool's owner puts them "
                                       "there, or takes the key out of the Pool",
                                       source->keys[i]),
                           arena);
        }
        byte_count += strlen(value);
    }
    if (byte_count > LIMIT_STATEMENTS_BYTES) {
        return (struct verdict){
            "StatementsTooLarge",
            arena_print(arena,
                        "ConfigMap %s/%s has %zu bytes of statements, and a pod can carry %d: the "
                        "Pool's owner makes them shorter",
                        pool->meta.namespace, source->config_map, byte_count,
                        LIMIT_STATEMENTS_BYTES)};
    }
    return (struct verdict){NULL, NULL};
}

/* A literal of SQL. */
static void append_literal(struct text *out, const char *string)
{
    text_append_char(out, '\'');
    for (; *string != '\0'; string++) {
        text_append(out, *string == '\'' ? "'" : "");
        text_append_char(out, *string);
    }
    text_append_char(out, '\'');
}

static void append_scramble(struct text *out, const struct handoff *handoff)
{
    text_append(out, "do $scramble$ declare role name; begin for role in select rolname "
                     "from pg_catalog.pg_authid where rolpassword is not null and rolname "
                     "not in ('postgres', 'streaming_replica', ");
    append_literal(out, desired_owner(handoff));
    text_append(out, ") and rolname !~ '^(pg|cnpg)_' loop execute format('alter role %I "
                     "password null', role); end loop; end $scramble$;\n");
}

/* A pod that was deleted, or was given up, does not end what it had Postgres do. */
static void append_end_of_others(struct text *out)
{
    text_append(out, "select pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where "
                     "application_name = '" STATEMENTS_APPLICATION "' and pid <> "
                     "pg_backend_pid();\n");
}

const char *statements_text(const struct handoff *handoff, const struct object *config_map,
                            struct arena *arena)
{
    const struct pool *pool = handoff->pool->pool;
    struct text sql cleanup_text;
    text_init(&sql, LIMIT_BODY_BYTES);
    append_end_of_others(&sql);
    if (pool->scramble_roles) {
        append_scramble(&sql, handoff);
    }
    text_append(&sql, pool->sanitize.sql == NULL ? "" : pool->sanitize.sql);
    for (size_t i = 0; config_map != NULL && i < pool->sanitize.key_count; i++) {
        text_print(&sql, "%s\n", value_of(config_map, pool->sanitize.keys[i]));
    }
    return arena_copy(arena, sql.bytes);
}
