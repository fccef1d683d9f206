/* SPDX-License-Identifier: Apache-2.0 */
/* The statements are not run: nothing here holds rows. That they were let in is what matters. */
#include "sim/psql.h"

#include "base/base64.h"
#include "base/text.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES_MAX = 256 };

static const cJSON *environment(const cJSON *pod)
{
    const cJSON *containers = value_at(pod, "spec", "containers", NULL);
    const cJSON *first = containers == NULL ? NULL : containers->child;
    return first == NULL ? NULL : value_at(first, "env", NULL);
}

static const cJSON *variable(const cJSON *pod, const char *name)
{
    const cJSON *at = NULL;
    cJSON_ArrayForEach(at, environment(pod))
    {
        if (value_equal_text(at, name, "name", NULL)) {
            return at;
        }
    }
    return NULL;
}

bool psql_is(const cJSON *pod)
{
    return value_equal_text(pod, "Never", "spec", "restartPolicy", NULL) &&
           variable(pod, "PGHOST") != NULL && !postgres_is_instance(pod) &&
           !postgres_is_bootstrap(pod);
}

static const struct record *secret_of(struct apiserver *server, const cJSON *pod,
                                      const cJSON *entry)
{
    const char *name = value_text(entry, "valueFrom", "secretKeyRef", "name", NULL);
    return name == NULL ? NULL
                        : objects_get(apiserver_objects(server), &resource_secrets,
                                      value_namespace(pod), name);
}

bool psql_secrets_are_there(struct apiserver *server, const cJSON *pod)
{
    const cJSON *at = NULL;
    cJSON_ArrayForEach(at, environment(pod))
    {
        if (value_at(at, "valueFrom", NULL) != NULL && secret_of(server, pod, at) == NULL) {
            return false;
        }
    }
    return true;
}

/* `host DATABASE USER ADDRESS METHOD`, with one space between. */
static bool names_user(const char *line, const char *user)
{
    char role[NAME_BYTES_MAX];
    const char *database = strchr(line, ' ');
    const char *at = database == NULL ? NULL : strchr(database + 1, ' ');
    const char *address = at == NULL ? NULL : strchr(at + 1, ' ');
    if (address == NULL) {
        return false;
    }
    (void)snprintf(role, sizeof(role), "%.*s", (int)(address - at - 1), at + 1);
    return text_equal(role, "all") || text_equal(role, user);
}

static bool admits(const cJSON *cluster, const char *user)
{
    const cJSON *line = NULL;
    cJSON_ArrayForEach(line, value_at(cluster, "spec", "postgresql", "pg_hba", NULL))
    {
        if (cJSON_IsString(line) && names_user(line->valuestring, user)) {
            return !text_ends_with(line->valuestring, " reject");
        }
    }
    return true;
}

static bool is_user(const cJSON *secret, const char *user)
{
    cleanup_text struct text encoded;
    text_init(&encoded, NAME_BYTES_MAX);
    base64_append(&encoded, user, strlen(user));
    return value_equal_text(secret, encoded.bytes, "data", "username", NULL);
}

/* NAME-rw.NAMESPACE.svc. */
static bool read_cluster(const char *host, char out[NAME_BYTES_MAX])
{
    const char *end = host == NULL ? NULL : strstr(host, "-rw");
    if (end == NULL || (size_t)(end - host) >= NAME_BYTES_MAX) {
        return false;
    }
    (void)snprintf(out, NAME_BYTES_MAX, "%.*s", (int)(end - host), host);
    return true;
}

bool psql_is_let_in(struct apiserver *server, const struct postgres *postgres, const cJSON *pod)
{
    char cluster_name[NAME_BYTES_MAX];
    const struct record *secret = secret_of(server, pod, variable(pod, "PGUSER"));
    if (secret == NULL ||
        !read_cluster(value_text(variable(pod, "PGHOST"), "value", NULL), cluster_name)) {
        return false;
    }
    const struct record *cluster = objects_get(apiserver_objects(server), &resource_clusters,
                                               value_namespace(pod), cluster_name);
    const char *user = is_user(secret->value, "postgres") ? "postgres" : "another";
    return cluster != NULL && postgres_serves(postgres, value_namespace(pod), cluster_name) &&
           admits(cluster->value, user);
}
