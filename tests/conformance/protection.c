/* SPDX-License-Identifier: Apache-2.0 */
/* Pods are put on a node by hand; there is none of that name, so nobody runs or ends them. */
#include "conformance/storage.h"
#include "conformance/topics.h"

#define PODS "$core/pods"
#define USER_POD(name, more)                                                                       \
    AWAIT_POST(PODS,                                                                               \
               "{'metadata':{'name':'" name "'},'spec':{" more                                     \
               "'schedulerName':'nobody','containers':[{'name':'c','image':'i'}],"                 \
               "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'holding'}}]}}",       \
               201, NULL)
#define ON_A_NODE "'nodeName':'no-such-node',"
#define IS_HELD                                                                                    \
    REST(LOOKS_MS), GET(CLAIMS "/holding", 200,                                                    \
                        "{'metadata':{'deletionTimestamp':'*','finalizers':["                      \
                        "'kubernetes.io/pvc-protection']},'status':{'phase':'Bound'}}")
#define KILL(name)                                                                                 \
    DELETE(PODS "/" name, "{'gracePeriodSeconds':0}", 200, NULL), GET(PODS "/" name, 404, NULL)

static const struct scene scenes[] = {
    SCENE("a claim that nobody uses goes at once", MAKE_CLASS("Immediate"), MAKE_WARM,
          DELETE(CLAIMS "/holding", NULL, 200, NULL), AWAIT(CLAIMS "/holding", 404, NULL),
          AWAIT_VOLUME("v", "Released")),
    SCENE("a pod of a node keeps its claim", MAKE_CLASS("Immediate"), MAKE_WARM,
          USER_POD("p", ON_A_NODE), DELETE(CLAIMS "/holding", NULL, 200, NULL), IS_HELD,
          GET(VOLUME_PATH("v"), 200, "{'status':{'phase':'Bound'}}"), KILL("p"),
          AWAIT(CLAIMS "/holding", 404, NULL), AWAIT_VOLUME("v", "Released")),
    SCENE("also one that has finished", MAKE_CLASS("Immediate"), MAKE_WARM,
          USER_POD("p", ON_A_NODE),
          MERGE(PODS "/p/status", "{'status':{'phase':'Succeeded'}}", 200,
                "{'status':{'phase':'Succeeded'}}"),
          DELETE(CLAIMS "/holding", NULL, 200, NULL), IS_HELD, KILL("p"),
          AWAIT(CLAIMS "/holding", 404, NULL)),
    SCENE("the last of two", MAKE_CLASS("Immediate"), MAKE_WARM, USER_POD("p", ON_A_NODE),
          USER_POD("q", ON_A_NODE), DELETE(CLAIMS "/holding", NULL, 200, NULL), KILL("p"), IS_HELD,
          KILL("q"), AWAIT(CLAIMS "/holding", 404, NULL)),
    SCENE("a pod of no node does not", MAKE_CLASS("Immediate"), MAKE_WARM, USER_POD("p", ""),
          DELETE(CLAIMS "/holding", NULL, 200, NULL), AWAIT(CLAIMS "/holding", 404, NULL),
          GET(PODS "/p", 200, NULL)),
    SCENE("a volume that is Bound stays until it is not", MAKE_CLASS("Immediate"), MAKE_WARM,
          DELETE(VOLUME_PATH("v"), NULL, 200, "{'metadata':{'deletionTimestamp':'*'}}"),
          REST(LOOKS_MS),
          GET(VOLUME_PATH("v"), 200,
              "{'metadata':{'finalizers':['kubernetes.io/pv-protection']},"
              "'status':{'phase':'Bound'}}"),
          DELETE(CLAIMS "/holding", NULL, 200, NULL), AWAIT(VOLUME_PATH("v"), 404, NULL)),
    SCENE("one that is Available or Released goes at once", MAKE_CLASS("Immediate"), MAKE_WARM,
          DELETE(CLAIMS "/holding", NULL, 200, NULL), AWAIT_VOLUME("v", "Released"),
          DELETE(VOLUME_PATH("v"), NULL, 200, NULL), AWAIT(VOLUME_PATH("v"), 404, NULL),
          MAKE_VOLUME("w", ""), AWAIT_VOLUME("w", "Available"),
          DELETE(VOLUME_PATH("w"), NULL, 200, NULL), AWAIT(VOLUME_PATH("w"), 404, NULL)),
    SCENE("a finalizer of our own keeps it", MAKE_CLASS("Immediate"), MAKE_VOLUME("w", ""),
          MERGE(VOLUME_PATH("w"),
                "{'metadata':{'finalizers':['kubernetes.io/pv-protection','adjoint.dev/volume']}}",
                200, NULL),
          DELETE(VOLUME_PATH("w"), NULL, 200, NULL),
          AWAIT(VOLUME_PATH("w"), 200, "{'metadata':{'finalizers':['adjoint.dev/volume']}}"),
          MAKE_CLAIM("a", ""), REST(LOOKS_MS),
          GET(CLAIMS "/a", 200, "{'status':{'phase':'Pending'}}"),
          MERGE(VOLUME_PATH("w"), "{'metadata':{'finalizers':null}}", 200, NULL),
          GET(VOLUME_PATH("w"), 404, NULL)),
    SCENE("a claim that is going is not bound", MAKE_CLASS("Immediate"),
          POST(CLAIMS,
               "{'metadata':{'name':'a','finalizers':['example.com/x']},'spec':{"
               "'accessModes':['ReadWriteOnce'],'storageClassName':'$ns',"
               "'resources':{'requests':{'storage':'1Gi'}}}}",
               201, NULL),
          DELETE(CLAIMS "/a", NULL, 200, NULL),
          AWAIT(CLAIMS "/a", 200, "{'metadata':{'finalizers':['example.com/x']}}"),
          MAKE_VOLUME("v", ""), AWAIT_VOLUME("v", "Available"), REST(LOOKS_MS),
          GET(VOLUME_PATH("v"), 200, "{'status':{'phase':'Available'}}"),
          MERGE(CLAIMS "/a", "{'metadata':{'finalizers':null}}", 200, NULL),
          GET(CLAIMS "/a", 404, NULL)),
    SCENES_END,
};

const struct topic topic_protection = {.name = "protection", .scenes = scenes};
