/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"

static const struct scene scenes[] = {
    SCENE("a delete of another incarnation", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          KEEP("uid", "metadata.uid"),
          DELETE(MAPS "/a", "{'preconditions':{'uid':'b'}}", 409,
                 "{'reason':'Conflict','details':{'name':'a','kind':'ConfigMap'},"
                 "'message':'Operation cannot be fulfilled on ConfigMap `a`: the UID in the "
                 "precondition (b) does not match the UID in record ($uid). The object might have "
                 "been deleted and then recreated'}"),
          GET(MAPS "/a", 200, NULL),
          DELETE(MAPS "/a", "{'preconditions':{'uid':'$uid'}}", 200, NULL),
          GET(MAPS "/a", 404, NULL),
          DELETE(MAPS "/a", "{'preconditions':{'uid':'$uid'}}", 404, NULL)),
    SCENE("a delete of another version", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          KEEP("old", "metadata.resourceVersion"),
          MERGE(MAPS "/a", "{'data':{'x':'1'}}", 200, NULL),
          KEEP("new", "metadata.resourceVersion"),
          DELETE(MAPS "/a", "{'preconditions':{'resourceVersion':'$old'}}", 409,
                 "{'reason':'Conflict','message':'Operation cannot be fulfilled on ConfigMap `a`: "
                 "the ResourceVersion in the precondition ($old) does not match the "
                 "ResourceVersion in record ($new). The object might have been modified'}"),
          DELETE(MAPS "/a", "{'preconditions':{'resourceVersion':'$new'}}", 200, NULL)),
    SCENE("also of one that is held by a finalizer",
          POST(MAPS, "{'metadata':{'name':'a','finalizers':['example.com/x']}}", 201, NULL),
          KEEP("uid", "metadata.uid"),
          DELETE(MAPS "/a", "{'preconditions':{'uid':'b'}}", 409, NULL),
          GET(MAPS "/a", 200, "{'metadata':{'deletionTimestamp':null}}"),
          DELETE(MAPS "/a", "{'preconditions':{'uid':'$uid'}}", 200, NULL),
          GET(MAPS "/a", 200, "{'metadata':{'deletionTimestamp':'*'}}"),
          DELETE(MAPS "/a", "{'preconditions':{'uid':'b'}}", 409, NULL),
          MERGE(MAPS "/a", "{'metadata':{'finalizers':null}}", 200, NULL)),
    SCENE("an update of a version", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          KEEP("old", "metadata.resourceVersion"),
          MERGE(MAPS "/a", "{'metadata':{'resourceVersion':'$old'},'data':{'x':'1'}}", 200, NULL),
          MERGE(MAPS "/a", "{'metadata':{'resourceVersion':'$old'},'data':{'x':'1'}}", 409, NULL),
          PUT(MAPS "/a", "{'metadata':{'name':'a','resourceVersion':'$old'},'data':{}}", 409, NULL),
          JSON_PATCH(MAPS "/a",
                     "[{'op':'replace','path':'/metadata/resourceVersion','value':'$old'},"
                     "{'op':'add','path':'/data/y','value':'1'}]",
                     409, "{'reason':'Conflict','message':'~the object has been modified'}"),
          GET(MAPS "/a", 200, "{'data':{'x':'1','y':null}}")),
    SCENE(
        "status, too",
        POST("$ours/instances",
             "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
             "'spec':{'pool':{'name':'a','namespace':'b'}}}",
             201, NULL),
        KEEP("old", "metadata.resourceVersion"),
        MERGE("$ours/instances/a/status",
              "{'metadata':{'resourceVersion':'$old'},'status':{'phase':'Pending'}}", 200, NULL),
        MERGE("$ours/instances/a/status",
              "{'metadata':{'resourceVersion':'$old'},'status':{'phase':'Ready'}}", 409,
              "{'reason':'Conflict','details':{'name':'a','group':'adjoint.dev',"
              "'kind':'instances'},'message':'Operation cannot be fulfilled on "
              "instances.adjoint.dev `a`: the object has been modified; please apply your changes "
              "to the latest version and try again'}"),
        GET("$ours/instances/a", 200, "{'status':{'phase':'Pending'}}")),
    SCENES_END,
};

const struct topic topic_preconditions = {.name = "preconditions", .scenes = scenes};
