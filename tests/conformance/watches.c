/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define WATCHED MAPS "?watch=true&labelSelector=t"
#define MAKE(name) POST(MAPS, "{'metadata':{'name':'" name "','labels':{'t':'1'}}}", 201, NULL)

static const struct scene scenes[] = {
    SCENE("changes after a version, as they were", MAKE("a"),
          KEEP("begin", "metadata.resourceVersion"),
          MERGE(MAPS "/a", "{'data':{'x':'1'}}", 200, NULL),
          KEEP("second", "metadata.resourceVersion"), MAKE("b"), DELETE(MAPS "/a", NULL, 200, NULL),
          WATCH(WATCHED "&resourceVersion=$begin"),
          HEAR("{'type':'MODIFIED','object':{'kind':'ConfigMap','apiVersion':'v1','data':{'x':'1'},"
               "'metadata':{'name':'a','resourceVersion':'$second'}}}"),
          HEAR("{'type':'ADDED','object':{'metadata':{'name':'b'}}}"),
          HEAR("{'type':'DELETED','object':{'metadata':{'name':'a'},'data':{'x':'1'}}}"),
          SILENCE(200), MAKE("c"), HEAR("{'type':'ADDED','object':{'metadata':{'name':'c'}}}")),
    SCENE("the version of a deletion is its own", MAKE("a"),
          KEEP("begin", "metadata.resourceVersion"), DELETE(MAPS "/a", NULL, 200, NULL),
          WATCH(WATCHED "&resourceVersion=$begin"), HEAR("{'type':'DELETED'}"), MAKE("a"),
          HEAR("{'type':'ADDED'}")),
    SCENE("without a version what is there comes first", MAKE("a"), MAKE("b"), WATCH(WATCHED),
          HEAR("{'type':'ADDED','object':{'metadata':{'name':'a'}}}"),
          HEAR("{'type':'ADDED','object':{'metadata':{'name':'b'}}}"), SILENCE(200),
          DELETE(MAPS "/b", NULL, 200, NULL), HEAR("{'type':'DELETED'}"),
          WATCH(WATCHED "&resourceVersion=0"),
          HEAR("{'type':'ADDED','object':{'metadata':{'name':'a'}}}")),
    SCENE("an object that begins and stops to match", WATCH(WATCHED "%3D1"),
          POST(MAPS, "{'metadata':{'name':'a','labels':{'t':'0'}}}", 201, NULL), SILENCE(200),
          MERGE(MAPS "/a", "{'metadata':{'labels':{'t':'1'}}}", 200, NULL),
          HEAR("{'type':'ADDED','object':{'metadata':{'labels':{'t':'1'}}}}"),
          MERGE(MAPS "/a", "{'data':{'x':'1'}}", 200, NULL), HEAR("{'type':'MODIFIED'}"),
          MERGE(MAPS "/a", "{'metadata':{'labels':{'t':'2'}},'data':{'x':'2'}}", 200, NULL),
          KEEP("version", "metadata.resourceVersion"),
          HEAR("{'type':'DELETED','object':{'data':{'x':'1'},"
               "'metadata':{'labels':{'t':'1'},'resourceVersion':'$version'}}}"),
          MERGE(MAPS "/a", "{'data':{'x':'3'}}", 200, NULL), DELETE(MAPS "/a", NULL, 200, NULL),
          SILENCE(200)),
    SCENE("of one object", MAKE("a"), MAKE("b"),
          WATCH(MAPS "?watch=1&fieldSelector=metadata.name%3Db"),
          HEAR("{'type':'ADDED','object':{'metadata':{'name':'b'}}}"),
          MERGE(MAPS "/a", "{'data':{'x':'1'}}", 200, NULL),
          MERGE(MAPS "/b", "{'data':{'x':'1'}}", 200, NULL),
          HEAR("{'type':'MODIFIED','object':{'metadata':{'name':'b'}}}")),
    SCENE("of custom objects in all namespaces",
          WATCH("/apis/adjoint.dev/v1alpha1/instances?watch=1&labelSelector=t%3D$ns"),
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1',"
               "'metadata':{'name':'a','labels':{'t':'$ns'}},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          HEAR("{'type':'ADDED','object':{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1',"
               "'metadata':{'name':'a','namespace':'$ns'},'spec':{'deletionPolicy':'Delete'}}}")),
    SCENE("a finalizer: modified, then deleted",
          POST(MAPS, "{'metadata':{'name':'a','labels':{'t':'1'},'finalizers':['example.com/x']}}",
               201, NULL),
          KEEP("begin", "metadata.resourceVersion"), DELETE(MAPS "/a", NULL, 200, NULL),
          MERGE(MAPS "/a", "{'metadata':{'finalizers':null}}", 200, NULL),
          WATCH(WATCHED "&resourceVersion=$begin"),
          HEAR("{'type':'MODIFIED','object':{'metadata':{'deletionTimestamp':'*',"
               "'finalizers':['example.com/x']}}}"),
          HEAR("{'type':'DELETED','object':{'metadata':{'deletionTimestamp':'*'}}}"), SILENCE(200)),
    SCENE("a version that is forgotten is told in the stream", MAKE("a"), COMPACT,
          WATCH("$ours/pools?watch=1&resourceVersion=1"),
          HEAR("{'type':'ERROR','object':{'kind':'Status','apiVersion':'v1','status':'Failure',"
               "'reason':'Expired','code':410,'message':'~too old resource version'}}"),
          ENDED),
    SCENE("it ends when it was asked to", MAKE("a"), WATCH(WATCHED "&timeoutSeconds=1"),
          HEAR("{'type':'ADDED'}"), ENDED),
    SCENE("bookmarks", MAKE("a"), WATCH(WATCHED "&allowWatchBookmarks=true&timeoutSeconds=4"),
          HEAR("{'type':'ADDED'}"),
          HEAR("{'type':'BOOKMARK','object':{'kind':'ConfigMap','apiVersion':'v1',"
               "'metadata':{'resourceVersion':'*','name':null}}}")),
    SCENE("no bookmarks unless asked for", MAKE("a"), WATCH(WATCHED "&timeoutSeconds=4"),
          HEAR("{'type':'ADDED'}"), ENDED),
    SCENE("what is refused",
          GET(MAPS "?watch=1&labelSelector=%3D%3D", 400, "{'reason':'BadRequest'}")),
    SCENES_END,
};

const struct topic topic_watches = {.name = "watches", .scenes = scenes};
