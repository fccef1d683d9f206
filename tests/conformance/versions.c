/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define OURS MAPS "?labelSelector=t"

static const struct scene scenes[] = {
    SCENE("a write that changes something makes a version",
          POST(MAPS, "{'metadata':{'name':'a','labels':{'t':''}},'data':{'x':'1'}}", 201, NULL),
          KEEP("first", "metadata.resourceVersion"),
          GET(MAPS "/a", 200, "{'metadata':{'resourceVersion':'$first'}}"),
          MERGE(MAPS "/a", "{'data':{'x':'1'}}", 200, "{'metadata':{'resourceVersion':'$first'}}"),
          PUT(MAPS "/a", "{'metadata':{'name':'a','labels':{'t':''}},'data':{'x':'1'}}", 200,
              "{'metadata':{'resourceVersion':'$first'}}"),
          MERGE(MAPS "/a", "{'data':{'x':'2'}}", 200, NULL),
          KEEP("second", "metadata.resourceVersion"),
          GET(MAPS "/a", 200, "{'metadata':{'resourceVersion':'$second'},'data':{'x':'2'}}"),
          WATCH(OURS "&watch=1&resourceVersion=$first"),
          HEAR("{'type':'MODIFIED','object':{'metadata':{'resourceVersion':'$second'}}}")),
    SCENE("metadata that stays",
          POST(MAPS,
               "{'metadata':{'name':'a','uid':'b','creationTimestamp':'2001-01-01T00:00:00Z',"
               "'deletionTimestamp':'2001-01-01T00:00:00Z'}}",
               201,
               "{'metadata':{'uid':'~-','creationTimestamp':'~202','deletionTimestamp':null}}"),
          KEEP("uid", "metadata.uid"), KEEP("created", "metadata.creationTimestamp"),
          MERGE(MAPS "/a", "{'metadata':{'creationTimestamp':'2001-01-01T00:00:00Z'}}", 200,
                "{'metadata':{'uid':'$uid','creationTimestamp':'$created'}}"),
          PUT(MAPS "/a", "{'metadata':{'name':'a'},'data':{'x':'1'}}", 200,
              "{'metadata':{'uid':'$uid','creationTimestamp':'$created'}}"),
          DELETE(MAPS "/a", NULL, 200, NULL), POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          KEEP("other", "metadata.uid"),
          DELETE(MAPS "/a", "{'preconditions':{'uid':'$uid'}}", 409, NULL)),
    SCENE("an object may not be made with a version",
          POST(MAPS, "{'metadata':{'name':'a','resourceVersion':'5'}}", 500,
               "{'message':'resourceVersion should not be set on objects to be created'}")),
    SCENE("updates without a version", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          PUT(MAPS "/a", "{'metadata':{'name':'a'},'data':{'x':'1'}}", 200, NULL),
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          PUT("$ours/instances/a",
              "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
              "'spec':{'pool':{'name':'a','namespace':'b'}}}",
              422,
              "{'reason':'Invalid','message':'~metadata.resourceVersion: Invalid value: 0: must be "
              "specified for an update'}"),
          POST("/apis/coordination.k8s.io/v1/namespaces/$ns/leases",
               "{'metadata':{'name':'a'},'spec':{'holderIdentity':'x'}}", 201, NULL),
          PUT("/apis/coordination.k8s.io/v1/namespaces/$ns/leases/a",
              "{'metadata':{'name':'a'},'spec':{'holderIdentity':'y'}}", 422,
              "{'message':'~metadata.resourceVersion: Invalid value: 0: must be specified for an "
              "update'}")),
    SCENE("generation counts what is not metadata and not status",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, "{'metadata':{'generation':1}}"),
          MERGE("$ours/instances/a", "{'metadata':{'labels':{'x':'y'}}}", 200,
                "{'metadata':{'generation':1}}"),
          MERGE("$ours/instances/a", "{'spec':{'deletionPolicy':'Retain'}}", 200,
                "{'metadata':{'generation':2}}"),
          MERGE("$ours/instances/a/status", "{'status':{'phase':'Ready'}}", 200,
                "{'metadata':{'generation':2}}"),
          MERGE("$ours/instances/a", "{'spec':{'deletionPolicy':'Retain'}}", 200,
                "{'metadata':{'generation':2}}")),
    SCENE("lists of a version",
          POST(MAPS, "{'metadata':{'name':'a','labels':{'t':''}},'data':{'x':'1'}}", 201, NULL),
          GET(OURS, 200,
              "{'kind':'ConfigMapList','metadata':{'resourceVersion':'*'},"
              "'items':[{'metadata':{'name':'a'},'kind':null,'apiVersion':null}]}"),
          KEEP("list", "metadata.resourceVersion"),
          MERGE(MAPS "/a", "{'data':{'x':'2'}}", 200, NULL),
          GET(OURS "&resourceVersion=$list&resourceVersionMatch=NotOlderThan", 200, NULL),
          GET(OURS "&resourceVersion=$list&resourceVersionMatch=Exact", 200,
              "{'metadata':{'resourceVersion':'$list'},'items':[{'data':{'x':'1'}}]}"),
          GET(OURS, 200, "{'items':[{'data':{'x':'2'}}]}"),
          GET(OURS "&resourceVersion=0&resourceVersionMatch=Exact", 422, "{'reason':'Invalid'}"),
          GET(OURS "&resourceVersionMatch=Exact", 422, "{'reason':'Invalid'}"),
          GET(OURS "&resourceVersion=abc", 400, "{'reason':'BadRequest'}")),
    SCENE("a version that is forgotten",
          POST(MAPS, "{'metadata':{'name':'a','labels':{'t':''}}}", 201, NULL),
          GET(OURS, 200, NULL), KEEP("list", "metadata.resourceVersion"),
          MERGE(MAPS "/a", "{'data':{'x':'2'}}", 200, NULL), COMPACT,
          AWAIT(OURS "&resourceVersion=$list&resourceVersionMatch=Exact", 410,
                "{'reason':'Expired','code':410}"),
          GET(OURS "&resourceVersion=$list", 200, "{'items':[{'data':{'x':'2'}}]}")),
    SCENE("a version to come",
          GET(MAPS "?resourceVersion=100000000", 504,
              "{'reason':'Timeout','code':504,'message':'~Too large resource version: 100000000, "
              "current: ','details':{'retryAfterSeconds':1,'causes':["
              "{'reason':'ResourceVersionTooLarge','message':'Too large resource version'}]}}"),
          GET(MAPS "/a?resourceVersion=100000000", 504, "{'reason':'Timeout'}")),
    SCENES_END,
};

const struct topic topic_versions = {.name = "resource versions", .scenes = scenes};
