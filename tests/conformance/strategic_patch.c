/* SPDX-License-Identifier: Apache-2.0 */
/* As merge patch plus keyed lists; directives are not done by the simulator, and nobody here
   sends one. */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define A MAPS "/a"

static const struct scene scenes[] = {
    SCENE("members, as of a merge patch",
          POST(MAPS, "{'metadata':{'name':'a','labels':{'x':'1'}},'data':{'b':'2'}}", 201, NULL),
          STRATEGIC(A, "{'metadata':{'labels':{'x':null,'z':'3'}},'data':{'c':'3'}}", 200,
                    "{'metadata':{'labels':{'x':null,'z':'3'}},'data':{'b':'2','c':'3'}}")),
    SCENE("finalizers are a set",
          POST(MAPS, "{'metadata':{'name':'a','finalizers':['example.com/a']}}", 201, NULL),
          STRATEGIC(A, "{'metadata':{'finalizers':['example.com/b']}}", 200,
                    "{'metadata':{'finalizers':['example.com/b','example.com/a']}}"),
          STRATEGIC(A, "{'metadata':{'finalizers':['example.com/b']}}", 200,
                    "{'metadata':{'finalizers':['example.com/b','example.com/a']}}"),
          MERGE(A, "{'metadata':{'finalizers':null}}", 200, NULL)),
    SCENE("owners by uid", POST(MAPS, "{'metadata':{'name':'n'}}", 201, NULL),
          KEEP("first", "metadata.uid"), POST(MAPS, "{'metadata':{'name':'m'}}", 201, NULL),
          KEEP("second", "metadata.uid"),
          POST(MAPS,
               "{'metadata':{'name':'a','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap',"
               "'name':'n','uid':'$first'}]}}",
               201, NULL),
          STRATEGIC(A,
                    "{'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap',"
                    "'name':'m','uid':'$second'},{'uid':'$first','blockOwnerDeletion':true}]}}",
                    200,
                    "{'metadata':{'ownerReferences':[{'uid':'$second','name':'m'},"
                    "{'uid':'$first','name':'n','blockOwnerDeletion':true}]}}")),
    SCENE("ports by number",
          POST("$core/services",
               "{'metadata':{'name':'a'},'spec':{'ports':[{'name':'p','port':1},"
               "{'name':'q','port':2}]}}",
               201, NULL),
          STRATEGIC("$core/services/a", "{'spec':{'ports':[{'port':2,'name':'r'}]}}", 200,
                    "{'spec':{'ports':[{'port':1,'name':'p'},{'port':2,'name':'r'}]}}"),
          STRATEGIC("$core/services/a", "{'spec':{'ports':[{'port':3,'name':'s'}]}}", 200,
                    "{'spec':{'ports':[{'port':3},{'port':1},{'port':2}]}}")),
    SCENE(
        "of a volume, without a version",
        POST("$volumes",
             "{'metadata':{'name':'$ns'},'spec':{'accessModes':['ReadWriteOnce'],"
             "'capacity':{'storage':'1Gi'},'storageClassName':'$ns','persistentVolumeReclaimPolicy'"
             ":'Retain','csi':{'driver':'nobody.example.com','volumeHandle':'$ns'}}}",
             201, NULL),
        STRATEGIC("$volumes/$ns", "{'metadata':{'finalizers':['example.com/x']}}", 200,
                  "{'metadata':{'finalizers':['some','kubernetes.io/pv-protection',"
                  "'example.com/x']}}"),
        STRATEGIC("$volumes/$ns", "{'spec':{'accessModes':['ReadWriteMany']}}", 200,
                  "{'spec':{'accessModes':['ReadWriteMany']}}"),
        MERGE("$volumes/$ns", "{'metadata':{'finalizers':null}}", 200, NULL)),
    SCENE("not for custom objects",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          STRATEGIC("$ours/instances/a", "{'spec':{'lifetime':'1h'}}", 415,
                    "{'reason':'UnsupportedMediaType'}")),
    SCENES_END,
};

const struct topic topic_strategic_patch = {.name = "strategic merge patch", .scenes = scenes};
