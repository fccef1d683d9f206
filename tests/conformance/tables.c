/* SPDX-License-Identifier: Apache-2.0 */
/* What kubectl shows. */
#include "conformance/topics.h"

#define TABLE "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
#define POOL                                                                                       \
    "{'kind':'Pool','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"                  \
    "'spec':{'golden':{'snapshot':'g'},'storage':{'storageClassName':'c'},'size':3,"               \
    "'allowedNamespaces':{'from':'All'}}}"

static const struct scene scenes[] = {
    SCENE("of custom objects, by the columns of their definition",
          POST("$ours/pools", POOL, 201, NULL),
          MERGE("$ours/pools/a/status",
                "{'status':{'warm':2,'conditions':[{'type':'Ready',"
                "'status':'True','reason':'Warm','message':'m',"
                "'lastTransitionTime':'2025-06-01T10:00:00Z'}]}}",
                200, NULL),
          GET_AS(TABLE, "$ours/pools", 200,
                 "{'kind':'Table','apiVersion':'meta.k8s.io/v1','metadata':{'resourceVersion':'*'},"
                 "'columnDefinitions':['some',{'name':'Name','type':'string','format':'name',"
                 "'priority':0},{'name':'Ready','type':'string','priority':0},"
                 "{'name':'Size','type':'integer'},{'name':'Age','type':'date'}],"
                 "'rows':[{'object':{'kind':'PartialObjectMetadata',"
                 "'apiVersion':'meta.k8s.io/v1','metadata':{'name':'a','namespace':'$ns'}}}]}"),
          GET_AS(TABLE, "$ours/pools/a", 200,
                 "{'kind':'Table','rows':[{'object':{'metadata':{'name':'a'}}}]}"),
          GET_AS(TABLE, "$ours/pools/a?includeObject=None", 200, "{'rows':[{'object':null}]}"),
          GET_AS(TABLE, "$ours/pools/a?includeObject=Object", 200,
                 "{'rows':[{'object':{'kind':'Pool','spec':{'size':3}}}]}")),
    SCENE("cells in the order of the columns",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'p','namespace':'b'}}}",
               201, NULL),
          MERGE("$ours/instances/a/status", "{'status':{'phase':'Waiting','queue':{'position':3}}}",
                200, NULL),
          GET_AS(TABLE, "$ours/instances/a", 200,
                 "{'columnDefinitions':[{'name':'Name'},{'name':'Phase'},{'name':'Pool'},"
                 "{'name':'Volume','priority':1},{'name':'Position','priority':1},"
                 "{'name':'ETA','priority':1},{'name':'Reason'},{'name':'Expires','priority':1},"
                 "{'name':'Age'}],"
                 "'rows':[{'cells':['a','Waiting','p',null,3,null,null,null,'*']}]}")),
    SCENE("of built-in objects",
          POST("$core/configmaps", "{'metadata':{'name':'a'},'data':{'x':'1','y':'2'}}", 201, NULL),
          GET_AS(TABLE, "$core/configmaps/a", 200,
                 "{'columnDefinitions':[{'name':'Name'},{'name':'Data'},{'name':'Age'}],"
                 "'rows':[{'cells':['a',2,'*']}]}"),
          POST("$core/persistentvolumeclaims",
               "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],"
               "'storageClassName':'$ns','resources':{'requests':{'storage':'1Gi'}}}}",
               201, NULL),
          GET_AS(TABLE, "$core/persistentvolumeclaims/a", 200,
                 "{'columnDefinitions':[{'name':'Name'},{'name':'Status'},{'name':'Volume'},"
                 "{'name':'Capacity'},{'name':'Access Modes'},{'name':'StorageClass'},"
                 "{'name':'VolumeAttributesClass'},{'name':'Age'},{'name':'VolumeMode',"
                 "'priority':1}],"
                 "'rows':[{'cells':['a','Pending','','','','$ns','*','*','Filesystem']}]}"),
          POST("$volumes",
               "{'metadata':{'name':'$ns'},'spec':{'accessModes':['ReadWriteOnce'],"
               "'capacity':{'storage':'1Gi'},'storageClassName':'$ns-other',"
               "'claimRef':{'namespace':'x','name':'y'},"
               "'csi':{'driver':'nobody.example.com','volumeHandle':'$ns'}}}",
               201, NULL),
          AWAIT("$volumes/$ns", 200, "{'status':{'phase':'Available'}}"),
          GET_AS(TABLE, "$volumes/$ns", 200,
                 "{'columnDefinitions':[{'name':'Name'},{'name':'Capacity'},"
                 "{'name':'Access Modes'},{'name':'Reclaim Policy'},{'name':'Status'},"
                 "{'name':'Claim'},{'name':'StorageClass'},{'name':'VolumeAttributesClass'},"
                 "{'name':'Reason'},{'name':'Age'},{'name':'VolumeMode','priority':1}],"
                 "'rows':[{'cells':['$ns','1Gi','RWO','Retain','Available','x/y','$ns-other','*',"
                 "'','*','Filesystem']}]}")),
    SCENE("an empty one", GET_AS(TABLE, "$ours/pools", 200, "{'kind':'Table','rows':[]}")),
    SCENE("an error stays a Status",
          GET_AS(TABLE, "$ours/pools/a", 404, "{'kind':'Status','reason':'NotFound'}")),
    SCENE("metadata alone",
          POST("$core/configmaps", "{'metadata':{'name':'a'},'data':{'x':'1'}}", 201, NULL),
          GET_AS("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
                 "$core/configmaps/a", 200,
                 "{'kind':'PartialObjectMetadata','apiVersion':'meta.k8s.io/v1',"
                 "'metadata':{'name':'a'},'data':null}"),
          GET_AS("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                 "$core/configmaps?fieldSelector=metadata.name%3Da", 200,
                 "{'kind':'PartialObjectMetadataList','items':[{'metadata':{'name':'a'},"
                 "'data':null}]}")),
    SCENES_END,
};

const struct topic topic_tables = {.name = "tables", .scenes = scenes};
