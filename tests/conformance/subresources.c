/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define POOLS "$ours/pools"
#define POOL(more)                                                                                 \
    "{'kind':'Pool','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"                  \
    "'spec':{'golden':{'snapshot':'g'},'storage':{'storageClassName':'c'},'size':3,"               \
    "'allowedNamespaces':{'from':'All'}}" more "}"
#define CLAIMS "$core/persistentvolumeclaims"
#define CLAIM                                                                                      \
    "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],"                            \
    "'storageClassName':'$ns','resources':{'requests':{'storage':'1Gi'}}},"                        \
    "'status':{'phase':'Bound'}}"

static const struct scene scenes[] = {
    SCENE(
        "the object's path does not write status",
        POST(POOLS, POOL(",'status':{'warm':3}"), 201, "{'status':null}"),
        MERGE(POOLS "/a", "{'status':{'warm':3},'spec':{'size':4}}", 200,
              "{'spec':{'size':4},'status':null}"),
        POST(CLAIMS, CLAIM, 201, "{'status':{'phase':'Pending'}}"),
        MERGE(CLAIMS "/a", "{'status':{'phase':'Bound'}}", 200, "{'status':{'phase':'Pending'}}")),
    SCENE("status writes nothing else", POST(POOLS, POOL(""), 201, NULL),
          MERGE(POOLS "/a/status",
                "{'status':{'warm':2},'spec':{'size':9},'metadata':{'labels':{'x':'y'}}}", 200,
                "{'status':{'warm':2},'spec':{'size':3},'metadata':{'labels':null,"
                "'generation':1}}"),
          GET(POOLS "/a/status", 200, "{'kind':'Pool','status':{'warm':2}}"),
          POST(CLAIMS, CLAIM, 201, NULL),
          MERGE(CLAIMS "/a/status", "{'status':{'phase':'Lost'},'spec':{'volumeName':'x'}}", 200,
                "{'status':{'phase':'Lost'},'spec':{'volumeName':null}}")),
    SCENE("status as a whole", POST(POOLS, POOL(""), 201, NULL),
          KEEP("version", "metadata.resourceVersion"),
          PUT(POOLS "/a/status",
              "{'kind':'Pool','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a',"
              "'resourceVersion':'$version'},'spec':{'golden':{'snapshot':'g'},"
              "'storage':{'storageClassName':'c'},'size':7,'allowedNamespaces':{'from':'All'}},"
              "'status':{'warm':1,'claimed':1}}",
              200, "{'spec':{'size':3},'status':{'warm':1,'claimed':1}}"),
          JSON_PATCH(POOLS "/a/status", "[{'op':'replace','path':'/status','value':{'warm':5}}]",
                     200, "{'status':{'warm':5,'claimed':null}}")),
    SCENE(
        "status is validated", POST(POOLS, POOL(""), 201, NULL),
        MERGE(POOLS "/a/status", "{'status':{'warm':'many'}}", 422,
              "{'reason':'Invalid','message':'~status.warm: Invalid value: `string`: '}"),
        MERGE(POOLS "/a/status", "{'status':{'nonsense':1}}", 200, "{'status':{'nonsense':null}}")),
    SCENE("scale", POST(POOLS, POOL(""), 201, NULL), KEEP("uid", "metadata.uid"),
          GET(POOLS "/a/scale", 200,
              "{'kind':'Scale','apiVersion':'autoscaling/v1','metadata':{'name':'a',"
              "'namespace':'$ns','uid':'$uid','resourceVersion':'*','creationTimestamp':'*',"
              "'generation':null,'labels':null},'spec':{'replicas':3},'status':{'replicas':0}}"),
          KEEP("version", "metadata.resourceVersion"),
          PUT(POOLS "/a/scale",
              "{'kind':'Scale','apiVersion':'autoscaling/v1','metadata':{'name':'a',"
              "'namespace':'$ns','resourceVersion':'$version'},'spec':{'replicas':5}}",
              200, "{'kind':'Scale','spec':{'replicas':5}}"),
          GET(POOLS "/a", 200, "{'spec':{'size':5},'metadata':{'generation':2}}"),
          PUT(POOLS "/a/scale",
              "{'kind':'Scale','apiVersion':'autoscaling/v1','metadata':{'name':'a',"
              "'namespace':'$ns','resourceVersion':'$version'},'spec':{'replicas':6}}",
              409, "{'reason':'Conflict'}"),
          MERGE(POOLS "/a/scale", "{'spec':{'replicas':0}}", 200, "{'spec':{}}"),
          GET(POOLS "/a", 200, "{'spec':{'size':0}}"),
          MERGE(POOLS "/a/status", "{'status':{'warm':4}}", 200, NULL),
          GET(POOLS "/a/scale", 200, "{'status':{'replicas':4}}"),
          MERGE(POOLS "/a/scale", "{'spec':{'replicas':1000}}", 422,
                "{'reason':'Invalid','message':'~should be less than or equal to 100'}")),
    SCENE("what has no scale and no status",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          GET("$ours/instances/a/scale", 404, NULL), GET("$ours/instances/a/nothing", 404, NULL)),
    SCENE("of an absent object", GET(POOLS "/a/scale", 404, "{'reason':'NotFound'}"),
          MERGE(POOLS "/a/status", "{'status':{}}", 404,
                "{'reason':'NotFound','message':'pools.adjoint.dev `a` not found'}")),
    SCENES_END,
};

const struct topic topic_subresources = {.name = "status and scale", .scenes = scenes};
