/* SPDX-License-Identifier: Apache-2.0 */
/* The keys are those of the Service Binding specification's Secret and, for people, the two URIs
   that CloudNativePG writes. Hexadecimal digits need no quoting anywhere a password goes. It has
   two owners and goes when both are gone: the Instance, so that it stays when its PVC is replaced,
   and the PVC, so that a Cluster that outlives its Instance (deletionPolicy Retain) keeps it. */
#include "plan/desired.h"

#include "api/names.h"
#include "plan/desired_parts.h"
#include "plan/instance.h"

enum { VALUE_BYTES_MAX = 4096 };

const char *desired_secret_name(const struct object *instance, struct arena *arena)
{
    const char *reserved = instance->instance->binding_secret;
    const char *usual = arena_print(arena, "%s-adjoint", instance->meta.name);
    return text_starts_with(reserved == NULL ? "" : reserved, usual) ? reserved : usual;
}

const char *desired_host(const struct object *instance, struct arena *arena)
{
    return arena_print(arena, "%s-rw.%s.svc", instance->meta.name, instance->meta.namespace);
}

static const char *spell_password(const unsigned char *bytes, struct arena *arena)
{
    static const char digits[] = "0123456789abcdef";
    char *password = arena_new(arena, 2 * SECRET_BYTES + 1, 1);
    for (size_t i = 0; i < SECRET_BYTES; i++) {
        password[2 * i] = digits[bytes[i] >> 4];
        password[2 * i + 1] = digits[bytes[i] & 15];
    }
    return password;
}

static const char *encode(const char *text, struct arena *arena)
{
    struct text encoded cleanup_text;
    text_init(&encoded, VALUE_BYTES_MAX);
    text_append_encoded(&encoded, text);
    return arena_copy(arena, encoded.bytes);
}

static void write_values(struct json_writer *json, const struct handoff *handoff,
                         const char *password, struct arena *arena)
{
    const char *host = desired_host(handoff->instance, arena);
    const char *database = encode(desired_database(handoff), arena);
    const char *owner = encode(desired_owner(handoff), arena);
    json_member_object(json, "stringData");
    json_member_string(json, "type", "postgresql");
    json_member_string(json, "provider", "adjoint");
    json_member_string(json, "host", host);
    json_member_string(json, "port", arena_print(arena, "%d", CNPG_PORT));
    json_member_string(json, "database", desired_database(handoff));
    json_member_string(json, "username", desired_owner(handoff));
    json_member_string(json, "password", password);
    json_member_string(json, "uri",
                       arena_print(arena, "postgresql://%s:%s@%s:%d/%s", owner, password, host,
                                   CNPG_PORT, database));
    json_member_string(json, "jdbc-uri",
                       arena_print(arena, "jdbc:postgresql://%s:%d/%s?user=%s&password=%s", host,
                                   CNPG_PORT, database, owner, password));
    json_end_object(json);
}

const char *desired_secret(const struct handoff *handoff, const struct object *data_claim,
                           const unsigned char *bytes, struct arena *arena)
{
    const struct object *instance = handoff->instance;
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    desired_begin(&body, KIND_SECRET, instance->meta.namespace,
                  desired_secret_name(instance, arena));
    json_member_object(json, "labels");
    desired_write_data_labels(json, instance);
    json_member_string(json, CNPG_LABEL_RELOAD, "true");
    json_end_object(json);
    json_member_array(json, "ownerReferences");
    desired_write_owner(json, instance);
    desired_write_owner(json, data_claim);
    json_end_array(json);
    json_end_object(json);
    json_member_string(json, "type", "kubernetes.io/basic-auth");
    write_values(json, handoff, spell_password(bytes, arena), arena);
    json_end_object(json);
    return body_end(&body, arena);
}
