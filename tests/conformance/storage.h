/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes and claims for the tables. All of a scene are of the class $ns, which the scenes of other
   numbers do not see, and of a driver that nobody runs: what happens to them is the binder's. */
#ifndef ADJOINT_CONFORMANCE_STORAGE_H
#define ADJOINT_CONFORMANCE_STORAGE_H

#include "conformance/scene.h"

#define CLAIMS "$core/persistentvolumeclaims"
#define VOLUME_PATH(name) "$volumes/$ns-" name

/* The class $ns, whose claims nobody provisions. */
#define MAKE_CLASS(mode)                                                                           \
    POST("$classes",                                                                               \
         "{'metadata':{'name':'$ns'},'provisioner':'nobody.example.com',"                          \
         "'volumeBindingMode':'" mode "'}",                                                        \
         201, NULL)
/* The class $ns-inert: nobody's, and not to be bound unless a volume names the claim. */
#define MAKE_INERT_CLASS                                                                           \
    POST("$classes",                                                                               \
         "{'metadata':{'name':'$ns-inert'},'provisioner':'kubernetes.io/no-provisioner',"          \
         "'volumeBindingMode':'WaitForFirstConsumer'}",                                            \
         201, NULL)

/* more: ",'key':..." of the spec. */
#define VOLUME_OF(name, class, size, more)                                                         \
    "{'metadata':{'name':'$ns-" name "'},'spec':{'accessModes':['ReadWriteOnce'],"                 \
    "'capacity':{'storage':'" size                                                                 \
    "'},'storageClassName':'" class "',"                                                           \
                                    "'persistentVolumeReclaimPolicy':'Retain',"                    \
                                    "'csi':{'driver':'nobody.example.com','volumeHandle':'$"       \
                                    "ns-" name "'}" more "}}"
#define MAKE_VOLUME(name, more) POST("$volumes", VOLUME_OF(name, "$ns", "1Gi", more), 201, NULL)
#define CLAIM_OF(name, class, more)                                                                \
    "{'metadata':{'name':'" name "'},'spec':{'accessModes':['ReadWriteOnce'],"                     \
    "'storageClassName':'" class "','resources':{'requests':{'storage':'1Gi'}}" more "}}"
#define MAKE_CLAIM(name, more) POST(CLAIMS, CLAIM_OF(name, "$ns", more), 201, NULL)
#define MAKE_INERT_CLAIM(name, more) POST(CLAIMS, CLAIM_OF(name, "$ns-inert", more), 201, NULL)

#define VOLUME_REF(claim, uid) "'claimRef':{'namespace':'$ns','name':'" claim "','uid':'" uid "'}"

#define AWAIT_VOLUME(name, phase) AWAIT(VOLUME_PATH(name), 200, "{'status':{'phase':'" phase "'}}")
#define AWAIT_CLAIM(name, phase) AWAIT(CLAIMS "/" name, 200, "{'status':{'phase':'" phase "'}}")
#define AWAIT_BOUND(claim, volume)                                                                 \
    AWAIT(CLAIMS "/" claim, 200,                                                                   \
          "{'spec':{'volumeName':'$ns-" volume "'},'status':{'phase':'Bound'}}"),                  \
        AWAIT(VOLUME_PATH(volume), 200,                                                            \
              "{'spec':{'claimRef':{'namespace':'$ns','name':'" claim                              \
              "'}},'status':{'phase':'Bound'}}")
#define AWAIT_EVENT(claim, reason)                                                                 \
    AWAIT("$core/events", 200,                                                                     \
          "{'items':['some',{'reason':'" reason "','involvedObject':{'name':'" claim "'}}]}")

/* A volume v and the claim holding it, both bound: $holding is the claim's uid. */
#define MAKE_WARM                                                                                  \
    MAKE_VOLUME("v", ",'claimRef':{'namespace':'$ns','name':'holding'}"),                          \
        MAKE_CLAIM("holding", ",'volumeName':'$ns-v'"), KEEP("holding", "metadata.uid"),           \
        AWAIT_BOUND("holding", "v")

/* Long enough for a look of each worker, not for a resync. */
#define LOOKS_MS 1000
/* Long enough for a resync of everything. */
#define RESYNC_MS 16500

#endif
