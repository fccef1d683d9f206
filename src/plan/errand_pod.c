/* SPDX-License-Identifier: Apache-2.0 */
/* The pod of an errand: psql from the image that Postgres runs, so that nothing is pulled; as the
   restricted Pod Security Standard wants it, without a token. It carries the Cluster's
   ServiceAccount for its image pull secrets alone. CloudNativePG sets a password some time after
   Ready, so the pod asks until it is let in; then it does its work once. */
#include "plan/errand.h"

#include "api/cluster.h"
#include "api/names.h"
#include "base/limits.h"
#include "plan/desired_parts.h"
#include "plan/statements.h"

#include <string.h>

enum {
    POSTGRES_USER = 26, /* of CloudNativePG's images */
    LOGIN_S = 120,
    SANITIZE_S = 3600,
    ARGUMENT_BYTES_MAX = 96 * 1024, /* Linux takes 128 KiB (MAX_ARG_STRLEN) */
};

static const char script[] =
    "n=0; until psql -XAtqc \"$PROBE\" >/dev/null; do n=$((n+1)); [ $n -lt 60 ] || exit 1; "
    "sleep 1; done; [ $# = 0 ] || printf %s \"$@\" | psql -X -v ON_ERROR_STOP=1 -f -";

const char *errand_pod_name(const char *instance, enum errand errand, struct arena *arena)
{
    return arena_print(arena, "%s-adjoint-%s", instance,
                       errand == ERRAND_SANITIZE ? "sanitize" : "login");
}

/* What Kubernetes would take for a variable in a value or an argument stays as it is
   (EnvVar.value: `$$`). */
static const char *spell(const char *value, size_t byte_count, struct arena *arena)
{
    struct text spelt cleanup_text;
    text_init(&spelt, LIMIT_BODY_BYTES);
    for (size_t i = 0; i < byte_count; i++) {
        text_append(&spelt, value[i] == '$' ? "$" : "");
        text_append_char(&spelt, value[i]);
    }
    return arena_copy(arena, spelt.bytes);
}

/* As much of it as one argument holds, and no part of a character of UTF-8. */
static size_t argument_bytes(const char *statements)
{
    size_t byte_count = strnlen(statements, ARGUMENT_BYTES_MAX);
    while (((unsigned char)statements[byte_count] & 0xC0) == 0x80) {
        byte_count--;
    }
    return byte_count;
}

static void write_arguments(struct json_writer *json, const char *statements, struct arena *arena)
{
    json_member_array(json, "args");
    for (size_t byte_count; *statements != '\0'; statements += byte_count) {
        byte_count = argument_bytes(statements);
        json_write_string(json, spell(statements, byte_count, arena));
    }
    json_end_array(json);
}

static void write_variable(struct json_writer *json, const char *name, const char *value)
{
    json_begin_object(json);
    json_member_string(json, "name", name);
    json_member_string(json, "value", value);
    json_end_object(json);
}

static void write_secret_variable(struct json_writer *json, const char *name, const char *secret,
                                  const char *key)
{
    json_begin_object(json);
    json_member_string(json, "name", name);
    json_member_object(json, "valueFrom");
    json_member_object(json, "secretKeyRef");
    json_member_string(json, "name", secret);
    json_member_string(json, "key", key);
    for (int i = 0; i < 3; i++) {
        json_end_object(json);
    }
}

static void write_environment(struct json_writer *json, const struct errand_pod *pod,
                              struct arena *arena)
{
    const struct handoff *handoff = pod->handoff;
    const char *database = desired_database(handoff);
    json_member_array(json, "env");
    write_variable(json, "PGHOST", desired_host(handoff->instance, arena));
    write_variable(json, "PGDATABASE", spell(database, strlen(database), arena));
    write_variable(json, "PGCONNECT_TIMEOUT", "5");
    write_variable(json, "PROBE", pod->probe);
    if (pod->statements != NULL) {
        write_variable(json, "PGAPPNAME", STATEMENTS_APPLICATION);
    }
    write_secret_variable(json, "PGUSER", pod->secret, "username");
    write_secret_variable(json, "PGPASSWORD", pod->secret, "password");
    json_end_array(json);
}

static void write_container(struct json_writer *json, const struct errand_pod *pod,
                            struct arena *arena)
{
    json_member_array(json, "containers");
    json_begin_object(json);
    json_member_string(json, "name", "psql");
    json_member_string(json, "image", pod->image);
    json_member_array(json, "command");
    json_write_string(json, "/bin/sh");
    json_write_string(json, "-c");
    json_write_string(json, script);
    json_write_string(json, "psql");
    json_end_array(json);
    if (pod->statements != NULL) {
        write_arguments(json, pod->statements, arena);
    }
    write_environment(json, pod, arena);
    json_member_raw(json, "resources",
                    "{\"requests\":{\"cpu\":\"10m\",\"memory\":\"32Mi\"},"
                    "\"limits\":{\"cpu\":\"1\",\"memory\":\"128Mi\"}}");
    json_member_raw(json, "securityContext",
                    "{\"allowPrivilegeEscalation\":false,\"readOnlyRootFilesystem\":true,"
                    "\"capabilities\":{\"drop\":[\"ALL\"]}}");
    json_end_object(json);
    json_end_array(json);
}

static void write_security(struct json_writer *json)
{
    json_member_object(json, "securityContext");
    json_member_bool(json, "runAsNonRoot", true);
    json_member_int64(json, "runAsUser", POSTGRES_USER);
    json_member_int64(json, "runAsGroup", POSTGRES_USER);
    json_member_raw(json, "seccompProfile", "{\"type\":\"RuntimeDefault\"}");
    json_end_object(json);
}

const char *errand_pod(const struct errand_pod *pod, struct arena *arena)
{
    const struct object *instance = pod->handoff->instance;
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    desired_begin(&body, KIND_POD, instance->meta.namespace,
                  errand_pod_name(instance->meta.name, pod->errand, arena));
    json_member_object(json, "labels");
    desired_write_instance_labels(json, ROLE_ERRAND, instance);
    json_end_object(json);
    json_member_object(json, "annotations");
    json_member_string(json, ANNOTATION_DATA_CLAIM_UID, pod->data_claim_uid);
    json_end_object(json);
    json_member_array(json, "ownerReferences");
    desired_write_owner(json, instance);
    json_end_array(json);
    json_end_object(json);
    json_member_object(json, "spec");
    json_member_raw(json, "restartPolicy", "\"Never\"");
    json_member_int64(json, "activeDeadlineSeconds",
                      pod->errand == ERRAND_SANITIZE ? SANITIZE_S : LOGIN_S);
    json_member_int64(json, "terminationGracePeriodSeconds", 1);
    json_member_string(json, "serviceAccountName", instance->meta.name);
    json_member_bool(json, "automountServiceAccountToken", false);
    json_member_bool(json, "enableServiceLinks", false);
    write_security(json);
    write_container(json, pod, arena);
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}
