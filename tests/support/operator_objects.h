/* SPDX-License-Identifier: Apache-2.0 */
/* Objects for operator_fixture_put: a golden, Pool orders, one warm clone pvc-0, Alice's Instance.
 */
#ifndef ADJOINT_SUPPORT_OPERATOR_OBJECTS_H
#define ADJOINT_SUPPORT_OPERATOR_OBJECTS_H

#define OBJECTS_WALL_MS 1787392800000 /* 2026-08-22T10:00:00Z */

#define GOLDEN                                                                                     \
    "{'kind':'VolumeSnapshot','metadata':{'name':'golden','namespace':'pools','uid':'ug'},"        \
    "'status':{'readyToUse':true,'boundVolumeSnapshotContentName':'content'}}",                    \
        "{'kind':'VolumeSnapshotContent','metadata':{'name':'content'},"                           \
        "'spec':{'driver':'zfs.example'}}",                                                        \
        "{'kind':'StorageClass','metadata':{'name':'clone'},'provisioner':'zfs.example',"          \
        "'reclaimPolicy':'Delete','volumeBindingMode':'Immediate'}"
#define POOL(namespace, size)                                                                      \
    "{'kind':'Pool','metadata':{'name':'orders','namespace':'" namespace "','uid':'up','"          \
                                                                         "generation':1,'"         \
                                                                         "finalizers':['adjoint."  \
                                                                         "dev/"                    \
                                                                         "volumes']},'spec':{'"    \
                                                                         "golden':{"               \
                                                                         "'snapshot':'golden','"   \
                                                                         "systemID':'74'},'size'"  \
                                                                         ":" size ",'refill':{'"   \
                                                                         "maxInFlight':40},"       \
                                                                         "'database':'shop','"     \
                                                                         "owner':'clerk','"        \
                                                                         "storage':{'"             \
                                                                         "storageClassName':'"     \
                                                                         "clone'},"                \
                                                                         "'allowedNamespaces':{'"  \
                                                                         "from':'All'}}}"
#define CLONE                                                                                      \
    "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-0','namespace':'pools',"           \
    "'uid':'uh','finalizers':['kubernetes.io/pvc-protection'],'labels':{"                          \
    "'adjoint.dev/role':'holding','adjoint.dev/pool':'orders','adjoint.dev/pool-uid':'up'}},"      \
    "'spec':{'volumeName':'pvc-0'},'status':{'phase':'Bound'}}",                                   \
        "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','uid':'uv','labels':{"              \
        "'adjoint.dev/state':'warm','adjoint.dev/pool':'orders','adjoint.dev/pool-uid':'up',"      \
        "'adjoint.dev/pool-namespace':'pools'},'annotations':{'adjoint.dev/system-id':'74',"       \
        "'adjoint.dev/golden-uid':'ug',"                                                           \
        "'adjoint.dev/database':'shop','adjoint.dev/owner':'clerk'}},'spec':{"                     \
        "'persistentVolumeReclaimPolicy':'Delete','storageClassName':'clone','capacity':{"         \
        "'storage':'1Gi'},'accessModes':['ReadWriteOncePod'],'claimRef':{'namespace':'pools',"     \
        "'name':'orders-0','uid':'uh'}},'status':{'phase':'Bound'}}"
#define DEV "{'kind':'Namespace','metadata':{'name':'dev'}}"
#define ALICE                                                                                      \
    "{'kind':'Instance','metadata':{'name':'alice','namespace':'dev','uid':'ua','generation':1,"   \
    "'finalizers':['adjoint.dev/volumes']},'spec':{'pool':{'name':'orders',"                       \
    "'namespace':'pools'}}}"

#endif
