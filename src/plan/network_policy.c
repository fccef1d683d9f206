/* SPDX-License-Identifier: Apache-2.0 */
/* Egress alone: what comes in (developers, CloudNativePG's operator at the status port) and the
   answers to it are not restricted. Out go names, what the Cluster's pods say to each other, and
   CloudNativePG's instance manager to the API server, by the addresses of its endpoints: a policy
   is enforced behind the Service's address. Policies add up, so one that a person makes beside this
   one opens what they want. Nothing of it is left to defaults, so that it is as it was written, or
   somebody changed it. Like the Secret it has the Instance and the PVC as owners, and goes when
   both are gone. */
#include "plan/network_policy.h"

#include "api/names.h"
#include "api/network.h"
#include "base/json_merge.h"
#include "base/limits.h"
#include "plan/desired.h"
#include "plan/desired_parts.h"
#include "plan/trouble.h"

#include <string.h>

const char *network_policy_name(const char *instance, struct arena *arena)
{
    return arena_print(arena, "%s-adjoint", instance);
}

static bool is_wanted(const struct instance_observation *seen)
{
    return seen->pool != NULL && seen->pool->pool->egress_denied;
}

static const struct endpoint_slice *api_server(const struct instance_observation *seen)
{
    const struct endpoint_slice *slice =
        seen->api_server == NULL ? NULL : seen->api_server->endpoint_slice;
    return slice == NULL || slice->address_count == 0 || slice->port_count == 0 ? NULL : slice;
}

struct verdict network_policy_check(const struct instance_observation *seen)
{
    if (!is_wanted(seen) || api_server(seen) != NULL) {
        return (struct verdict){NULL, NULL};
    }
    return (struct verdict){"ApiServerUnknown",
                            "EndpointSlice default/kubernetes, which the API server keeps, is not "
                            "there or empty: its Pool denies egress, and a policy that leaves the "
                            "way to the API server open cannot be made"};
}

static void write_port(struct json_writer *json, const char *protocol, int64_t port)
{
    json_begin_object(json);
    json_member_string(json, "protocol", protocol);
    json_member_int64(json, "port", port);
    json_end_object(json);
}

static void write_cluster_selector(struct json_writer *json, const char *cluster)
{
    json_member_object(json, "podSelector");
    json_member_object(json, "matchLabels");
    json_member_string(json, CNPG_LABEL_CLUSTER, cluster);
    json_end_object(json);
    json_end_object(json);
}

/* 5353 is where OpenShift's name servers listen behind their Service. */
static void write_names(struct json_writer *json)
{
    static const int64_t ports[] = {53, 5353};
    json_begin_object(json);
    json_member_array(json, "ports");
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        write_port(json, "UDP", ports[i]);
        write_port(json, "TCP", ports[i]);
    }
    json_end_array(json);
    json_end_object(json);
}

static void write_api_server(struct json_writer *json, const struct endpoint_slice *slice,
                             struct arena *arena)
{
    json_begin_object(json);
    json_member_array(json, "ports");
    for (size_t i = 0; i < slice->port_count; i++) {
        write_port(json, "TCP", slice->ports[i]);
    }
    json_end_array(json);
    json_member_array(json, "to");
    for (size_t i = 0; i < slice->address_count; i++) {
        const char *address = slice->addresses[i];
        json_begin_object(json);
        json_member_object(json, "ipBlock");
        json_member_string(
            json, "cidr",
            arena_print(arena, "%s/%d", address, strchr(address, ':') == NULL ? 32 : 128));
        json_end_object(json);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static const char *desired_spec(const struct instance_observation *seen, struct arena *arena)
{
    const char *cluster = seen->instance->meta.name;
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    write_cluster_selector(json, cluster);
    json_member_array(json, "egress");
    write_names(json);
    json_begin_object(json);
    json_member_array(json, "to");
    json_begin_object(json);
    write_cluster_selector(json, cluster);
    json_end_object(json);
    json_end_array(json);
    json_end_object(json);
    write_api_server(json, api_server(seen), arena);
    json_end_array(json);
    json_member_raw(json, "policyTypes", "[\"Egress\"]");
    json_end_object(json);
    return body_end(&body, arena);
}

static void write_owners(struct json_writer *json, const struct instance_observation *seen)
{
    desired_write_owner(json, seen->instance);
    if (seen->data_claim != NULL) {
        desired_write_owner(json, seen->data_claim);
    }
}

static const char *desired_policy(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *instance = seen->instance;
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    desired_begin(&body, KIND_NETWORK_POLICY, instance->meta.namespace,
                  network_policy_name(instance->meta.name, arena));
    json_member_object(json, "labels");
    desired_write_instance_labels(json, ROLE_EGRESS, instance);
    json_end_object(json);
    json_member_array(json, "ownerReferences");
    write_owners(json, seen);
    json_end_array(json);
    json_end_object(json);
    json_member_raw(json, "spec", desired_spec(seen, arena));
    json_end_object(json);
    return body_end(&body, arena);
}

static bool is_of(const struct object *policy, const struct object *instance)
{
    return policy != NULL && text_equal(object_label(policy, LABEL_ROLE), ROLE_EGRESS) &&
           text_equal(object_label(policy, LABEL_INSTANCE_UID), instance->meta.uid);
}

const char *network_policy_probe(const struct instance_observation *seen, struct arena *arena)
{
    return is_wanted(seen) && !is_of(seen->network_policy, seen->instance)
               ? desired_policy(seen, arena)
               : NULL;
}

static bool is_same(const char *one, const char *other)
{
    struct text first cleanup_text;
    struct text second cleanup_text;
    struct error error;
    text_init(&first, LIMIT_BODY_BYTES);
    text_init(&second, LIMIT_BODY_BYTES);
    return one != NULL && json_canonical(one, &first, &error) &&
           json_canonical(other, &second, &error) && text_equal(first.bytes, second.bytes);
}

static bool has_owner(const struct object *object, const struct object *owner)
{
    for (size_t i = 0; i < object->meta.owner_count; i++) {
        if (text_equal(object->meta.owners[i].uid, owner->meta.uid)) {
            return true;
        }
    }
    return false;
}

/* While the endpoints are not seen it stays as it is. */
static bool is_right(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *policy = seen->network_policy;
    return policy->meta.deleting_ms == 0 && has_owner(policy, seen->instance) &&
           (seen->data_claim == NULL || has_owner(policy, seen->data_claim)) &&
           (api_server(seen) == NULL ||
            is_same(policy->network_policy->spec, desired_spec(seen, arena)));
}

static bool is_ours(const struct instance_turn *turn)
{
    return is_of(turn->seen->network_policy, turn->object);
}

bool network_policy_ready(const struct instance_turn *turn)
{
    return !is_wanted(turn->seen) || (is_ours(turn) && is_right(turn->seen, turn->plan->arena));
}

static const char *correction(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *policy = seen->network_policy;
    struct body owners cleanup_body;
    struct body body cleanup_body;
    body_init(&owners);
    json_begin_array(&owners.json);
    write_owners(&owners.json, seen);
    json_end_array(&owners.json);
    body_init(&body);
    json_begin_array(&body.json);
    body_operation(&body, "test", "/metadata/uid", policy->meta.uid);
    body_operation_raw(&body, "add", "/metadata/ownerReferences", body_end(&owners, arena));
    if (api_server(seen) != NULL) {
        body_operation_raw(&body, "add", "/spec", desired_spec(seen, arena));
    }
    json_end_array(&body.json);
    return body_end(&body, arena);
}

static void act(struct instance_turn *turn, enum action_kind kind, const char *body,
                const char *reason)
{
    const struct object *policy = turn->seen->network_policy;
    instance_act(turn, (struct action){
                           .kind = kind,
                           .purpose = PURPOSE_NETWORK_POLICY,
                           .object = KIND_NETWORK_POLICY,
                           .namespace = turn->object->meta.namespace,
                           .name = network_policy_name(turn->object->meta.name, turn->plan->arena),
                           .uid = policy == NULL ? NULL : policy->meta.uid,
                           .body = body,
                           .reason = reason});
}

void network_policy_plan(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    struct arena *arena = turn->plan->arena;
    if (seen->pool == NULL) {
        return;
    }
    if (!is_wanted(seen)) {
        if (is_ours(turn) && seen->network_policy->meta.deleting_ms == 0) {
            act(turn, ACTION_DELETE, NULL, "its Pool allows egress");
        }
    } else if (seen->network_policy == NULL && api_server(seen) != NULL) {
        act(turn, ACTION_CREATE, desired_policy(seen, arena), "its Pool denies egress");
    } else if (is_ours(turn) && seen->network_policy->meta.deleting_ms == 0 &&
               !is_right(seen, arena)) {
        act(turn, ACTION_JSON_PATCH, correction(seen, arena), "it is not as its Pool wants it");
    }
}

const char *network_policy_refusal(const struct instance_turn *turn)
{
    const struct trouble *trouble = &turn->seen->trouble;
    if (network_policy_ready(turn)) {
        return NULL;
    }
    if (turn->seen->network_policy != NULL && !is_ours(turn)) {
        return "a NetworkPolicy of its name is another's: remove that";
    }
    return trouble->purpose == PURPOSE_NETWORK_POLICY && trouble_is_lasting(trouble)
               ? trouble->message
               : NULL;
}
