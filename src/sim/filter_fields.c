/* SPDX-License-Identifier: Apache-2.0 */
/* A selector for a field the real server does not know is refused there, so it is here: a client
   that relies on one must not pass its tests. (apimachinery fields/filter.go; the fields are in
   each kind's conversion.go and, for events, registry/core/event/strategy.go) */
#include "base/text.h"
#include "sim/filter.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const struct resource *resource; /* NULL: each of them */
    const char *fields;              /* with a space before and behind each */
} supported[] = {
    {NULL, " metadata.name metadata.namespace "},
    {&resource_pods, " spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName "
                     "spec.hostNetwork status.phase status.podIP status.nominatedNodeName "},
    {&resource_namespaces, " status.phase "},
    {&resource_nodes, " spec.unschedulable "},
    {&resource_secrets, " type "},
    {&resource_events,
     " involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid "
     "involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason "
     "reportingComponent source type "},
    {&resource_services, " spec.clusterIP spec.type "},
};

static bool is_supported(const struct resource *resource, const char *field)
{
    char padded[80];
    int length = snprintf(padded, sizeof(padded), " %s ", field);
    if (length < 0 || (size_t)length >= sizeof(padded) || strchr(field, ' ') != NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof(supported) / sizeof(supported[0]); i++) {
        bool is_for_it = supported[i].resource == NULL || supported[i].resource == resource;
        if (is_for_it && strstr(supported[i].fields, padded) != NULL) {
            return true;
        }
    }
    return false;
}

/* Kinds with fields of their own, custom ones among them, have other words than the rest. */
static bool refuse(const struct resource *resource, const char *field, struct error *error)
{
    bool has_own = resource_is_custom(resource);
    for (size_t i = 0; i < sizeof(supported) / sizeof(supported[0]); i++) {
        has_own = has_own || supported[i].resource == resource;
    }
    return has_own ? error_set(error, ERROR_INVALID, "field label not supported: %s", field)
                   : error_set(error, ERROR_INVALID,
                               "\"%s\" is not a known field selector: only \"metadata.name\", "
                               "\"metadata.namespace\"",
                               field);
}

/* Up to the next comma that is not escaped; `\,` `\=` `\\` stand for the second character. */
static const char *take_term(struct filter *filter, const char **at, size_t *out_sign_at)
{
    char *term = arena_copy(&filter->arena, *at);
    char *to = term;
    const char *from = *at;
    *out_sign_at = SIZE_MAX;
    for (; *from != '\0' && *from != ','; from++) {
        bool is_escape = *from == '\\' && from[1] != '\0' && strchr("\\,=", from[1]) != NULL;
        if (!is_escape && (*from == '=' || *from == '!') && *out_sign_at == SIZE_MAX) {
            *out_sign_at = (size_t)(to - term);
        }
        from += is_escape ? 1 : 0;
        *to++ = *from;
    }
    *to = '\0';
    *at = *from == ',' ? from + 1 : from;
    return term;
}

static bool parse_term(struct filter *filter, const char *term, size_t sign_at,
                       struct requirement *requirement)
{
    if (sign_at == SIZE_MAX) {
        return false;
    }
    const char *sign = term + sign_at;
    bool is_not = *sign == '!';
    if (is_not && sign[1] != '=') {
        return false;
    }
    bool is_long = is_not || sign[1] == '=';
    requirement->is_field = true;
    requirement->kind = is_not ? REQUIRE_NONE_OF : REQUIRE_ONE_OF;
    requirement->key = arena_copy_bytes(&filter->arena, term, sign_at);
    requirement->values = arena_new(&filter->arena, 2, sizeof(const char *));
    requirement->values[0] = sign + (is_long ? 2 : 1);
    return true;
}

bool filter_parse_fields(struct filter *filter, const struct resource *resource, const char *fields,
                         struct error *error)
{
    const char *at = fields;
    while (*at != '\0') {
        size_t sign_at;
        const char *term = take_term(filter, &at, &sign_at);
        if (*term == '\0') {
            continue;
        }
        struct requirement *requirement = arena_new(&filter->arena, 1, sizeof(*requirement));
        if (!parse_term(filter, term, sign_at, requirement)) {
            return error_set(error, ERROR_INVALID,
                             "invalid field selector: '%s'; can't understand '%s'", fields, term);
        }
        if (!is_supported(resource, requirement->key)) {
            return refuse(resource, requirement->key, error);
        }
        requirement->next = filter->requirements;
        filter->requirements = requirement;
    }
    return true;
}
