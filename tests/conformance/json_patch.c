/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define A MAPS "/a"
#define MAKE POST(MAPS, "{'metadata':{'name':'a','labels':{'x':'1'}},'data':{'b':'2'}}", 201, NULL)
#define LOST                                                                                       \
    "{'kind':'Status','reason':'Invalid','code':422,'details':{'causes':null},"                    \
    "'message':'the server rejected our request due to an error in our request'}"

static const struct scene scenes[] = {
    SCENE("a test that holds and one that does not", MAKE,
          JSON_PATCH(A,
                     "[{'op':'test','path':'/data/b','value':'2'},"
                     "{'op':'replace','path':'/data/b','value':'3'}]",
                     200, "{'data':{'b':'3'}}"),
          KEEP("version", "metadata.resourceVersion"),
          JSON_PATCH(A,
                     "[{'op':'test','path':'/data/b','value':'2'},"
                     "{'op':'replace','path':'/data/b','value':'4'}]",
                     422, LOST),
          JSON_PATCH(A,
                     "[{'op':'replace','path':'/data/b','value':'4'},"
                     "{'op':'test','path':'/data/b','value':'3'}]",
                     422, LOST),
          GET(A, 200, "{'data':{'b':'3'},'metadata':{'resourceVersion':'$version'}}")),
    SCENE("a test alone writes nothing", MAKE, KEEP("version", "metadata.resourceVersion"),
          JSON_PATCH(A, "[{'op':'test','path':'/data/b','value':'2'}]", 200,
                     "{'metadata':{'resourceVersion':'$version'}}")),
    SCENE("a test for null", MAKE,
          JSON_PATCH(A,
                     "[{'op':'test','path':'/metadata/deletionTimestamp','value':null},"
                     "{'op':'add','path':'/data/c','value':'1'}]",
                     200, "{'data':{'c':'1'}}"),
          JSON_PATCH(A, "[{'op':'test','path':'/data/b','value':null}]", 422, LOST),
          JSON_PATCH(A, "[{'op':'test','path':'/binaryData/a','value':null}]", 422, LOST),
          JSON_PATCH(A, "[{'op':'test','path':'/data/none','value':'x'}]", 422, LOST),
          MERGE(A, "{'metadata':{'finalizers':['example.com/x']}}", 200, NULL),
          DELETE(A, NULL, 200, NULL),
          JSON_PATCH(A,
                     "[{'op':'test','path':'/metadata/deletionTimestamp','value':null},"
                     "{'op':'add','path':'/data/d','value':'1'}]",
                     422, LOST),
          MERGE(A, "{'metadata':{'finalizers':null}}", 200, NULL)),
    SCENE("a test of what the server adds", MAKE, KEEP("uid", "metadata.uid"),
          JSON_PATCH(A,
                     "[{'op':'test','path':'/metadata/uid','value':'$uid'},"
                     "{'op':'test','path':'/kind','value':'ConfigMap'},"
                     "{'op':'add','path':'/data/c','value':'1'}]",
                     200, NULL),
          JSON_PATCH(A, "[{'op':'test','path':'/metadata/uid','value':'b'}]", 422, LOST)),
    SCENE("a test of an object, whatever its order", MAKE,
          JSON_PATCH(A, "[{'op':'add','path':'/data/c','value':'3'}]", 200, NULL),
          JSON_PATCH(A, "[{'op':'test','path':'/data','value':{'c':'3','b':'2'}}]", 200, NULL),
          JSON_PATCH(A, "[{'op':'test','path':'/data','value':{'b':'2'}}]", 422, LOST)),
    SCENE("status can be tested at the object",
          POST("$core/persistentvolumeclaims",
               "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],"
               "'storageClassName':'$ns','resources':{'requests':{'storage':'1Gi'}}}}",
               201, NULL),
          JSON_PATCH("$core/persistentvolumeclaims/a",
                     "[{'op':'test','path':'/status/phase','value':'Pending'},"
                     "{'op':'add','path':'/metadata/labels','value':{'x':'y'}}]",
                     200, "{'metadata':{'labels':{'x':'y'}}}"),
          JSON_PATCH("$core/persistentvolumeclaims/a",
                     "[{'op':'test','path':'/status/phase','value':'Bound'}]", 422, LOST)),
    SCENE(
        "replace and add", MAKE,
        JSON_PATCH(A, "[{'op':'replace','path':'/data/none','value':'1'}]", 200,
                   "{'data':{'none':'1','b':'2'}}"),
        JSON_PATCH(A, "[{'op':'add','path':'/data/b','value':'5'}]", 200, "{'data':{'b':'5'}}"),
        JSON_PATCH(A, "[{'op':'add','path':'/metadata/annotations/c','value':'5'}]", 422, LOST),
        JSON_PATCH(A, "[{'op':'replace','path':'/metadata/annotations/c','value':'5'}]", 422, LOST),
        JSON_PATCH(A,
                   "[{'op':'add','path':'/metadata/annotations','value':{}},"
                   "{'op':'add','path':'/metadata/annotations/c','value':'5'}]",
                   200, "{'metadata':{'annotations':{'c':'5'}}}")),
    SCENE("remove", MAKE, JSON_PATCH(A, "[{'op':'remove','path':'/data/b'}]", 200, "{'data':null}"),
          JSON_PATCH(A, "[{'op':'remove','path':'/data/b'}]", 422, LOST),
          JSON_PATCH(A, "[{'op':'remove','path':'/metadata/labels/none'}]", 422, LOST)),
    SCENE("keys with a slash", MAKE,
          JSON_PATCH(A,
                     "[{'op':'add','path':'/metadata/labels/adjoint.dev~1state','value':'warm'}]",
                     200, "{'metadata':{'labels':{'adjoint.dev/state':'warm','x':'1'}}}"),
          JSON_PATCH(A,
                     "[{'op':'test','path':'/metadata/labels/adjoint.dev~1state','value':'warm'},"
                     "{'op':'remove','path':'/metadata/labels/adjoint.dev~1state'}]",
                     200, "{'metadata':{'labels':{'adjoint.dev/state':null}}}")),
    SCENE("arrays", MAKE,
          JSON_PATCH(A, "[{'op':'add','path':'/metadata/finalizers','value':['example.com/a']}]",
                     200, NULL),
          JSON_PATCH(A, "[{'op':'add','path':'/metadata/finalizers/-','value':'example.com/c'}]",
                     200, "{'metadata':{'finalizers':['example.com/a','example.com/c']}}"),
          JSON_PATCH(A, "[{'op':'add','path':'/metadata/finalizers/1','value':'example.com/b'}]",
                     200,
                     "{'metadata':{'finalizers':['example.com/a','example.com/b',"
                     "'example.com/c']}}"),
          JSON_PATCH(A, "[{'op':'test','path':'/metadata/finalizers/0','value':'example.com/b'}]",
                     422, LOST),
          JSON_PATCH(A,
                     "[{'op':'test','path':'/metadata/finalizers/1','value':'example.com/b'},"
                     "{'op':'remove','path':'/metadata/finalizers/1'}]",
                     200, "{'metadata':{'finalizers':['example.com/a','example.com/c']}}"),
          JSON_PATCH(A, "[{'op':'remove','path':'/metadata/finalizers/7'}]", 422, LOST),
          JSON_PATCH(A, "[{'op':'replace','path':'/metadata/finalizers','value':[]}]", 200, NULL)),
    SCENE("move and copy", MAKE,
          JSON_PATCH(A, "[{'op':'copy','from':'/data/b','path':'/data/c'}]", 200,
                     "{'data':{'b':'2','c':'2'}}"),
          JSON_PATCH(A, "[{'op':'move','from':'/data/b','path':'/data/d'}]", 200,
                     "{'data':{'b':null,'c':'2','d':'2'}}")),
    SCENE("what the rules refuse afterwards", MAKE,
          JSON_PATCH(
              A, "[{'op':'add','path':'/metadata/labels/y','value':'a b'}]", 422,
              "{'reason':'Invalid','details':{'causes':['some',{'field':'metadata.labels'}]}}"),
          JSON_PATCH(A, "[{'op':'replace','path':'/metadata/name','value':'b'}]", 400,
                     "{'reason':'BadRequest','message':'~the name of the object (b)'}"),
          JSON_PATCH(A, "[{'op':'replace','path':'/metadata/uid','value':'b'}]", 422,
                     "{'reason':'Invalid','message':'~metadata.uid: Invalid value: `b`: field is "
                     "immutable'}")),
    SCENE("what is no patch", MAKE, JSON_PATCH(A, "[{'op':'burn','path':'/data/b'}]", 422, LOST)),
    SCENES_END,
};

const struct topic topic_json_patch = {.name = "JSON patch", .scenes = scenes};
