/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define A MAPS "/a"
#define MAKE(finalizers)                                                                           \
    POST(MAPS, "{'metadata':{'name':'a','finalizers':[" finalizers "]}}", 201, NULL)

static const struct scene scenes[] = {
    SCENE("it stays until the last one goes", MAKE("'example.com/x','example.com/y'"),
          KEEP("version", "metadata.resourceVersion"), KEEP("uid", "metadata.uid"),
          DELETE(A, NULL, 200,
                 "{'kind':'ConfigMap','metadata':{'uid':'$uid','deletionTimestamp':'*',"
                 "'deletionGracePeriodSeconds':0,'finalizers':['example.com/x',"
                 "'example.com/y']}}"),
          KEEP("since", "metadata.deletionTimestamp"),
          MERGE(A, "{'metadata':{'finalizers':['example.com/x']}}", 200,
                "{'metadata':{'deletionTimestamp':'$since'}}"),
          GET(A, 200, NULL), MERGE(A, "{'metadata':{'finalizers':[]}}", 200, NULL),
          GET(A, 404, NULL)),
    SCENE("a second delete changes nothing", MAKE("'example.com/x'"), DELETE(A, NULL, 200, NULL),
          KEEP("version", "metadata.resourceVersion"),
          DELETE(A, NULL, 200, "{'metadata':{'resourceVersion':'$version'}}"),
          JSON_PATCH(A, "[{'op':'remove','path':'/metadata/finalizers'}]", 200, NULL),
          GET(A, 404, NULL)),
    SCENE("no new ones on the way out", MAKE("'example.com/x'"), DELETE(A, NULL, 200, NULL),
          MERGE(A, "{'metadata':{'finalizers':['example.com/x','example.com/y']}}", 422,
                "{'reason':'Invalid','message':'ConfigMap `a` is invalid: metadata.finalizers: "
                "Forbidden: no new finalizers can be added if the object is being deleted, found "
                "new finalizers []string{`example.com/y`}'}"),
          MERGE(A, "{'data':{'x':'1'}}", 200, "{'data':{'x':'1'}}"),
          MERGE(A, "{'metadata':{'deletionTimestamp':null}}", 200,
                "{'metadata':{'deletionTimestamp':'*'}}"),
          POST(MAPS, "{'metadata':{'name':'a'}}", 409,
               "{'reason':'AlreadyExists',"
               "'message':'object is being deleted: configmaps `a` already exists'}"),
          PUT(A, "{'metadata':{'name':'a'}}", 200, NULL), GET(A, 404, NULL)),
    SCENE("added before, it counts", MAKE(""),
          MERGE(A, "{'metadata':{'finalizers':['example.com/x']}}", 200, NULL),
          DELETE(A, NULL, 200, "{'metadata':{'deletionTimestamp':'*'}}"),
          MERGE(A, "{'metadata':{'finalizers':null}}", 200, NULL), GET(A, 404, NULL)),
    SCENE("of custom objects",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a',"
               "'finalizers':['adjoint.dev/instance']},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          DELETE("$ours/instances/a", NULL, 200,
                 "{'kind':'Instance','metadata':{'deletionTimestamp':'*','generation':2}}"),
          MERGE("$ours/instances/a", "{'metadata':{'finalizers':null}}", 200, NULL),
          GET("$ours/instances/a", 404, NULL)),
    SCENES_END,
};

const struct topic topic_finalizers = {.name = "finalizers", .scenes = scenes};
