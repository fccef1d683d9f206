/* SPDX-License-Identifier: Apache-2.0 */
#include "api/network.h"

#include "api/field.h"

void network_policy_decode(struct json_reader *reader, const struct json *root,
                           struct object *object)
{
    struct network_policy *policy = arena_new(reader->arena, 1, sizeof(*policy));
    policy->spec = json_string(reader, root, "spec");
    object->network_policy = policy;
}

static void read_addresses(struct json_reader *reader, const struct json *endpoints,
                           struct endpoint_slice *slice)
{
    size_t room = 0;
    for (const struct json *at = json_first(endpoints); at != NULL; at = json_next(at)) {
        room += json_count(json_member(at, "addresses"));
    }
    const char **addresses = arena_new(reader->arena, room + 1, sizeof(char *));
    for (const struct json *at = json_first(endpoints); at != NULL; at = json_next(at)) {
        size_t count = 0;
        const char *const *some = field_strings(reader, at, "addresses", &count);
        for (size_t i = 0; i < count; i++) {
            addresses[slice->address_count++] = some[i];
        }
    }
    slice->addresses = addresses;
}

void endpoint_slice_decode(struct json_reader *reader, const struct json *root,
                           struct object *object)
{
    struct endpoint_slice *slice = arena_new(reader->arena, 1, sizeof(*slice));
    read_addresses(reader, field_array(reader, root, "endpoints"), slice);
    const struct json *list = field_array(reader, root, "ports");
    int64_t *ports = arena_new(reader->arena, json_count(list) + 1, sizeof(*ports));
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        int64_t port = json_int64(reader, at, "port", 0);
        if (port > 0) {
            ports[slice->port_count++] = port;
        }
    }
    slice->ports = ports;
    object->endpoint_slice = slice;
}
