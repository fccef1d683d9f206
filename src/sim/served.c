/* SPDX-License-Identifier: Apache-2.0 */
/* An array of its own for each answer: what is asked of it looks back and forth. */
#include "sim/served.h"

#include <assert.h>
#include <string.h>

void served_init(struct served *served, const struct apiserver *server)
{
    served->count = 0;
    const struct resource *resource = apiserver_next_resource(server, NULL);
    for (; resource != NULL; resource = apiserver_next_resource(server, resource)) {
        assert(served->count < SERVED_MAX);
        served->resources[served->count++] = resource;
    }
}

static bool is_of(const struct resource *resource, const char *group, const char *version)
{
    return strcmp(resource->group, group) == 0 && strcmp(resource->version, version) == 0;
}

bool served_has(const struct served *served, const char *group, const char *version)
{
    for (size_t i = 0; i < served->count; i++) {
        if (is_of(served->resources[i], group, version)) {
            return true;
        }
    }
    return false;
}

bool served_built_in(const struct served *served, const char *group, const char *version)
{
    for (size_t i = 0; i < served->count; i++) {
        if (is_of(served->resources[i], group, version)) {
            return !resource_is_custom(served->resources[i]);
        }
    }
    return false;
}

bool served_is_first(const struct served *served, size_t at)
{
    const struct resource *resource = served->resources[at];
    for (size_t i = 0; i < at; i++) {
        if (is_of(served->resources[i], resource->group, resource->version)) {
            return false;
        }
    }
    return true;
}
