/* SPDX-License-Identifier: Apache-2.0 */
/* The first instance of a Cluster that has none and adopted none (createPrimaryInstance of
   cluster_create.go): a PVC of its own and a Job that fills it, unless the bootstrap's source is
   not there, which is waited for before anything is made. Where the PVC's name is taken by one
   that the cache did not show, versions up to 1.30.0 go on and run the Job on that one. */
#include "sim/cnpg_ward.h"

#include "base/text.h"
#include "sim/draft.h"
#include "sim/value.h"

enum { SOURCE_LOOP_MS = 5000, BACKUP_LOOP_MS = 60000, NEXT_LOOP_MS = 1000, JOB_LOOP_MS = 30000 };

static const cJSON *recovery_of(const struct ward *ward)
{
    return value_at(ward->cluster->value, "spec", "bootstrap", "recovery", NULL);
}

static enum verdict judge_refusal(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) ? DONE : ward_judge(ward, outcome);
}

static enum verdict refuse(struct ward *ward)
{
    enum verdict verdict = ward_register_phase(
        ward, CNPG_PHASE_UNRECOVERABLE,
        "One or more instances were previously created, but no PersistentVolumeClaims (PVCs) "
        "exist. The cluster is in an unrecoverable state.",
        judge_refusal);
    return verdict == GO_ON ? DONE : verdict;
}

/* Backups do not exist here: who names one waits. */
enum verdict cnpg_step_first_primary(struct ward *ward)
{
    if (value_int64(ward->cluster->value, 0, "status", "instances", NULL) != 0) {
        return GO_ON;
    }
    if (ward_is_initialized(ward)) {
        return refuse(ward);
    }
    const cJSON *recovery = recovery_of(ward);
    const char *snapshot = value_text(recovery, "volumeSnapshots", "storage", "name", NULL);
    if (recovery != NULL && snapshot == NULL) {
        return ward_later(ward, BACKUP_LOOP_MS);
    }
    if (snapshot != NULL &&
        view_get(ward->cnpg->view, &resource_volume_snapshots, ward->namespace, snapshot) == NULL) {
        return ward_later(ward, SOURCE_LOOP_MS);
    }
    ward->makes_first = true;
    return GO_ON;
}

static enum verdict judge_claim(struct ward *ward, const struct outcome *outcome)
{
    if (!text_equal(outcome->reason, "AlreadyExists")) {
        return ward_judge(ward, outcome);
    }
    if (ward->cnpg->misfortune->cnpg_swallows_exists) {
        world_trace(ward->cnpg->world, "cnpg takes %s-1 for its own", ward->key);
        return GO_ON;
    }
    return ward_later(ward, NEXT_LOOP_MS);
}

enum verdict cnpg_step_first_claim(struct ward *ward)
{
    if (!ward->makes_first) {
        return GO_ON;
    }
    const cJSON *storage = value_at(ward->cluster->value, "spec", "storage", NULL);
    const char *size = value_text(storage, "size", NULL);
    char instance[CNPG_NAME_BYTES_MAX];
    ward_instance_name(ward, 1, instance);
    cJSON *claim = draft(
        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'$1','labels':{"
        "'cnpg.io/instanceName':'$1','cnpg.io/pvcRole':'PG_DATA','cnpg.io/instanceRole':'primary',"
        "'role':'primary'},'annotations':{'cnpg.io/nodeSerial':'1',"
        "'cnpg.io/pvcStatus':'initializing'}},'spec':{'accessModes':['ReadWriteOnce'],"
        "'resources':{'requests':{'storage':'$2'}}}}",
        instance, size == NULL ? "1Gi" : size, NULL);
    ward_mark(ward, claim);
    cJSON *spec = value_at(claim, "spec", NULL);
    value_set_text(spec, "storageClassName", value_text(storage, "storageClass", NULL));
    const char *snapshot =
        value_text(recovery_of(ward), "volumeSnapshots", "storage", "name", NULL);
    if (snapshot != NULL) {
        value_set(spec, "dataSource",
                  draft("{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot',"
                        "'name':'$1'}",
                        snapshot, NULL));
    }
    return ward_create(ward, &resource_persistent_volume_claims, claim, judge_claim);
}

enum verdict cnpg_step_first_target(struct ward *ward)
{
    if (!ward->makes_first) {
        return GO_ON;
    }
    char instance[CNPG_NAME_BYTES_MAX];
    ward_instance_name(ward, 1, instance);
    return ward_patch(ward, ward->cluster, "status",
                      draft("{'status':{'targetPrimary':'$1'}}", instance, NULL), NULL);
}

enum verdict cnpg_step_first_phase(struct ward *ward)
{
    if (!ward->makes_first) {
        return GO_ON;
    }
    cleanup_text struct text reason;
    text_init(&reason, CNPG_NAME_BYTES_MAX);
    text_print(&reason, "Creating primary instance %s-1", ward->name);
    enum verdict verdict = ward_register_phase(ward, CNPG_PHASE_FIRST_PRIMARY, reason.bytes, NULL);
    return verdict;
}

static enum verdict judge_job(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) || text_equal(outcome->reason, "AlreadyExists")
               ? ward_later(ward, JOB_LOOP_MS)
               : FAILED;
}

enum verdict cnpg_step_first_job(struct ward *ward)
{
    if (!ward->makes_first) {
        return GO_ON;
    }
    const char *role = recovery_of(ward) != NULL ? "snapshot-recovery" : "initdb";
    char instance[CNPG_NAME_BYTES_MAX];
    ward_instance_name(ward, 1, instance);
    cJSON *job = draft(
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'$1-$2','labels':{"
        "'cnpg.io/instanceName':'$1','cnpg.io/jobRole':'$2'}},'spec':{'backoffLimit':0,"
        "'template':{'metadata':{'labels':{'cnpg.io/cluster':'$3','cnpg.io/instanceName':'$1',"
        "'cnpg.io/jobRole':'$2'}},'spec':{'restartPolicy':'Never','containers':[{'name':'$2',"
        "'image':'postgres','command':['/controller/manager','instance','init']}],"
        "'volumes':[{'name':'pgdata','persistentVolumeClaim':{'claimName':'$1'}}]}}}}",
        instance, role, ward->name, NULL);
    ward_mark(ward, job);
    return ward_create(ward, &resource_jobs, job, judge_job);
}
