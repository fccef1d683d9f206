/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/instance_pod.h"

#include "api/cluster.h"
#include "cli/fetch.h"

#include <string.h>

/* Almost always "NAME-1", but a person may have changed the Cluster. */
bool instance_pod_find(struct cli *cli, const struct object *instance, struct arena *arena,
                       const char **out_pod, struct error *error)
{
    const struct object_meta *meta = &instance->meta;
    *out_pod = arena_print(arena, "%s-1", meta->name);
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_CLUSTER);
    if (!fetch_one(cli, meta->namespace, meta->name, &fetched, error)) {
        return error->class == ERROR_FORBIDDEN;
    }
    const char *primary = fetched.objects[0]->cluster->current_primary;
    if (primary != NULL) {
        *out_pod = arena_copy(arena, primary);
    }
    return true;
}

void instance_pod_use_reply(struct error *error, const char *refusal)
{
    if (error->http_status != 0) {
        reply_classify(METHOD_GET, error->http_status, 0, refusal, strlen(refusal), false, error);
    }
}
