/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"

static const struct scene scenes[] = {
    SCENE(
        "a generated name",
        POST(MAPS, "{'metadata':{'generateName':'some-'}}", 201,
             "{'metadata':{'generateName':'some-','name':'~some-'}}"),
        KEEP("first", "metadata.name"), GET(MAPS "/$first", 200, NULL),
        POST(MAPS, "{'metadata':{'generateName':'some-'}}", 201, "{'metadata':{'name':'~some-'}}"),
        KEEP("second", "metadata.name"), GET(MAPS "/$second", 200, NULL),
        GET(MAPS "?fieldSelector=metadata.name!%3Dkube-root-ca.crt", 200, "{'items':[{},{}]}")),
    SCENE("a name goes before", POST(MAPS, "{'metadata':{'generateName':'some-','name':'mine'}}",
                                     201, "{'metadata':{'generateName':'some-','name':'mine'}}")),
    SCENE("a beginning that is none",
          POST(MAPS, "{'metadata':{'generateName':'Some-'}}", 422,
               "{'reason':'Invalid','message':'~metadata.generateName: Invalid value: `Some-`'}")),
    SCENE("of custom objects",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1',"
               "'metadata':{'generateName':'dev-'},'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, "{'metadata':{'name':'~dev-'}}")),
    SCENES_END,
};

const struct topic topic_names = {.name = "generated names", .scenes = scenes};
