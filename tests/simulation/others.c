/* SPDX-License-Identifier: Apache-2.0 */
/* Each has a PV of another driver, a PVC that is bound to it, a pod that uses that, and a Cluster
   whose PVC waits for a class that is not there. That nothing of it is written to is judged with
   each request (I22). */
#include "simulation/others.h"

#include "base/text.h"
#include "simulation/people.h"
#include "simulation/scene.h"

#include <stdio.h>

#define SLOT SCENE_STOCK "-1"

enum {
    PEOPLE_COUNT = 8,
    NAME_BYTES = 32,
    CHANGE_EACH_MS = 30 * 60 * 1000,
};

static void make_volume(struct trial *trial, const char *name)
{
    people_create(trial, &resource_persistent_volumes, NULL,
                  "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'%s'},'spec':{"
                  "'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                  "'persistentVolumeReclaimPolicy':'Retain','storageClassName':'others',"
                  "'claimRef':{'namespace':'" SCENE_OTHERS "','name':'%s'},"
                  "'nfs':{'server':'10.0.0.7','path':'/%s'}}}",
                  name, name, name);
}

static void make_claim(struct trial *trial, const char *namespace, const char *name)
{
    people_create(trial, &resource_persistent_volume_claims, namespace,
                  "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'%s'},"
                  "'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'others',"
                  "'resources':{'requests':{'storage':'1Gi'}}}}",
                  name);
}

static void make_pod(struct trial *trial, const char *name)
{
    people_create(trial, &resource_pods, SCENE_OTHERS,
                  "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s'},'spec':{"
                  "'containers':[{'name':'it','image':'busybox'}],'volumes':[{'name':'data',"
                  "'persistentVolumeClaim':{'claimName':'%s'}}]}}",
                  name, name);
}

static void make_cluster(struct trial *trial, const char *name)
{
    people_create(trial, &resource_clusters, SCENE_OTHERS,
                  "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':"
                  "'%s'},'spec':{'instances':1,'storage':{'size':'1Gi','storageClass':'absent'}}}",
                  name);
}

static void make_all(struct trial *trial, const char *name)
{
    make_volume(trial, name);
    make_claim(trial, SCENE_OTHERS, name);
    make_pod(trial, name);
    make_cluster(trial, name);
}

static void name_of(int64_t number, char out[NAME_BYTES])
{
    (void)snprintf(out, NAME_BYTES, SCENE_OTHERS "-%d", (int)number);
}

static void come(struct trial *trial, const char *name)
{
    if (!trial->is_over) {
        make_all(trial, name);
    }
}

static void go(struct trial *trial, const char *name)
{
    people_delete(trial, &resource_pods, SCENE_OTHERS, name);
    people_delete(trial, &resource_clusters, SCENE_OTHERS, name);
    people_delete(trial, &resource_persistent_volume_claims, SCENE_OTHERS, name);
    people_delete(trial, &resource_persistent_volumes, NULL, name);
}

void others_begin(struct trial *trial, int64_t for_ms)
{
    char name[NAME_BYTES];
    people_make_namespace(trial, SCENE_OTHERS);
    make_claim(trial, SCENE_POOLS, SLOT);
    for (int64_t i = 1; i <= PEOPLE_COUNT; i++) {
        name_of(i, name);
        make_all(trial, name);
    }
    for (int64_t i = 1; i * CHANGE_EACH_MS < for_ms; i++) {
        name_of(PEOPLE_COUNT + i, name);
        trial_at(trial, i * CHANGE_EACH_MS, come, name);
        trial_at(trial, i * CHANGE_EACH_MS + trial_draw(trial, 0, CHANGE_EACH_MS), go, name);
    }
}

bool others_have(const char *namespace, const char *name)
{
    return text_equal(namespace, SCENE_OTHERS) ||
           (text_equal(namespace, SCENE_POOLS) && text_equal(name, SLOT));
}

void others_judge(const struct trial *trial)
{
    const struct {
        const struct resource *resource;
        const char *namespace;
    } kinds[] = {{&resource_persistent_volumes, NULL},
                 {&resource_persistent_volume_claims, SCENE_OTHERS},
                 {&resource_pods, SCENE_OTHERS},
                 {&resource_clusters, SCENE_OTHERS}};
    char name[NAME_BYTES];
    for (int64_t i = 1; i <= PEOPLE_COUNT; i++) {
        name_of(i, name);
        for (size_t j = 0; j < sizeof(kinds) / sizeof(*kinds); j++) {
            if (people_see(trial, kinds[j].resource, kinds[j].namespace, name) == NULL) {
                judge_break(trial->judge, "I22: %s %s is gone", kinds[j].resource->plural, name);
            }
        }
    }
    if (people_see(trial, &resource_persistent_volume_claims, SCENE_POOLS, SLOT) == NULL) {
        judge_break(trial->judge, "I22: PVC " SLOT " of other people is gone");
    }
}
