/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define MAKE(name, labels)                                                                         \
    POST(MAPS, "{'metadata':{'name':'" name "','labels':{" labels "}}}", 201, NULL)
#define OBJECTS                                                                                    \
    MAKE("a", "'t':'','colour':'red','size':'1'"), MAKE("b", "'t':'','colour':'blue'"),            \
        MAKE("c", "'t':'','size':'2'")
#define LIST(selector) MAPS "?labelSelector=t," selector
#define NAMES_0 "{'items':[]}"
#define NAMES_1(x) "{'items':[{'metadata':{'name':'" x "'}}]}"
#define NAMES_2(x, y) "{'items':[{'metadata':{'name':'" x "'}},{'metadata':{'name':'" y "'}}]}"

static const struct scene scenes[] = {
    SCENE("labels", OBJECTS, GET(LIST("colour%3Dred"), 200, NAMES_1("a")),
          GET(LIST("colour%3D%3Dred"), 200, NAMES_1("a")),
          GET(LIST("colour!%3Dred"), 200, NAMES_2("b", "c")),
          GET(LIST("colour%20in%20(red,blue)"), 200, NAMES_2("a", "b")),
          GET(LIST("colour%20notin%20(red)"), 200, NAMES_2("b", "c")),
          GET(LIST("size"), 200, NAMES_2("a", "c")), GET(LIST("!size"), 200, NAMES_1("b")),
          GET(LIST("size%3E1"), 200, NAMES_1("c")), GET(LIST("size%3C2"), 200, NAMES_1("a")),
          GET(LIST("size,colour"), 200, NAMES_1("a")), GET(LIST("nothing"), 200, NAMES_0)),
    SCENE("what is no selector", GET(LIST("a%3Db%3Dc"), 400, "{'reason':'BadRequest'}"),
          GET(MAPS "?labelSelector=a%20b", 400, "{'reason':'BadRequest'}"),
          GET(MAPS "?labelSelector=a%20in%20b", 400, "{'reason':'BadRequest'}")),
    SCENE("fields", OBJECTS,
          GET(MAPS "?labelSelector=t&fieldSelector=metadata.name%3Db", 200, NAMES_1("b")),
          GET(MAPS "?labelSelector=t&fieldSelector=metadata.name!%3Db", 200, NAMES_2("a", "c")),
          GET("/api/v1/configmaps?labelSelector=t&fieldSelector=metadata.namespace%3D$ns,"
              "metadata.name%3Db",
              200, NAMES_1("b")),
          GET(MAPS "?fieldSelector=data.x%3D1", 400,
              "{'reason':'BadRequest','message':'`data.x` is not a known field selector: only "
              "`metadata.name`, `metadata.namespace`'}"),
          GET("$ours/pools?fieldSelector=metadata.name%3Da", 200, NAMES_0),
          GET("$ours/pools?fieldSelector=spec.size%3D1", 400, "{'reason':'BadRequest'}")),
    SCENE("fields of pods",
          AWAIT_POST("$core/pods",
                     "{'metadata':{'name':'a'},'spec':{'nodeName':'no-such-node',"
                     "'containers':[{'name':'c','image':'i'}]}}",
                     201, NULL),
          GET("$core/pods?fieldSelector=spec.nodeName%3Dno-such-node", 200, NAMES_1("a")),
          GET("$core/pods?fieldSelector=spec.nodeName%3Dother", 200, NAMES_0),
          GET("$core/pods?fieldSelector=status.phase%3DPending", 200, NAMES_1("a")),
          GET("$core/pods?fieldSelector=status.phase!%3DPending", 200, NAMES_0)),
    SCENES_END,
};

const struct topic topic_selectors = {.name = "selectors", .scenes = scenes};
