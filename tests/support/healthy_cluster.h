/* SPDX-License-Identifier: Apache-2.0 */
/* A cluster that `adj doctor` has nothing to say against: a Pool golden/main with one warm clone,
   Instance dev/alice on another, an operator that leads, CloudNativePG. A test gives the replies
   that are other than that. */
#ifndef ADJOINT_SUPPORT_HEALTHY_CLUSTER_H
#define ADJOINT_SUPPORT_HEALTHY_CLUSTER_H

#include "support/test_adj.h"

/* A GET's, or a POST's of an access review. JSON as in fake_transport.h. */
struct healthy_reply {
    const char *path; /* NULL ends a list */
    int http_status;
    const char *json;
};

/* other: NULL for none. */
struct test_adj *healthy_cluster_new(const struct healthy_reply *other);

/* Runs `adj doctor` there with one more word (NULL: none), and expects the exit code and a part of
   what it prints. */
void assert_doctor_says(const struct healthy_reply *other, const char *word, int exit_code,
                        const char *part);
/* The same of one reply. */
void assert_doctor_says_of(const char *path, int http_status, const char *json, int exit_code,
                           const char *part);
/* stdout has it; fails the test with all of it. */
void assert_printed(const struct test_adj *adj, const char *part);

#define LIST_OF(objects) "{'metadata':{'resourceVersion':'9'},'items':[" objects "]}"

#define HEALTHY_POOLS "/apis/adjoint.dev/v1alpha1/pools"
#define HEALTHY_INSTANCES "/apis/adjoint.dev/v1alpha1/instances"
#define HEALTHY_VOLUMES "/api/v1/persistentvolumes"
#define HEALTHY_CLAIMS "/api/v1/persistentvolumeclaims"
#define HEALTHY_CLUSTERS "/apis/postgresql.cnpg.io/v1/clusters"
#define HEALTHY_SNAPSHOTS "/apis/snapshot.storage.k8s.io/v1/volumesnapshots"
#define HEALTHY_CONTENTS "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents"
#define HEALTHY_SNAPSHOT_CLASSES "/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses"
#define HEALTHY_CLASSES "/apis/storage.k8s.io/v1/storageclasses"
#define HEALTHY_LEASES "/apis/coordination.k8s.io/v1/leases"
#define HEALTHY_DEPLOYMENTS "/apis/apps/v1/deployments"
#define HEALTHY_SELF_REVIEWS "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
#define HEALTHY_REVIEWS "/apis/authorization.k8s.io/v1/subjectaccessreviews"

#define HEALTHY_POOL(meta, status)                                                                 \
    "{'metadata':{'name':'main','namespace':'golden','uid':'up','resourceVersion':'5',"            \
    "'generation':1,'finalizers':['adjoint.dev/volumes']" meta "},'spec':{'golden':{'snapshot':"   \
    "'snap'},'size':1,'storage':{'storageClassName':'fsx','size':'1Gi'},'allowedNamespaces':{"     \
    "'from':'All'}},'status':{'observedGeneration':1,'conditions':[" status "]}}"
#define HEALTHY_POOL_READY                                                                         \
    "{'type':'Ready','status':'True','reason':'Warm','message':'a claim would be served at once'," \
    "'observedGeneration':1,'lastTransitionTime':'2026-07-01T11:00:00Z'}"

#define HEALTHY_ALICE(meta, status)                                                                \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'ua','resourceVersion':'6',"              \
    "'generation':1,'finalizers':['other.dev/x','adjoint.dev/volumes']" meta "},'spec':{'pool':{"  \
    "'name':'main','namespace':'golden'}},'status':{" status "}}"
#define HEALTHY_ALICE_READY                                                                        \
    "'phase':'Ready','volume':{'name':'pv-1','handle':'fsvol-1'},'conditions':[{'type':'Ready',"   \
    "'status':'True','reason':'Ready','message':'m','observedGeneration':1,"                       \
    "'lastTransitionTime':'2026-07-01T11:00:00Z'}]"

/* more: members of spec behind the others, each with a comma in front. */
#define HEALTHY_VOLUME(name, handle, labels, policy, phase, claim)                                 \
    "{'metadata':{'name':'" name "','uid':'u-" name "','resourceVersion':'7','labels':{" labels    \
    "},'annotations':{'adjoint.dev/golden-uid':'us','adjoint.dev/system-id':'74',"                 \
    "'adjoint.dev/data-claim-uid':'uc'}},'spec':{'persistentVolumeReclaimPolicy':'" policy "',"    \
    "'storageClassName':'fsx','csi':{'driver':'fsx.openzfs.csi.aws.com','volumeHandle':'" handle   \
    "'}" claim "},'status':{'phase':'" phase "'}}"
#define HEALTHY_OF_POOL                                                                            \
    "'adjoint.dev/pool':'main','adjoint.dev/pool-namespace':'golden','adjoint.dev/pool-uid':'up'"
#define HEALTHY_OF_ALICE                                                                           \
    HEALTHY_OF_POOL ",'adjoint.dev/state':'claimed','adjoint.dev/instance':'alice',"               \
                    "'adjoint.dev/instance-namespace':'dev','adjoint.dev/instance-uid':'ua'"
#define HEALTHY_WARM_VOLUME                                                                        \
    "{'metadata':{'name':'pv-0','uid':'u-pv-0','resourceVersion':'7','labels':{" HEALTHY_OF_POOL   \
    ",'adjoint.dev/state':'warm'},'annotations':{'adjoint.dev/golden-uid':'us',"                   \
    "'adjoint.dev/system-id':'74'}},'spec':{'persistentVolumeReclaimPolicy':'Delete',"             \
    "'storageClassName':'fsx','csi':{'driver':'fsx.openzfs.csi.aws.com','volumeHandle':"           \
    "'fsvol-0'},'claimRef':{'namespace':'golden','name':'main-0','uid':'uh'}},"                    \
    "'status':{'phase':'Bound'}}"
#define HEALTHY_ALICES_VOLUME                                                                      \
    HEALTHY_VOLUME("pv-1", "fsvol-1", HEALTHY_OF_ALICE, "Retain", "Bound",                         \
                   ",'claimRef':{'namespace':'dev','name':'alice-1','uid':'uc'}")
#define HEALTHY_GOLDENS_VOLUME                                                                     \
    HEALTHY_VOLUME("pv-golden", "fsvol-g", "", "Retain", "Bound",                                  \
                   ",'claimRef':{'namespace':'golden','name':'production-1','uid':'ug'}")
#define HEALTHY_ALL_VOLUMES HEALTHY_WARM_VOLUME "," HEALTHY_ALICES_VOLUME "," HEALTHY_GOLDENS_VOLUME

#define HEALTHY_HOLDING(meta)                                                                      \
    "{'metadata':{'name':'main-0','namespace':'golden','uid':'uh','resourceVersion':'8',"          \
    "'labels':{'adjoint.dev/role':'holding','adjoint.dev/pool':'main','adjoint.dev/pool-uid':"     \
    "'up'}" meta "},'spec':{'volumeName':'pv-0'},'status':{'phase':'Bound'}}"
#define HEALTHY_DATA_CLAIM(name, instance, uid, volume)                                            \
    "{'metadata':{'name':'" name "','namespace':'dev','uid':'uc','resourceVersion':'8',"           \
    "'labels':{'adjoint.dev/role':'data','adjoint.dev/instance':'" instance                        \
    "','adjoint.dev/instance-uid':'" uid "'}},'spec':{" volume "},'status':{'phase':'Bound'}}"

#define HEALTHY_CLASS(parameters)                                                                  \
    "{'metadata':{'name':'fsx','resourceVersion':'3'},'provisioner':'fsx.openzfs.csi.aws.com',"    \
    "'reclaimPolicy':'Delete','volumeBindingMode':'Immediate','parameters':{" parameters "}}"
#define HEALTHY_PARAMETERS(origin, exports)                                                        \
    "'ResourceType':'volume','OriginSnapshot':'" origin "','NfsExports':'" exports "'"
/* JSON inside of JSON; ' becomes ". */
#define HEALTHY_ORIGIN "{\\'CopyStrategy\\':\\'CLONE\\'}"
#define HEALTHY_EXPORTS(options)                                                                   \
    "[{\\'ClientConfigurations\\':[{\\'Clients\\':\\'*\\',\\'Options\\':[" options "]}]}]"
#define HEALTHY_OPTIONS "\\'rw\\',\\'crossmnt\\',\\'no_root_squash\\'"
#define HEALTHY_HANDOFF                                                                            \
    "{'metadata':{'name':'adjoint-handoff','resourceVersion':'3'},'provisioner':"                  \
    "'kubernetes.io/no-provisioner','volumeBindingMode':'WaitForFirstConsumer'}"

#define HEALTHY_CONTENT(policy, more)                                                              \
    "{'metadata':{'name':'content','resourceVersion':'4'},'spec':{'driver':"                       \
    "'fsx.openzfs.csi.aws.com','deletionPolicy':'" policy                                          \
    "','source':{'volumeHandle':'fsvol-g'}" more "}}"

#define HEALTHY_LEASE(namespace, holder, renewed)                                                  \
    "{'metadata':{'name':'adjoint-operator','namespace':'" namespace "','resourceVersion':'2'},'"  \
                                                                     "spec':{'holderIdentity':"    \
                                                                     "'" holder                    \
                                                                     "','leaseDurationSeconds':"   \
                                                                     "15,'renewTime':'" renewed    \
                                                                     "'}}"

#define HEALTHY_DEPLOYMENT(image, ready, container)                                                \
    "{'metadata':{'name':'cnpg-controller-manager','namespace':'cnpg-system','labels':{"           \
    "'app.kubernetes.io/name':'cloudnative-pg'}},'spec':{"                                         \
    "'template':{'spec':{'containers':[{'name':'manager','image':'" image "'" container            \
    "}]}}},'status':{'readyReplicas':" ready "}}"
#define HEALTHY_IMAGE "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0"

#endif
