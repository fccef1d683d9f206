/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/storage.h"
#include "conformance/topics.h"

#define MAPS "$core/configmaps"

static const struct scene scenes[] = {
    SCENE("from Active to gone",
          GET("$core", 200,
              "{'metadata':{'labels':{'kubernetes.io/metadata.name':'$ns'}},"
              "'spec':{'finalizers':['kubernetes']},'status':{'phase':'Active'}}"),
          POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          DELETE("$core", NULL, 200,
                 "{'kind':'Namespace','metadata':{'deletionTimestamp':'*'},"
                 "'status':{'phase':'Terminating'}}"),
          AWAIT("$core", 404, NULL), GET(MAPS, 200, "{'items':[]}"),
          GET("$ours/instances", 200, "{'items':[]}")),
    SCENE("what is held is said, and waited for",
          POST(MAPS, "{'metadata':{'name':'a','finalizers':['example.com/x']}}", 201, NULL),
          POST(MAPS, "{'metadata':{'name':'b'}}", 201, NULL), DELETE("$core", NULL, 200, NULL),
          AWAIT("$core", 200,
                "{'status':{'phase':'Terminating','conditions':['some',"
                "{'type':'NamespaceContentRemaining','status':'True',"
                "'reason':'SomeResourcesRemain','message':'Some resources are remaining: "
                "configmaps. has 1 resource instances'},"
                "{'type':'NamespaceFinalizersRemaining','status':'True',"
                "'reason':'SomeFinalizersRemain','message':'Some content in the namespace has "
                "finalizers remaining: example.com/x in 1 resource instances'},"
                "{'type':'NamespaceDeletionContentFailure','status':'False'}]}}"),
          GET(MAPS "/b", 404, NULL), GET(MAPS "/a", 200, "{'metadata':{'deletionTimestamp':'*'}}"),
          DELETE("$core", NULL, 200, "{'status':{'phase':'Terminating'}}"),
          MERGE(MAPS "/a", "{'metadata':{'finalizers':null}}", 200, NULL),
          AWAIT("$core", 404, NULL),
          POST("/api/v1/namespaces", "{'metadata':{'name':'$ns'}}", 201,
               "{'status':{'phase':'Active'}}"),
          GET(MAPS "/a", 404, NULL)),
    SCENE("its claims go, and their volumes are Released", MAKE_CLASS("Immediate"), MAKE_WARM,
          DELETE("$core", NULL, 200, NULL), AWAIT("$core", 404, NULL),
          AWAIT_VOLUME("v", "Released"),
          GET(VOLUME_PATH("v"), 200, "{'spec':{'claimRef':{'uid':'$holding'}}}")),
    SCENE("pods go before the rest",
          AWAIT_POST("$core/pods",
                     "{'metadata':{'name':'p'},'spec':{'nodeName':'no-such-node',"
                     "'containers':[{'name':'c','image':'i'}]}}",
                     201, NULL),
          POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL), DELETE("$core", NULL, 200, NULL),
          AWAIT("$core/pods/p", 200, "{'metadata':{'deletionTimestamp':'*'}}"), REST(LOOKS_MS),
          GET(MAPS "/a", 200, "{'metadata':{'deletionTimestamp':null}}"),
          DELETE("$core/pods/p", "{'gracePeriodSeconds':0}", 200, NULL), AWAIT("$core", 404, NULL)),
    SCENES_END,
};

const struct topic topic_namespaces = {.name = "namespaces", .scenes = scenes};
