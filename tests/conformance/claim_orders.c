/* SPDX-License-Identifier: Apache-2.0 */
/* The orders in which a warm volume can be moved to another claim, and how each ends. How long they
   take is in timings.c. */
#include "conformance/storage.h"
#include "conformance/topics.h"

#define RETAIN                                                                                     \
    MERGE(VOLUME_PATH("v"), "{'spec':{'persistentVolumeReclaimPolicy':'Retain'}}", 200, NULL)
#define POINT_BY_NAME                                                                              \
    JSON_PATCH(VOLUME_PATH("v"),                                                                   \
               "[{'op':'test','path':'/spec/claimRef/uid','value':'$holding'},"                    \
               "{'op':'replace','path':'/spec/claimRef','value':{'kind':'PersistentVolumeClaim',"  \
               "'apiVersion':'v1','namespace':'$ns','name':'a'}}]",                                \
               200, NULL)
#define POINT_BY_UID                                                                               \
    JSON_PATCH(VOLUME_PATH("v"),                                                                   \
               "[{'op':'test','path':'/metadata/deletionTimestamp','value':null},"                 \
               "{'op':'test','path':'/status/phase','value':'Bound'},"                             \
               "{'op':'test','path':'/spec/claimRef/uid','value':'$holding'},"                     \
               "{'op':'replace','path':'/spec/claimRef','value':{'kind':'PersistentVolumeClaim',"  \
               "'apiVersion':'v1','namespace':'$ns','name':'a','uid':'$uid'}}]",                   \
               200, NULL)
#define DELETE_HOLDING                                                                             \
    DELETE(CLAIMS "/holding", "{'preconditions':{'uid':'$holding'}}", 200, NULL),                  \
        AWAIT(CLAIMS "/holding", 404, NULL)
#define HOLDS_ON                                                                                   \
    REST(LOOKS_MS), GET(CLAIMS "/a", 200, "{'status':{'phase':'Bound'}}"),                         \
        GET(VOLUME_PATH("v"), 200,                                                                 \
            "{'spec':{'claimRef':{'name':'a','uid':'$uid'}},'status':{'phase':'Bound'}}")

static const struct scene scenes[] = {
    SCENE("the seed's: delete, wait, strip, a claim with volumeName", MAKE_CLASS("Immediate"),
          MAKE_WARM, RETAIN, DELETE_HOLDING, AWAIT_VOLUME("v", "Released"),
          MERGE(VOLUME_PATH("v"), "{'spec':{'claimRef':null}}", 200, NULL),
          MAKE_CLAIM("a", ",'volumeName':'$ns-v'"), KEEP("uid", "metadata.uid"),
          AWAIT_BOUND("a", "v"), HOLDS_ON),
    SCENE("Release: re-point by name, then a claim with volumeName", MAKE_CLASS("Immediate"),
          MAKE_WARM, POINT_BY_NAME, MAKE_CLAIM("a", ",'volumeName':'$ns-v'"),
          KEEP("uid", "metadata.uid"), AWAIT_BOUND("a", "v"), AWAIT_CLAIM("holding", "Lost"),
          DELETE_HOLDING, HOLDS_ON),
    SCENE("Swap: a claim without volumeName, then re-point by uid", MAKE_CLASS("Immediate"),
          MAKE_INERT_CLASS, MAKE_WARM, MAKE_INERT_CLAIM("a", ""), KEEP("uid", "metadata.uid"),
          POINT_BY_UID, AWAIT_BOUND("a", "v"), AWAIT_CLAIM("holding", "Lost"), DELETE_HOLDING,
          HOLDS_ON),
    SCENE("Swap, while others wait for a volume of that class", MAKE_CLASS("Immediate"),
          MAKE_INERT_CLASS, MAKE_WARM, MAKE_CLAIM("thief", ""),
          AWAIT_EVENT("thief", "ExternalProvisioning"), MAKE_INERT_CLAIM("a", ""),
          KEEP("uid", "metadata.uid"), POINT_BY_UID, AWAIT_BOUND("a", "v"), DELETE_HOLDING,
          HOLDS_ON, GET(CLAIMS "/thief", 200, "{'status':{'phase':'Pending'}}")),
    SCENE("Swap never lets the volume go: no version of it is Available or Released",
          MAKE_CLASS("Immediate"), MAKE_INERT_CLASS, MAKE_WARM, MAKE_INERT_CLAIM("a", ""),
          KEEP("uid", "metadata.uid"),
          WATCH("$volumes?watch=1&fieldSelector=metadata.name%3D$ns-v"),
          HEAR("{'type':'ADDED','object':{'status':{'phase':'Bound'}}}"), POINT_BY_UID,
          HEAR("{'type':'MODIFIED','object':{'spec':{'claimRef':{'uid':'$uid'}},"
               "'status':{'phase':'Bound'}}}"),
          AWAIT_BOUND("a", "v"), DELETE_HOLDING, SILENCE(LOOKS_MS)),
    SCENE("Swap, with the holding claim deleted by a human before", MAKE_CLASS("Immediate"),
          MAKE_INERT_CLASS, MAKE_WARM, MAKE_INERT_CLAIM("a", ""), KEEP("uid", "metadata.uid"),
          DELETE_HOLDING, AWAIT_VOLUME("v", "Released"),
          MERGE(VOLUME_PATH("v"), "{'spec':{" VOLUME_REF("a", "$uid") "}}", 200, NULL),
          AWAIT_BOUND("a", "v"), HOLDS_ON),
    SCENE("a claim with volumeName first, then re-point by uid: by the resync",
          MAKE_CLASS("Immediate"), MAKE_WARM, MAKE_CLAIM("a", ",'volumeName':'$ns-v'"),
          KEEP("uid", "metadata.uid"), AWAIT_EVENT("a", "FailedBinding"), POINT_BY_UID,
          AWAIT_BOUND("a", "v"), DELETE_HOLDING, HOLDS_ON),
    SCENE("the same, with a touch of the claim instead of the resync", MAKE_CLASS("Immediate"),
          MAKE_WARM, MAKE_CLAIM("a", ",'volumeName':'$ns-v'"), KEEP("uid", "metadata.uid"),
          AWAIT_EVENT("a", "FailedBinding"), POINT_BY_UID,
          MERGE(CLAIMS "/a", "{'metadata':{'annotations':{'touched':'1'}}}", 200, NULL),
          AWAIT_BOUND("a", "v")),
    SCENE("completing the binding ourselves", MAKE_CLASS("Immediate"), MAKE_INERT_CLASS, MAKE_WARM,
          MAKE_INERT_CLAIM("a", ""), KEEP("uid", "metadata.uid"), POINT_BY_UID,
          AWAIT_POST(CLAIMS "?dryRun=All", CLAIM_OF("b", "$ns", ""), 201, NULL),
          MERGE(CLAIMS "/a",
                "{'metadata':{'annotations':{'pv.kubernetes.io/bind-completed':'yes'}},"
                "'spec':{'volumeName':'$ns-v'}}",
                200, NULL),
          AWAIT_BOUND("a", "v"), DELETE_HOLDING, HOLDS_ON),
    SCENE("the claim goes before it is bound: what is pointed at it is Released, and kept",
          MAKE_CLASS("Immediate"), MAKE_INERT_CLASS, MAKE_WARM, MAKE_INERT_CLAIM("a", ""),
          KEEP("uid", "metadata.uid"), DELETE(CLAIMS "/a", NULL, 200, NULL),
          AWAIT(CLAIMS "/a", 404, NULL), POINT_BY_UID, AWAIT_VOLUME("v", "Released"),
          AWAIT_CLAIM("holding", "Lost"),
          MERGE(VOLUME_PATH("v"), "{'spec':{" VOLUME_REF("holding", "$holding") "}}", 200, NULL),
          AWAIT_BOUND("holding", "v")),
    SCENES_END,
};

const struct topic topic_claim_orders = {.name = "claim orders", .scenes = scenes};
