/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/storage.h"
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define OWNER(word, name)                                                                          \
    POST(MAPS, "{'metadata':{'name':'" name "'}}", 201, NULL), KEEP(word, "metadata.uid")
#define REFERENCE(name, uid, more)                                                                 \
    "{'apiVersion':'v1','kind':'ConfigMap','name':'" name "','uid':'" uid "'" more "}"
#define OWNED(name, references)                                                                    \
    POST(MAPS, "{'metadata':{'name':'" name "','ownerReferences':[" references "]}}", 201, NULL)

static const struct scene scenes[] = {
    SCENE("what has lost its owner goes", OWNER("uid", "o"), OWNED("a", REFERENCE("o", "$uid", "")),
          POST("$core/secrets",
               "{'metadata':{'name':'s','ownerReferences':[" REFERENCE("a", "none", "") "]}}", 201,
               NULL),
          DELETE(MAPS "/o", NULL, 200, NULL), GET(MAPS "/o", 404, NULL),
          AWAIT(MAPS "/a", 404, NULL), AWAIT("$core/secrets/s", 404, NULL)),
    SCENE("what has an owner left stays", OWNER("uid", "o"), OWNER("other", "q"),
          OWNED("a", REFERENCE("o", "$uid", "") "," REFERENCE("q", "$other", "")),
          DELETE(MAPS "/o", NULL, 200, NULL),
          AWAIT(MAPS "/a", 200, "{'metadata':{'ownerReferences':[{'name':'q'}]}}"),
          DELETE(MAPS "/q", NULL, 200, NULL), AWAIT(MAPS "/a", 404, NULL)),
    SCENE("an owner of that name and another uid is none", OWNER("uid", "o"),
          OWNED("a", REFERENCE("o", "another", "")), AWAIT(MAPS "/a", 404, NULL)),
    SCENE("an owner that was never there is none", OWNED("a", REFERENCE("none", "none", "")),
          AWAIT(MAPS "/a", 404, NULL)),
    SCENE("an owner in another namespace is none",
          POST("/api/v1/namespaces/default/configmaps", "{'metadata':{'name':'$ns'}}", 201, NULL),
          KEEP("uid", "metadata.uid"), OWNED("a", REFERENCE("$ns", "$uid", "")),
          AWAIT(MAPS "/a", 404, NULL)),
    SCENE("dependents are left when they are to be orphaned", OWNER("uid", "o"),
          OWNED("a", REFERENCE("o", "$uid", "")),
          DELETE(MAPS "/o", "{'propagationPolicy':'Orphan'}", 200,
                 "{'metadata':{'finalizers':['orphan']}}"),
          AWAIT(MAPS "/o", 404, NULL), REST(LOOKS_MS),
          GET(MAPS "/a", 200, "{'metadata':{'ownerReferences':null,'deletionTimestamp':null}}")),
    SCENE(
        "in the foreground the owner waits", OWNER("uid", "o"),
        POST(MAPS,
             "{'metadata':{'name':'a','finalizers':['example.com/x'],'ownerReferences':[" REFERENCE(
                 "o", "$uid", ",'blockOwnerDeletion':true") "]}}",
             201, NULL),
        DELETE(MAPS "/o", "{'propagationPolicy':'Foreground'}", 200,
               "{'metadata':{'deletionTimestamp':'*','finalizers':['foregroundDeletion']}}"),
        AWAIT(MAPS "/a", 200, "{'metadata':{'deletionTimestamp':'*'}}"), REST(LOOKS_MS),
        GET(MAPS "/o", 200, NULL), MERGE(MAPS "/a", "{'metadata':{'finalizers':null}}", 200, NULL),
        AWAIT(MAPS "/o", 404, NULL)),
    SCENE(
        "but not for those that do not block it", OWNER("uid", "o"),
        POST(MAPS,
             "{'metadata':{'name':'a','finalizers':['example.com/x'],'ownerReferences':[" REFERENCE(
                 "o", "$uid", "") "]}}",
             201, NULL),
        DELETE(MAPS "/o", "{'propagationPolicy':'Foreground'}", 200, NULL),
        AWAIT(MAPS "/o", 404, NULL),
        AWAIT(MAPS "/a", 200, "{'metadata':{'deletionTimestamp':'*'}}"),
        MERGE(MAPS "/a", "{'metadata':{'finalizers':null}}", 200, NULL)),
    SCENE("claims of a custom object", MAKE_CLASS("Immediate"),
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'o'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          KEEP("uid", "metadata.uid"),
          POST(CLAIMS,
               "{'metadata':{'name':'a','ownerReferences':[{'apiVersion':'adjoint.dev/v1alpha1',"
               "'kind':'Instance','name':'o','uid':'$uid','controller':true,"
               "'blockOwnerDeletion':true}]},'spec':{'accessModes':['ReadWriteOnce'],"
               "'storageClassName':'$ns','resources':{'requests':{'storage':'1Gi'}}}}",
               201, NULL),
          REST(LOOKS_MS), GET(CLAIMS "/a", 200, "{'metadata':{'deletionTimestamp':null}}"),
          DELETE("$ours/instances/o", NULL, 200, NULL), AWAIT(CLAIMS "/a", 404, NULL)),
    SCENE("a cluster-wide object of a namespaced owner is left alone", OWNER("uid", "o"),
          POST("$classes",
               "{'metadata':{'name':'$ns','ownerReferences':[" REFERENCE(
                   "o", "$uid", "") "]},'provisioner':'nobody.example.com'}",
               201, NULL),
          DELETE(MAPS "/o", NULL, 200, NULL), REST(LOOKS_MS), GET("$classes/$ns", 200, NULL)),
    SCENES_END,
};

const struct topic topic_garbage = {.name = "garbage", .scenes = scenes};
