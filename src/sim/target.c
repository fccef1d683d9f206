/* SPDX-License-Identifier: Apache-2.0 */
/* Paths are /api/v1/... for the core group and /apis/GROUP/VERSION/... for the others, then
   [namespaces/NAMESPACE/]PLURAL[/NAME[/SUBRESOURCE]]. One of them is ambiguous: after `namespaces`
   and a name, `status` is that namespace's and not a resource. (apiserver endpoints/request
   requestinfo.go) */
#include "sim/target.h"

#include "sim/subresource.h"

#include <string.h>

struct place {
    const char *group, *version;
    size_t at; /* of the segment behind them */
};

static bool find_place(const struct url *url, struct place *out)
{
    if (url_segment_is(url, 0, "api") && url->segment_count >= 3) {
        *out = (struct place){"", url->segments[1], 2};
        return true;
    }
    if (url_segment_is(url, 0, "apis") && url->segment_count >= 4) {
        *out = (struct place){url->segments[1], url->segments[2], 3};
        return true;
    }
    return false;
}

static bool is_in_namespace(const struct url *url, const struct place *place)
{
    bool is_of_namespace = url->segment_count == place->at + 3 && place->group[0] == '\0' &&
                           (url_segment_is(url, place->at + 2, "status") ||
                            url_segment_is(url, place->at + 2, "finalize"));
    return url_segment_is(url, place->at, "namespaces") && url->segment_count >= place->at + 3 &&
           !is_of_namespace;
}

bool target_find(const struct apiserver *server, const struct url *url, struct target *out)
{
    struct place place;
    if (!find_place(url, &place)) {
        return false;
    }
    struct target target = {0};
    if (is_in_namespace(url, &place)) {
        target.namespace = url->segments[place.at + 1];
        place.at += 2;
    }
    size_t count = url->segment_count - place.at;
    if (count == 0 || count > 3) {
        return false;
    }
    const char *plural = url->segments[place.at];
    target.resource = apiserver_resource(server, place.group, place.version, plural);
    target.name = count > 1 ? url->segments[place.at + 1] : NULL;
    target.subresource = count > 2 ? url->segments[place.at + 2] : NULL;
    const struct resource *resource = target.resource;
    bool is_served = resource != NULL && strcmp(resource->plural, plural) == 0 &&
                     (resource->is_namespaced ? target.namespace != NULL || target.name == NULL
                                              : target.namespace == NULL) &&
                     subresource_exists(resource, target.subresource);
    if (is_served) {
        *out = target;
    }
    return is_served;
}
