/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define DRY "?dryRun=All"

static const struct scene scenes[] = {
    SCENE("a create",
          POST(MAPS DRY, "{'metadata':{'name':'a'},'data':{'x':'1'}}", 201,
               "{'metadata':{'name':'a','uid':'*','creationTimestamp':'*','resourceVersion':null},"
               "'data':{'x':'1'}}"),
          GET(MAPS "/a", 404, NULL), POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          POST(MAPS DRY, "{'metadata':{'name':'a'}}", 409, "{'reason':'AlreadyExists'}"),
          POST(MAPS DRY, "{'metadata':{'name':'A'}}", 422, "{'reason':'Invalid'}"),
          POST("$ours/pools" DRY,
               "{'kind':'Pool','apiVersion':'adjoint.dev/v1alpha1',"
               "'metadata':{'name':'a'},'spec':{}}",
               422, "{'reason':'Invalid'}")),
    SCENE(
        "an update", POST(MAPS, "{'metadata':{'name':'a','labels':{'t':''}}}", 201, NULL),
        KEEP("version", "metadata.resourceVersion"),
        WATCH(MAPS "?watch=1&labelSelector=t&resourceVersion=$version"),
        PUT(MAPS "/a" DRY, "{'metadata':{'name':'a'},'data':{'x':'1'}}", 200,
            "{'data':{'x':'1'},'metadata':{'resourceVersion':'$version'}}"),
        MERGE(MAPS "/a" DRY, "{'data':{'y':'1'}}", 200,
              "{'data':{'x':null,'y':'1'},'metadata':{'resourceVersion':'$version'}}"),
        JSON_PATCH(MAPS "/a" DRY, "[{'op':'test','path':'/metadata/name','value':'b'}]", 422, NULL),
        MERGE(MAPS "/a" DRY, "{'metadata':{'resourceVersion':'1'}}", 409, NULL),
        GET(MAPS "/a", 200, "{'data':null,'metadata':{'resourceVersion':'$version'}}"),
        SILENCE(200)),
    SCENE("a delete", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          DELETE(MAPS "/a" DRY, NULL, 200, NULL),
          DELETE(MAPS "/a", "{'dryRun':['All']}", 200, NULL),
          DELETE(MAPS "/a" DRY, "{'preconditions':{'uid':'b'}}", 409, NULL),
          GET(MAPS "/a", 200, "{'metadata':{'deletionTimestamp':null}}"),
          DELETE(MAPS "/b" DRY, NULL, 404, NULL)),
    SCENE("of status",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          MERGE("$ours/instances/a/status" DRY, "{'status':{'phase':'Ready'}}", 200,
                "{'status':{'phase':'Ready'}}"),
          GET("$ours/instances/a", 200, "{'status':null}")),
    SCENE("a value it has not", POST(MAPS "?dryRun=Some", "{'metadata':{'name':'a'}}", 422, NULL),
          GET(MAPS "/a", 404, NULL)),
    SCENES_END,
};

const struct topic topic_dry_run = {.name = "dry run", .scenes = scenes};
