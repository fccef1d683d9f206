/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"

static const struct scene scenes[] = {
    SCENE("an object that is absent",
          GET(MAPS "/a", 404,
              "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',"
              "'message':'configmaps `a` not found','reason':'NotFound',"
              "'details':{'name':'a','group':null,'kind':'configmaps'},'code':404}"),
          GET("$ours/pools/a", 404,
              "{'message':'pools.adjoint.dev `a` not found','reason':'NotFound',"
              "'details':{'name':'a','group':'adjoint.dev','kind':'pools'}}"),
          PUT(MAPS "/a", "{'metadata':{'name':'a'}}", 404,
              "{'reason':'NotFound','message':'configmaps `a` not found'}"),
          MERGE(MAPS "/a", "{}", 404, "{'reason':'NotFound','details':{'name':'a'}}"),
          DELETE(MAPS "/a", NULL, 404, "{'reason':'NotFound','details':{'name':'a'}}"),
          GET("$volumes/$ns", 404, "{'message':'persistentvolumes `$ns` not found'}"),
          GET("/api/v1/namespaces/$ns-not/configmaps/a", 404,
              "{'message':'configmaps `a` not found'}")),
    SCENE("a path that is not served",
          GET("$core/nothings", 404,
              "{'kind':'Status','reason':'NotFound','details':{},"
              "'message':'the server could not find the requested resource'}"),
          GET("/apis/adjoint.dev/v1alpha1/namespaces/$ns/nothings", 404, "~404 page not found"),
          GET("/apis/nothing.dev/v1/things", 404, "~404 page not found"),
          GET("$core/configmaps/a/status", 404, NULL),
          PUT("$core/configmaps", "{'metadata':{'name':'a'}}", 405,
              "{'reason':'MethodNotAllowed','details':{},"
              "'message':'the server does not allow this method on the requested resource'}")),
    SCENE("an object that is there already", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          POST(MAPS, "{'metadata':{'name':'a'}}", 409,
               "{'kind':'Status','status':'Failure','reason':'AlreadyExists','code':409,"
               "'message':'configmaps `a` already exists',"
               "'details':{'name':'a','kind':'configmaps'}}"),
          POST("/api/v1/namespaces", "{'metadata':{'name':'$ns'}}", 409,
               "{'reason':'AlreadyExists','message':'namespaces `$ns` already exists'}")),
    SCENE("an older version", POST(MAPS, "{'metadata':{'name':'a'},'data':{'x':'1'}}", 201, NULL),
          KEEP("old", "metadata.resourceVersion"),
          MERGE(MAPS "/a", "{'data':{'x':'2'}}", 200, NULL),
          PUT(MAPS "/a", "{'metadata':{'name':'a','resourceVersion':'$old'}}", 409,
              "{'reason':'Conflict','details':{'name':'a','kind':'configmaps'},'code':409,"
              "'message':'Operation cannot be fulfilled on configmaps `a`: the object has been "
              "modified; please apply your changes to the latest version and try again'}"),
          MERGE(MAPS "/a", "{'metadata':{'resourceVersion':'$old'},'data':{'x':'3'}}", 409,
                "{'reason':'Conflict','message':'~the object has been modified'}"),
          GET(MAPS "/a", 200, "{'data':{'x':'2'}}")),
    SCENE("another incarnation", POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          KEEP("uid", "metadata.uid"),
          PUT(MAPS "/a", "{'metadata':{'name':'a','uid':'b'}}", 409,
              "{'reason':'Conflict','message':'Operation cannot be fulfilled on configmaps `a`: "
              "StorageError: invalid object, Code: 4, Key: /registry/configmaps/$ns/a, "
              "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
              "b, UID in object meta: $uid'}"),
          MERGE(MAPS "/a", "{'metadata':{'uid':'b'}}", 422,
                "{'reason':'Invalid','message':'~metadata.uid: Invalid value: `b`: field is "
                "immutable'}"),
          MERGE(MAPS "/a", "{'metadata':{'uid':'$uid'},'data':{'x':'1'}}", 200, NULL)),
    SCENE("a body that does not fit its path",
          POST(MAPS, "{'metadata':{'name':'a','namespace':'other'}}", 400,
               "{'reason':'BadRequest','message':'the namespace of the provided object does not "
               "match the namespace sent on the request'}"),
          POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          PUT(MAPS "/a", "{'metadata':{'name':'b'}}", 400,
              "{'reason':'BadRequest','message':'the name of the object (b) does not match the "
              "name on the URL (a)'}"),
          POST(MAPS, "{'kind':'Secret','apiVersion':'v1','metadata':{'name':'b'}}", 400,
               "{'reason':'BadRequest'}"),
          POST(MAPS, "{'metadata':", 400, "{'reason':'BadRequest'}"),
          MERGE(MAPS "/a", "[]", 400, "{'reason':'BadRequest'}"),
          JSON_PATCH(MAPS "/a", "{}", 400, "{'reason':'BadRequest'}")),
    SCENE("a body of an unknown type",
          SEND(METHOD_POST, "text/plain", MAPS, "{'metadata':{'name':'a'}}", 415,
               "{'reason':'UnsupportedMediaType'}"),
          POST(MAPS, "{'metadata':{'name':'a'}}", 201, NULL),
          SEND(METHOD_PATCH, "application/json", MAPS "/a", "{}", 415,
               "{'reason':'UnsupportedMediaType'}"),
          POST("$ours/pools", "{}", 400, "{'reason':'BadRequest'}"),
          GET_AS("application/pdf", MAPS "/a", 406, "{'reason':'NotAcceptable'}")),
    SCENE("a name that is none",
          POST(MAPS, "{'metadata':{}}", 422,
               "{'reason':'Invalid','details':{'kind':'ConfigMap','causes':['some',"
               "{'reason':'FieldValueRequired','field':'metadata.name',"
               "'message':'Required value: name or generateName is required'}]},"
               "'message':'ConfigMap `` is invalid: metadata.name: Required value: name or "
               "generateName is required'}"),
          POST(MAPS, "{'metadata':{'name':'A_b'}}", 422,
               "{'reason':'Invalid','code':422,'details':{'name':'A_b','kind':'ConfigMap',"
               "'causes':['some',{'reason':'FieldValueInvalid','field':'metadata.name'}]},"
               "'message':'~ConfigMap `A_b` is invalid: metadata.name: Invalid value: `A_b`: a "
               "lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
               "characters'}"),
          POST("/api/v1/namespaces", "{'metadata':{'name':'a.b'}}", 422,
               "{'message':'Namespace `a.b` is invalid: metadata.name: Invalid value: `a.b`: must "
               "not contain dots'}"),
          POST(MAPS, "{'metadata':{'name':'a','labels':{'x':'a b'}}}", 422,
               "{'message':'~metadata.labels: Invalid value: `a b`'}"),
          POST(MAPS, "{'metadata':{'name':'a','labels':{'x y':'a'}}}", 422,
               "{'message':'~metadata.labels: Invalid value: `x y`'}"),
          POST(MAPS, "{'metadata':{'name':'a','finalizers':['x']}}", 422,
               "{'message':'~metadata.finalizers'}")),
    SCENE("a namespace that is absent",
          POST("/api/v1/namespaces/$ns-not/configmaps", "{'metadata':{'name':'a'}}", 404,
               "{'reason':'NotFound','message':'namespaces `$ns-not` not found',"
               "'details':{'name':'$ns-not','kind':'namespaces'}}"),
          GET("/api/v1/namespaces/$ns-not/configmaps", 200, "{'kind':'ConfigMapList','items':[]}")),
    SCENES_END,
};

const struct topic topic_errors = {.name = "errors", .scenes = scenes};
