/* SPDX-License-Identifier: Apache-2.0 */
/* What the binder makes of a volume by its claimRef (syncVolume): a scene for each row. */
#include "conformance/storage.h"
#include "conformance/topics.h"

static const struct scene scenes[] = {
    SCENE("no claimRef: Available", MAKE_CLASS("Immediate"), MAKE_VOLUME("v", ""),
          AWAIT_VOLUME("v", "Available"), REST(LOOKS_MS),
          GET(VOLUME_PATH("v"), 200, "{'spec':{'claimRef':null},'status':{'phase':'Available'}}")),
    SCENE("a claimRef without uid: Available, whether the claim is there or not",
          MAKE_CLASS("Immediate"),
          MAKE_VOLUME("v", ",'claimRef':{'namespace':'$ns','name':'none'},"
                           "'persistentVolumeReclaimPolicy':'Delete'"),
          AWAIT_VOLUME("v", "Available"), REST(LOOKS_MS),
          GET(VOLUME_PATH("v"), 200,
              "{'spec':{'claimRef':{'uid':null}},'status':{'phase':'Available'}}")),
    SCENE("a uid of nobody: Released, and what is to be deleted is left to its driver",
          MAKE_CLASS("Immediate"), MAKE_VOLUME("v", "," VOLUME_REF("none", "u-1")),
          MAKE_VOLUME("w", "," VOLUME_REF("none", "u-1") ",'persistentVolumeReclaimPolicy':"
                                                         "'Delete'"),
          AWAIT_VOLUME("v", "Released"), AWAIT_VOLUME("w", "Released"), REST(LOOKS_MS),
          GET(VOLUME_PATH("w"), 200,
              "{'spec':{'claimRef':{'uid':'u-1'}},'status':{'phase':'Released'}}")),
    SCENE("the uid of another incarnation: Released", MAKE_CLASS("Immediate"), MAKE_CLAIM("a", ""),
          MAKE_VOLUME("v", "," VOLUME_REF("a", "u-1")), AWAIT_VOLUME("v", "Released"),
          REST(LOOKS_MS),
          GET(CLAIMS "/a", 200, "{'spec':{'volumeName':null},'status':{'phase':'Pending'}}")),
    SCENE("the uid of a claim without volume: bound", MAKE_CLASS("Immediate"), MAKE_INERT_CLASS,
          MAKE_INERT_CLAIM("a", ""), KEEP("uid", "metadata.uid"),
          MAKE_VOLUME("v", "," VOLUME_REF("a", "$uid")), AWAIT_BOUND("a", "v"),
          GET(VOLUME_PATH("v"), 200,
              "{'metadata':{'annotations':null},'spec':{'claimRef':{'uid':'$uid'}}}"),
          GET(CLAIMS "/a", 200,
              "{'metadata':{'annotations':{'pv.kubernetes.io/bind-completed':'yes',"
              "'pv.kubernetes.io/bound-by-controller':'yes'}},"
              "'status':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'}}}")),
    SCENE("the uid of a claim that names it: Bound, also straight from Released",
          MAKE_CLASS("Immediate"), MAKE_WARM, MAKE_INERT_CLASS,
          MAKE_INERT_CLAIM("a", ",'volumeName':'$ns-v'"), KEEP("uid", "metadata.uid"),
          DELETE(CLAIMS "/holding", NULL, 200, NULL), AWAIT_VOLUME("v", "Released"),
          MERGE(VOLUME_PATH("v"), "{'spec':{" VOLUME_REF("a", "$uid") "}}", 200, NULL),
          AWAIT_BOUND("a", "v")),
    SCENE(
        "a second volume for a claim: unbound, the reference stays", MAKE_CLASS("Immediate"),
        MAKE_WARM, MAKE_VOLUME("w", "," VOLUME_REF("holding", "$holding")),
        AWAIT(VOLUME_PATH("w"), 200,
              "{'spec':{'claimRef':{'namespace':'$ns','name':'holding','uid':null}},"
              "'status':{'phase':'Available'}}"),
        GET(CLAIMS "/holding", 200, "{'spec':{'volumeName':'$ns-v'},'status':{'phase':'Bound'}}")),
    SCENE("a second volume that the binder had bound: unbound, the reference goes",
          MAKE_CLASS("Immediate"), MAKE_WARM,
          POST("$volumes",
               "{'metadata':{'name':'$ns-w','annotations':{'pv.kubernetes.io/bound-by-controller':"
               "'yes'}},'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
               "'storageClassName':'$ns','persistentVolumeReclaimPolicy':'Retain',"
               "'csi':{'driver':'nobody.example.com','volumeHandle':'w'}," VOLUME_REF(
                   "holding", "$holding") "}}",
               201, NULL),
          AWAIT(VOLUME_PATH("w"), 200,
                "{'metadata':{'annotations':null},'spec':{'claimRef':null},"
                "'status':{'phase':'Available'}}")),
    SCENE("a second volume that was provisioned and is to be deleted: Released",
          MAKE_CLASS("Immediate"), MAKE_WARM,
          POST("$volumes",
               "{'metadata':{'name':'$ns-w','annotations':{'pv.kubernetes.io/provisioned-by':"
               "'nobody.example.com'}},'spec':{'accessModes':['ReadWriteOnce'],"
               "'capacity':{'storage':'1Gi'},'storageClassName':'$ns',"
               "'persistentVolumeReclaimPolicy':'Delete',"
               "'csi':{'driver':'nobody.example.com','volumeHandle':'w'}," VOLUME_REF(
                   "holding", "$holding") "}}",
               201, NULL),
          AWAIT(VOLUME_PATH("w"), 200,
                "{'spec':{'claimRef':{'uid':'$holding'}},'status':{'phase':'Released'}}")),
    SCENE("its claim is deleted: Released, whatever the policy", MAKE_CLASS("Immediate"), MAKE_WARM,
          DELETE(CLAIMS "/holding", NULL, 200, NULL), AWAIT_VOLUME("v", "Released"),
          GET(VOLUME_PATH("v"), 200, "{'spec':{'claimRef':{'uid':'$holding'}}}"),
          MERGE(VOLUME_PATH("v"), "{'spec':{'persistentVolumeReclaimPolicy':'Delete'}}", 200, NULL),
          REST(LOOKS_MS), GET(VOLUME_PATH("v"), 200, "{'status':{'phase':'Released'}}"),
          MAKE_CLAIM("holding", ""), REST(LOOKS_MS),
          GET(VOLUME_PATH("v"), 200, "{'status':{'phase':'Released'}}"),
          GET(CLAIMS "/holding", 200, "{'status':{'phase':'Pending'}}")),
    SCENE("Released, and the reference is taken off: Available", MAKE_CLASS("Immediate"), MAKE_WARM,
          DELETE(CLAIMS "/holding", NULL, 200, NULL), AWAIT_VOLUME("v", "Released"),
          MERGE(VOLUME_PATH("v"), "{'spec':{'claimRef':null}}", 200, NULL),
          AWAIT_VOLUME("v", "Available")),
    SCENE("Bound, and the reference is taken off: bound again to the claim that holds it",
          MAKE_CLASS("Immediate"), MAKE_WARM,
          MERGE(VOLUME_PATH("v"), "{'spec':{'claimRef':null}}", 200, NULL),
          AWAIT(VOLUME_PATH("v"), 200,
                "{'spec':{'claimRef':{'uid':'$holding'}},'status':{'phase':'Bound'}}"),
          AWAIT_CLAIM("holding", "Bound")),
    SCENES_END,
};

const struct topic topic_binder_volumes = {.name = "binder: volumes", .scenes = scenes};
