/* SPDX-License-Identifier: Apache-2.0 */
/* Adoption of PVCs that nobody owns, as for a Cluster that is restored with its volumes
   (cluster_restore.go). It is two writes, first the Cluster's status, then the PVCs: a process
   that dies between them leaves a Cluster that counts as bootstrapped and owns nothing. */
#include "sim/cnpg_ward.h"

#include "base/text.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <string.h>

static const char *const services[] = {"-rw", "-ro", "-r"};
enum { SERVICE_COUNT = sizeof services / sizeof *services };

/* Of PVCs with the Cluster's label. What is skipped: any owner at all, no serial. A PVC that is
   being deleted, or lost, is not. */
static bool is_orphan(const cJSON *claim)
{
    const cJSON *owners = value_at(claim, "metadata", "ownerReferences", NULL);
    return cJSON_GetArraySize(owners) == 0 && value_annotation(claim, CNPG_SERIAL) != NULL;
}

static bool serial_of(const cJSON *claim, int64_t *out_serial)
{
    struct error error;
    return text_parse_int64(value_annotation(claim, CNPG_SERIAL), out_serial, &error);
}

/* false: one has a serial that is no number, an error for ever. The primary's is the labelled
   one's, else the highest. */
static bool find_orphans(struct ward *ward, int64_t *out_primary)
{
    int64_t highest = 0;
    int64_t primary = 0;
    size_t at = 0;
    const struct record *claim;
    while ((claim = ward_next(ward, &resource_persistent_volume_claims, &at)) != NULL) {
        int64_t serial = 0;
        if (!is_orphan(claim->value) || ward->orphan_count == CNPG_ORPHANS_MAX) {
            continue;
        }
        if (!serial_of(claim->value, &serial)) {
            return false;
        }
        highest = serial > highest ? serial : highest;
        primary =
            text_equal(value_label(claim->value, CNPG_LABEL_OF_ROLE), "primary") ? serial : primary;
        ward->orphans[ward->orphan_count++] = record_keep(claim);
    }
    *out_primary = primary != 0 ? primary : highest;
    return true;
}

/* Begins the adoption, if there is one: pods that nobody owns are in its way. */
enum verdict cnpg_step_restore_pods(struct ward *ward)
{
    if (ward->round == 0 && !ward_is_initialized(ward) &&
        !find_orphans(ward, &ward->primary_serial)) {
        return FAILED;
    }
    if (ward->orphan_count == 0) {
        return GO_ON;
    }
    size_t at = 0;
    size_t seen = 0;
    const struct record *pod;
    while ((pod = ward_next(ward, &resource_pods, &at)) != NULL) {
        bool is_ours = text_equal(value_label(pod->value, CNPG_LABEL_OF_CLUSTER), ward->name);
        bool is_owned =
            cJSON_GetArraySize(value_at(pod->value, "metadata", "ownerReferences", NULL)) > 0;
        if (is_ours && !is_owned && seen++ == ward->round) {
            return ward_delete(ward, pod, ward_judge_again);
        }
    }
    return GO_ON;
}

enum verdict cnpg_step_restore_fence(struct ward *ward)
{
    if (ward->orphan_count == 0 ||
        value_annotation(ward->cluster->value, "cnpg.io/fencedInstances") == NULL) {
        return GO_ON;
    }
    return ward_patch(ward, ward->cluster, NULL,
                      draft("{'metadata':{'annotations':{'cnpg.io/fencedInstances':null}}}", NULL),
                      NULL);
}

/* One that nobody owns goes; one that somebody else owns stops the adoption, for ever. */
enum verdict cnpg_step_restore_services(struct ward *ward)
{
    if (ward->orphan_count == 0 || ward->round == SERVICE_COUNT) {
        return GO_ON;
    }
    cleanup_text struct text name;
    text_init(&name, CNPG_NAME_BYTES_MAX);
    text_print(&name, "%s%s", ward->name, services[ward->round]);
    const struct record *service =
        view_get(ward->cnpg->view, &resource_services, ward->namespace, name.bytes);
    if (service == NULL || ward_owns(ward, service->value)) {
        return AGAIN;
    }
    const cJSON *owners = value_at(service->value, "metadata", "ownerReferences", NULL);
    if (cJSON_GetArraySize(owners) > 0) {
        return FAILED;
    }
    return ward_delete(ward, service, ward_judge_again);
}

static enum verdict judge_status(struct ward *ward, const struct outcome *outcome)
{
    if (outcome_ok(outcome) && ward->cnpg->misfortune->cnpg_restarts) {
        cnpg_restart(ward->cnpg);
        return SENT; /* what is sent from here on is never answered */
    }
    return ward_judge(ward, outcome);
}

enum verdict cnpg_step_restore_status(struct ward *ward)
{
    if (ward->orphan_count == 0) {
        return GO_ON;
    }
    const struct condition_of initialized = {.type = "Initialized",
                                             .is_true = true,
                                             .reason = "BootstrapCompleted",
                                             .message = "Cluster has been bootstrapped"};
    char primary[CNPG_NAME_BYTES_MAX];
    ward_instance_name(ward, ward->primary_serial, primary);
    cJSON *status;
    cJSON *cluster = ward_draft(ward, &status);
    condition_set(status, &initialized, ward_wall_ms(ward));
    cJSON *patch = draft("{'status':{'targetPrimary':'$1'}}", primary, NULL);
    value_set(value_at(patch, "status", NULL), "conditions",
              cJSON_DetachItemFromObjectCaseSensitive(status, "conditions"));
    cJSON_Delete(cluster);
    return ward_patch(ward, ward->cluster, "status", patch, judge_status);
}

/* A PVC that is gone by now is an error, not a thing less to do. */
static enum verdict judge_claim(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) ? AGAIN : ward_judge(ward, outcome);
}

enum verdict cnpg_step_restore_claims(struct ward *ward)
{
    if (ward->round >= ward->orphan_count) {
        return GO_ON;
    }
    cJSON *patch = draft("{'metadata':{'annotations':{'" CNPG_STATUS_OF_PVC "':'ready',"
                         "'cnpg.io/hibernateClusterManifest':null,"
                         "'cnpg.io/hibernatePgControlData':null,'cnpg.io/clusterManifest':null,"
                         "'cnpg.io/pgControldata':null}}}",
                         NULL);
    ward_mark(ward, patch);
    const struct record *claim = ward->orphans[ward->round];
    world_trace(ward->cnpg->world, "cnpg adopts %s/%s", claim->namespace, claim->name);
    return ward_patch(ward, claim, NULL, patch, judge_claim);
}
