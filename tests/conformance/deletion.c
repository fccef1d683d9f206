/* SPDX-License-Identifier: Apache-2.0 */
/* What the API server does by itself; the garbage collector's part is in garbage.c. */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define A MAPS "/a"
#define PODS "$core/pods"
#define POD(more)                                                                                  \
    "{'metadata':{'name':'a'},'spec':{" more                                                       \
    "'schedulerName':'nobody','containers':[{'name':'c','image':'i'}]}}"

static const struct scene scenes[] = {
    SCENE("what is gone at once is told as a Status",
          POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL), KEEP("uid", "metadata.uid"),
          DELETE(A, NULL, 200,
                 "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Success',"
                 "'details':{'name':'a','kind':'configmaps','uid':'$uid'}}"),
          GET(A, 404, NULL),
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          DELETE("$ours/instances/a", NULL, 200,
                 "{'kind':'Status','status':'Success','details':{'name':'a',"
                 "'group':'adjoint.dev','kind':'instances'}}")),
    SCENE("a claim is told as it was",
          POST("$core/persistentvolumeclaims",
               "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],"
               "'storageClassName':'$ns','resources':{'requests':{'storage':'1Gi'}}}}",
               201, NULL),
          DELETE("$core/persistentvolumeclaims/a", NULL, 200,
                 "{'kind':'PersistentVolumeClaim','metadata':{'deletionTimestamp':'*',"
                 "'finalizers':['kubernetes.io/pvc-protection']}}")),
    SCENE("foreground and orphan leave it to the collector",
          POST(MAPS, "{'metadata':{'name':'a','finalizers':['example.com/x']}}", 201, NULL),
          DELETE(A, "{'propagationPolicy':'Foreground'}", 200,
                 "{'metadata':{'deletionTimestamp':'*','finalizers':['some','foregroundDeletion',"
                 "'example.com/x']}}"),
          POST(MAPS, "{'metadata':{'name':'b','finalizers':['example.com/x']}}", 201, NULL),
          DELETE(MAPS "/b?propagationPolicy=Orphan", NULL, 200,
                 "{'metadata':{'finalizers':['some','orphan','example.com/x']}}"),
          POST(MAPS, "{'metadata':{'name':'c','finalizers':['example.com/x']}}", 201, NULL),
          DELETE(MAPS "/c", "{'propagationPolicy':'Background'}", 200,
                 "{'metadata':{'finalizers':['example.com/x']}}"),
          DELETE(MAPS "/c", "{'propagationPolicy':'Sometimes'}", 422, "{'reason':'Invalid'}"),
          MERGE(A, "{'metadata':{'finalizers':null}}", 200, NULL),
          MERGE(MAPS "/b", "{'metadata':{'finalizers':null}}", 200, NULL),
          MERGE(MAPS "/c", "{'metadata':{'finalizers':null}}", 200, NULL)),
    SCENE("a pod of a node gets its grace",
          AWAIT_POST(PODS, POD("'nodeName':'no-such-node',"), 201, NULL),
          DELETE(PODS "/a", NULL, 200,
                 "{'kind':'Pod','metadata':{'deletionTimestamp':'*',"
                 "'deletionGracePeriodSeconds':30}}"),
          GET(PODS "/a", 200, NULL),
          DELETE(PODS "/a", "{'gracePeriodSeconds':5}", 200,
                 "{'metadata':{'deletionGracePeriodSeconds':5}}"),
          DELETE(PODS "/a?gracePeriodSeconds=60", NULL, 200,
                 "{'metadata':{'deletionGracePeriodSeconds':5}}"),
          DELETE(PODS "/a", "{'gracePeriodSeconds':0}", 200, NULL), GET(PODS "/a", 404, NULL)),
    SCENE("a pod's own grace",
          AWAIT_POST(PODS, POD("'nodeName':'no-such-node','terminationGracePeriodSeconds':7,"), 201,
                     NULL),
          DELETE(PODS "/a", NULL, 200, "{'metadata':{'deletionGracePeriodSeconds':7}}"),
          DELETE(PODS "/a?gracePeriodSeconds=0", NULL, 200, NULL), GET(PODS "/a", 404, NULL)),
    SCENE("a pod of no node goes at once",
          AWAIT_POST(PODS, POD(""), 201, "{'status':{'phase':'Pending'}}"),
          DELETE(PODS "/a", NULL, 200, NULL), GET(PODS "/a", 404, NULL)),
    SCENE("a collection", POST(MAPS, "{'metadata':{'name':'a','labels':{'t':'1'}}}", 201, NULL),
          POST(MAPS, "{'metadata':{'name':'b','labels':{'t':'2'}}}", 201, NULL),
          DELETE(MAPS "?labelSelector=t%3D1", NULL, 200, NULL), GET(A, 404, NULL),
          GET(MAPS "/b", 200, NULL)),
    SCENES_END,
};

const struct topic topic_deletion = {.name = "deletion", .scenes = scenes};
