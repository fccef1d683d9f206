/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define A MAPS "/a"
#define POOL                                                                                       \
    "{'kind':'Pool','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"                  \
    "'spec':{'golden':{'snapshot':'g'},'storage':{'storageClassName':'c'},"                        \
    "'allowedNamespaces':{'from':'Selector','selector':{'matchExpressions':["                      \
    "{'key':'a','operator':'Exists'},{'key':'b','operator':'Exists'}]}}}}"

static const struct scene scenes[] = {
    SCENE("members",
          POST(MAPS, "{'metadata':{'name':'a','labels':{'x':'1','y':'2'}},'data':{'b':'2'}}", 201,
               NULL),
          MERGE(A, "{'metadata':{'labels':{'x':null,'z':'3'}},'data':{'c':'3'}}", 200,
                "{'metadata':{'labels':{'x':null,'y':'2','z':'3'}},'data':{'b':'2','c':'3'}}"),
          MERGE(A, "{'metadata':{'labels':{'none':null}}}", 200,
                "{'metadata':{'labels':{'y':'2','z':'3'}}}"),
          MERGE(A, "{'data':null}", 200, "{'data':null,'metadata':{'labels':{'y':'2'}}}"),
          MERGE(A, "{'metadata':{'labels':null}}", 200, "{'metadata':{'labels':null}}")),
    SCENE("arrays as a whole", POST("$ours/pools", POOL, 201, NULL),
          MERGE("$ours/pools/a",
                "{'spec':{'allowedNamespaces':{'selector':{'matchExpressions':["
                "{'key':'c','operator':'Exists'}]}}}}",
                200,
                "{'spec':{'allowedNamespaces':{'selector':{'matchExpressions':["
                "{'key':'c','operator':'Exists'}]}}}}")),
    SCENE("what was removed gets its default again", POST("$ours/pools", POOL, 201, NULL),
          MERGE("$ours/pools/a", "{'spec':{'size':5}}", 200, "{'spec':{'size':5}}"),
          MERGE("$ours/pools/a", "{'spec':{'size':null}}", 200, "{'spec':{'size':1}}")),
    SCENE("metadata that is not for patches", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          MERGE(A, "{'metadata':{'name':'b'}}", 400, "{'reason':'BadRequest'}"),
          MERGE(A, "{'metadata':{'namespace':'b'}}", 400, "{'reason':'BadRequest'}"),
          MERGE(A, "{'kind':'Secret'}", 422, NULL),
          MERGE(A, "{'metadata':{'deletionTimestamp':'2001-01-01T00:00:00Z'}}", 422,
                "{'message':'~metadata.deletionTimestamp: Invalid value: `2001-01-01T00:00:00Z`: "
                "field is immutable'}")),
    SCENE("a wrong type", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          MERGE(A, "{'data':{'a':1}}", 422, "{'reason':'Invalid'}"),
          MERGE(A, "{'metadata':{'labels':'x'}}", 422, "{'reason':'Invalid'}"),
          MERGE(A, "{'data':", 400, "{'reason':'BadRequest'}"),
          POST("$ours/pools", POOL, 201, NULL),
          MERGE("$ours/pools/a", "{'metadata':{'labels':'x'}}", 422, NULL),
          MERGE("$ours/pools/a", "{'metadata':{'finalizers':{}}}", 422, NULL)),
    SCENE("what the rules refuse", POST("$ours/pools", POOL, 201, NULL),
          MERGE("$ours/pools/a", "{'spec':{'size':-1}}", 422,
                "{'reason':'Invalid','details':{'name':'a','group':'adjoint.dev','kind':'Pool',"
                "'causes':['some',{'reason':'FieldValueInvalid','field':'spec.size',"
                "'message':'Invalid value: -1: spec.size in body should be greater than or equal "
                "to 0'},{'field':'.spec.size','message':'Invalid value: -1: should be a "
                "non-negative integer'}]},'message':'~Pool.adjoint.dev `a` is invalid: '}"),
          GET("$ours/pools/a", 200, "{'spec':{'size':1}}")),
    SCENES_END,
};

const struct topic topic_merge_patch = {.name = "merge patch", .scenes = scenes};
