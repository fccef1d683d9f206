/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define CLAIMS "$core/persistentvolumeclaims"
#define CLAIM(name, more)                                                                          \
    "{'metadata':{'name':'" name "'},'spec':{'accessModes':['ReadWriteOnce'],"                     \
    "'storageClassName':'$ns','resources':{'requests':{'storage':'1Gi'}}" more "}}"
#define VOLUME(more)                                                                               \
    "{'metadata':{'name':'$ns'},'spec':{'accessModes':['ReadWriteOnce'],"                          \
    "'capacity':{'storage':'1Gi'},'storageClassName':'$ns',"                                       \
    "'csi':{'driver':'nobody.example.com','volumeHandle':'$ns'}" more "}}"

static const struct scene scenes[] = {
    SCENE("a namespace that terminates",
          POST(MAPS, "{'metadata':{'name':'holds','finalizers':['example.com/holds']}}", 201, NULL),
          DELETE("$core", NULL, 200, "{'status':{'phase':'Terminating'}}"),
          POST(MAPS, "{'metadata':{'name':'a'}}", 403,
               "{'reason':'Forbidden','code':403,'message':'configmaps `a` is forbidden: unable to "
               "create new content in namespace $ns because it is being terminated',"
               "'details':{'name':'a','kind':'configmaps','causes':[{"
               "'reason':'NamespaceTerminating','message':'namespace $ns is being terminated',"
               "'field':'metadata.namespace'}]}}"),
          POST("$ours/pools",
               "{'kind':'Pool','apiVersion':'adjoint.dev/v1alpha1',"
               "'metadata':{'name':'a'}}",
               403,
               "{'message':'pools.adjoint.dev `a` is forbidden: unable to create new content in "
               "namespace $ns because it is being terminated'}"),
          MERGE(MAPS "/holds", "{'data':{'a':'b'}}", 200, NULL),
          AWAIT(MAPS "/holds", 200, "{'metadata':{'deletionTimestamp':'*'}}"),
          MERGE(MAPS "/holds", "{'metadata':{'finalizers':null}}", 200, NULL),
          AWAIT("$core", 404, NULL)),
    SCENE("a quota",
          POST("$core/resourcequotas",
               "{'metadata':{'name':'q'},'spec':{'hard':{'persistentvolumeclaims':'1'}}}", 201,
               NULL),
          AWAIT("$core/resourcequotas/q", 200,
                "{'status':{'hard':{'persistentvolumeclaims':'1'},"
                "'used':{'persistentvolumeclaims':'0'}}}"),
          POST(CLAIMS "?dryRun=All", CLAIM("a", ""), 201, NULL),
          POST(CLAIMS, CLAIM("a", ""), 201, NULL),
          GET("$core/resourcequotas/q", 200, "{'status':{'used':{'persistentvolumeclaims':'1'}}}"),
          POST(CLAIMS, CLAIM("b", ""), 403,
               "{'reason':'Forbidden','details':{'name':'b','kind':'persistentvolumeclaims'},"
               "'message':'persistentvolumeclaims `b` is forbidden: exceeded quota: q, requested: "
               "persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: "
               "persistentvolumeclaims=1'}"),
          POST(CLAIMS "?dryRun=All", CLAIM("b", ""), 403, "{'reason':'Forbidden'}"),
          DELETE(CLAIMS "/a", NULL, 200, NULL), AWAIT(CLAIMS "/a", 404, NULL),
          AWAIT_POST(CLAIMS, CLAIM("b", ""), 201, NULL)),
    SCENE("a quota of storage and of objects",
          POST("$core/resourcequotas",
               "{'metadata':{'name':'q'},'spec':{'hard':{'requests.storage':'2Gi',"
               "'count/secrets':'0'}}}",
               201, NULL),
          AWAIT("$core/resourcequotas/q", 200,
                "{'status':{'hard':{'requests.storage':'2Gi'},'used':{'requests.storage':'0',"
                "'count/secrets':'0'}}}"),
          POST(CLAIMS, CLAIM("a", ""), 201, NULL), POST(CLAIMS, CLAIM("b", ""), 201, NULL),
          POST(CLAIMS, CLAIM("c", ""), 403,
               "{'message':'persistentvolumeclaims `c` is forbidden: exceeded quota: q, requested: "
               "requests.storage=1Gi, used: requests.storage=2Gi, limited: requests.storage=2Gi'}"),
          POST("$core/secrets", "{'metadata':{'name':'a'}}", 403,
               "{'message':'secrets `a` is forbidden: exceeded quota: q, requested: "
               "count/secrets=1, used: count/secrets=0, limited: count/secrets=0'}")),
    SCENE("protection from the start",
          POST(CLAIMS, CLAIM("a", ""), 201,
               "{'metadata':{'finalizers':['kubernetes.io/pvc-protection']},"
               "'status':{'phase':'Pending'}}"),
          POST("$volumes", VOLUME(""), 201,
               "{'metadata':{'finalizers':['kubernetes.io/pv-protection'],'namespace':null}}")),
    SCENE("what a claim gets by itself",
          POST(CLAIMS, CLAIM("a", ""), 201,
               "{'kind':'PersistentVolumeClaim','apiVersion':'v1','metadata':{'name':'a',"
               "'namespace':'$ns','uid':'*','resourceVersion':'*','creationTimestamp':'*',"
               "'generation':null},'spec':{'volumeMode':'Filesystem','volumeName':null}}")),
    SCENE("what a volume gets by itself",
          POST("$volumes", VOLUME(""), 201,
               "{'spec':{'persistentVolumeReclaimPolicy':'Retain','volumeMode':'Filesystem',"
               "'claimRef':null},'status':{'phase':'Pending'}}")),
    SCENE(
        "a claim that is not whole",
        POST(CLAIMS, "{'metadata':{'name':'a'},'spec':{}}", 422,
             "{'reason':'Invalid','message':'PersistentVolumeClaim `a` is invalid: "
             "[spec.accessModes: Required value: at least 1 access mode is required, "
             "spec.resources[storage]: Required value]'}"),
        POST(CLAIMS,
             "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],"
             "'resources':{'requests':{'storage':'0'}}}}",
             422,
             "{'message':'~spec.resources[storage]: Invalid value: `0`: must be greater than "
             "zero'}"),
        POST(CLAIMS,
             "{'metadata':{'name':'a'},'spec':{'accessModes':['Whatever'],"
             "'resources':{'requests':{'storage':'1Gi'}}}}",
             422,
             "{'message':'~spec.accessModes: Unsupported value: `Whatever`: supported values: '}")),
    SCENE("a claim stays what it is", POST(CLAIMS, CLAIM("a", ""), 201, NULL),
          MERGE(CLAIMS "/a", "{'spec':{'accessModes':['ReadWriteMany']}}", 422,
                "{'reason':'Invalid','message':'~PersistentVolumeClaim `a` is invalid: spec: "
                "Forbidden: spec is immutable after creation except resources.requests and "
                "volumeAttributesClassName for bound claims'}"),
          MERGE(CLAIMS "/a", "{'spec':{'storageClassName':'other'}}", 422, NULL),
          MERGE(CLAIMS "/a", "{'spec':{'volumeName':'$ns'}}", 200, NULL),
          MERGE(CLAIMS "/a", "{'spec':{'volumeName':'other'}}", 422, NULL),
          MERGE(CLAIMS "/a", "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}", 422,
                "{'message':'~spec: Forbidden: spec is immutable'}")),
    SCENE("what may change in a volume", POST("$volumes", VOLUME(""), 201, NULL),
          MERGE("$volumes/$ns", "{'spec':{'csi':{'volumeHandle':'other'}}}", 422,
                "{'message':'~spec.persistentvolumesource: Forbidden: spec.persistentvolumesource "
                "is immutable after creation'}"),
          MERGE("$volumes/$ns", "{'spec':{'volumeMode':'Block'}}", 422,
                "{'message':'~volumeMode: Invalid value: `Block`: field is immutable'}"),
          MERGE("$volumes/$ns",
                "{'spec':{'claimRef':{'namespace':'No_such','name':'_warm_','uid':'1'}}}", 200,
                "{'spec':{'claimRef':{'namespace':'No_such','name':'_warm_','uid':'1'}}}"),
          MERGE("$volumes/$ns",
                "{'spec':{'storageClassName':'other','persistentVolumeReclaimPolicy':'Delete',"
                "'accessModes':['ReadWriteMany'],'mountOptions':['a'],"
                "'capacity':{'storage':'2Gi'}}}",
                200,
                "{'spec':{'storageClassName':'other','persistentVolumeReclaimPolicy':'Delete'}}"),
          MERGE("$volumes/$ns", "{'spec':{'claimRef':null}}", 200, "{'spec':{'claimRef':null}}")),
    SCENE("a volume that is not whole",
          POST("$volumes", "{'metadata':{'name':'$ns'},'spec':{'capacity':{'storage':'1Gi'}}}", 422,
               "{'message':'~spec.accessModes: Required value'}"),
          POST("$volumes",
               "{'metadata':{'name':'$ns'},'spec':{'accessModes':['ReadWriteOnce'],"
               "'capacity':{'storage':'1Gi'}}}",
               422, "{'message':'~spec: Required value: must specify a volume type'}")),
    SCENES_END,
};

const struct topic topic_admission = {.name = "admission", .scenes = scenes};
