/* SPDX-License-Identifier: Apache-2.0 */
/* A key whose last look failed is not added again by events: it comes back by its back-off, which
   is why a claim can wait five minutes after all is well again. */
#include "sim/provisioner.h"

#include "base/memory.h"
#include "sim/provisioner_state.h"

#include <inttypes.h>
#include <stdio.h>

static const char ACTOR[] = "system:serviceaccount:kube-system:fsx-openzfs-csi-controller-sa";

enum { WORKER_COUNT = 100, REQUESTS_A_SECOND = 5, BURST = 10 };

static const struct resource *const RESOURCES[] = {&resource_persistent_volume_claims,
                                                   &resource_persistent_volumes,
                                                   &resource_storage_classes, NULL};

void provisioner_claim_key(const struct record *claim, char out_key[PROVISIONER_KEY_BYTES])
{
    (void)snprintf(out_key, PROVISIONER_KEY_BYTES, "%s/%s/%s", claim->namespace, claim->name,
                   claim->uid);
}

static void add(struct workers *workers, const char *key)
{
    if (!workers_has_failed(workers, key)) {
        workers_add(workers, key);
    }
}

static void has_changed(void *self, const struct record *before, const struct record *after)
{
    struct provisioner *provisioner = self;
    (void)before;
    if (after == NULL) {
        return;
    }
    if (after->resource == &resource_persistent_volumes) {
        add(provisioner->volumes, after->name);
    } else if (after->resource == &resource_persistent_volume_claims) {
        char key[PROVISIONER_KEY_BYTES];
        provisioner_claim_key(after, key);
        add(provisioner->claims, key);
    }
}

struct provisioner *provisioner_new(struct apiserver *server, struct fsx_driver *driver,
                                    const struct pace *pace, enum provisioner_version version)
{
    struct provisioner *provisioner = memory_new(1, sizeof(*provisioner));
    struct world *world = apiserver_world(server);
    *provisioner = (struct provisioner){
        .server = server, .world = world, .driver = driver, .pace = pace, .version = version};
    (void)snprintf(provisioner->identity, sizeof(provisioner->identity),
                   "%" PRId64 "-%" PRId64 "-%s", world_now(world).wall_ms,
                   world_between(world, "provisioner", 0, 9999), FSX_DRIVER_NAME);
    const struct caller_options client = {.actor = ACTOR,
                                          .requests_a_second = REQUESTS_A_SECOND,
                                          .burst = BURST,
                                          .latency = &pace->api_latency};
    provisioner->caller = caller_new(server, &client);
    provisioner->recorder =
        recorder_new(server, provisioner->caller, FSX_DRIVER_NAME "_provisioner");
    const struct workers_options many = {.count = WORKER_COUNT,
                                         .backoff_ms_min = PROVISIONER_RETRY_MS_MIN,
                                         .backoff_ms_max = PROVISIONER_RETRY_MS_MAX};
    provisioner->claims = workers_new(world, &many, provisioner_look_at_claim, provisioner);
    provisioner->volumes = workers_new(world, &many, provisioner_look_at_volume, provisioner);
    provisioner->view = view_new(server, "provisioner", RESOURCES, has_changed, provisioner);
    return provisioner;
}

void provisioner_free(struct provisioner *provisioner)
{
    if (provisioner == NULL) {
        return;
    }
    view_free(provisioner->view);
    workers_free(provisioner->claims);
    workers_free(provisioner->volumes);
    while (provisioner->first_creation != NULL) {
        creation_free(provisioner->first_creation);
    }
    while (provisioner->first_deletion != NULL) {
        deletion_free(provisioner->first_deletion);
    }
    recorder_free(provisioner->recorder);
    caller_free(provisioner->caller);
    memory_free(provisioner);
}

struct view *provisioner_view(struct provisioner *provisioner)
{
    return provisioner->view;
}
