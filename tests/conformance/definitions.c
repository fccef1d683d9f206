/* SPDX-License-Identifier: Apache-2.0 */
/* CustomResourceDefinitions, each in a group of its scene's. */
#include "conformance/topics.h"

#define CRDS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define CRD CRDS "/things.$ns.dev"
#define THINGS "/apis/$ns.dev/v1/namespaces/$ns/things"
#define DEFINITION(schema)                                                                         \
    "{'metadata':{'name':'things.$ns.dev'},'spec':{'group':'$ns.dev','scope':'Namespaced',"        \
    "'names':{'kind':'Thing','plural':'things','singular':'thing','shortNames':['th']},"           \
    "'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"           \
    "{'type':'object','properties':{'spec':{'type':'object'," schema "}}}}}]}}"
#define DEFINE(schema)                                                                             \
    POST(CRDS, DEFINITION(schema), 201, NULL), AWAIT(THINGS, 200, "{'kind':'ThingList'}")
#define THING(name, spec)                                                                          \
    "{'kind':'Thing','apiVersion':'$ns.dev/v1','metadata':{'name':'" name "'},'spec':{" spec "}}"

static const struct scene scenes[] = {
    SCENE("from posting to serving",
          POST(CRDS, DEFINITION("'properties':{'a':{'type':'string'}}"), 201,
               "{'kind':'CustomResourceDefinition','metadata':{'generation':1},"
               "'spec':{'conversion':{'strategy':'None'},'names':{'listKind':'ThingList'}}}"),
          AWAIT(CRD, 200,
                "{'status':{'acceptedNames':{'kind':'Thing','plural':'things'},"
                "'storedVersions':['v1'],'conditions':['some',{'type':'NamesAccepted',"
                "'status':'True'},{'type':'Established','status':'True'}]}}"),
          AWAIT(THINGS, 200, "{'kind':'ThingList','apiVersion':'$ns.dev/v1','items':[]}"),
          AWAIT("/apis/$ns.dev/v1", 200,
                "{'resources':['some',{'name':'things','kind':'Thing','shortNames':['th']}]}"),
          POST(THINGS, THING("a", "'a':'x'"), 201,
               "{'kind':'Thing','apiVersion':'$ns.dev/v1','metadata':{'generation':1},"
               "'spec':{'a':'x'}}"),
          GET(THINGS "/a/status", 404, NULL), GET(THINGS "/a/scale", 404, NULL)),
    SCENE("its end takes its objects with it", DEFINE("'properties':{'a':{'type':'string'}}"),
          POST(THINGS, THING("a", ""), 201, NULL), DELETE(CRD, NULL, 200, NULL),
          AWAIT(CRD, 404, NULL), AWAIT(THINGS, 404, NULL)),
    SCENE(
        "its end waits for finalizers", DEFINE("'properties':{'a':{'type':'string'}}"),
        POST(THINGS,
             "{'kind':'Thing','apiVersion':'$ns.dev/v1','metadata':{'name':'a',"
             "'finalizers':['example.com/x']}}",
             201, NULL),
        DELETE(CRD, NULL, 200, NULL),
        AWAIT(THINGS "/a", 200, "{'metadata':{'deletionTimestamp':'*'}}"),
        GET(CRD, 200, "{'status':{'conditions':['some',{'type':'Terminating','status':'True'}]}}"),
        AWAIT_POST(THINGS, THING("b", ""), 403,
                   "{'reason':'Forbidden','message':'things.$ns.dev `b` is forbidden: create not "
                   "allowed while custom resource definition is terminating'}"),
        MERGE(THINGS "/a", "{'metadata':{'finalizers':null}}", 200, NULL), AWAIT(CRD, 404, NULL)),
    SCENE(
        "what is no definition",
        POST(CRDS,
             "{'metadata':{'name':'other.$ns.dev'},'spec':{'group':'$ns.dev',"
             "'scope':'Namespaced','names':{'kind':'Thing','plural':'things'},'versions':["
             "{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
             "{'type':'object'}}}]}}",
             422,
             "{'reason':'Invalid','message':'~metadata.name: Invalid value: `other.$ns.dev`: must "
             "be spec.names.plural+`.`+spec.group'}"),
        POST(CRDS,
             "{'metadata':{'name':'things.$ns.dev'},'spec':{'group':'$ns.dev',"
             "'scope':'Namespaced','names':{'kind':'Thing','plural':'things'},'versions':["
             "{'name':'v1','served':true,'storage':true}]}}",
             422, "{'message':'~spec.versions[0].schema.openAPIV3Schema: Required value'}"),
        POST(CRDS, DEFINITION("'properties':{'a':{}}"), 422,
             "{'message':'~Schema.properties[spec].properties[a].type: "
             "Required value: must not be empty for specified object fields'}"),
        POST(CRDS, DEFINITION("'properties':{'a':{'type':'integer','default':'x'}}"), 422,
             "{'message':'~properties[a].default: Invalid value: `string`'}"),
        POST(CRDS, DEFINITION("'x-kubernetes-validations':[{'rule':'self.none == 1'}]"), 422,
             "{'message':'~undefined field'}"),
        POST(CRDS, DEFINITION("'x-kubernetes-validations':[{'rule':'1 +'}]"), 422,
             "{'message':'~compilation failed'}")),
    SCENE("defaults",
          DEFINE("'default':{},'properties':{'a':{'type':'string','default':'x'},"
                 "'b':{'type':'object','properties':{'c':{'type':'integer','default':7}}},"
                 "'d':{'type':'object','default':{},'properties':{'e':{'type':'boolean',"
                 "'default':true}}},'f':{'type':'array','default':['g'],'items':{'type':'string'}},"
                 "'h':{'type':'string','nullable':true,'default':'y'}}"),
          POST(THINGS, "{'kind':'Thing','apiVersion':'$ns.dev/v1','metadata':{'name':'a'}}", 201,
               "{'spec':{'a':'x','b':null,'d':{'e':true},'f':['g'],'h':'y'}}"),
          POST(THINGS, THING("b", "'a':'z','b':{},'d':{'e':false},'f':[]"), 201,
               "{'spec':{'a':'z','b':{'c':7},'d':{'e':false},'f':[]}}"),
          POST(THINGS, THING("c", "'a':null,'h':null"), 201, "{'spec':{'a':'x','h':null}}")),
    SCENE("pruning",
          DEFINE("'properties':{'a':{'type':'string'},'b':{'type':'object',"
                 "'x-kubernetes-preserve-unknown-fields':true},'c':{'type':'object',"
                 "'additionalProperties':{'type':'string'}},'d':{'type':'array','items':"
                 "{'type':'object','properties':{'e':{'type':'string'}}}}}"),
          POST(THINGS, THING("a", "'a':'x','z':1,'b':{'z':1},'c':{'z':'1'},'d':[{'e':'1','z':1}]"),
               201,
               "{'spec':{'a':'x','z':null,'b':{'z':1},'c':{'z':'1'},'d':[{'e':'1','z':null}]}}"),
          POST(THINGS "?fieldValidation=Strict", THING("b", "'a':'x','z':1,'d':[{'y':1}]"), 400,
               "{'reason':'BadRequest','message':'~strict decoding error: unknown field "
               "`spec.d[0].y`, unknown field `spec.z`'}"),
          POST(THINGS "?fieldValidation=Ignore", THING("b", "'z':1"), 201, "{'spec':{'z':null}}"),
          POST(THINGS "?fieldValidation=Loud", THING("c", ""), 422, NULL)),
    SCENE(
        "bounds",
        DEFINE("'required':['a'],'properties':{'a':{'type':'string','minLength':2,'maxLength':4,"
               "'pattern':'^[a-z]+$'},'b':{'type':'integer','minimum':1,'maximum':9},"
               "'c':{'type':'string','enum':['x','y']},'d':{'type':'array','maxItems':2,"
               "'items':{'type':'string'}},'e':{'x-kubernetes-int-or-string':true},"
               "'f':{'type':'string','format':'date-time'}}"),
        POST(THINGS, THING("a", ""), 422,
             "{'reason':'Invalid','details':{'causes':['some',{'reason':'FieldValueRequired',"
             "'field':'spec.a','message':'Required value'}]},"
             "'message':'~spec.a: Required value'}"),
        POST(THINGS, THING("a", "'a':'x'"), 422,
             "{'message':'~spec.a: Invalid value: `x`: spec.a in body should be at least 2 chars "
             "long'}"),
        POST(THINGS, THING("a", "'a':'xxxxx'"), 422,
             "{'message':'~spec.a: Too long: may not be more than 4 '}"),
        POST(THINGS, THING("a", "'a':'XX'"), 422,
             "{'message':'~spec.a: Invalid value: `XX`: spec.a in body should match'}"),
        POST(THINGS, THING("a", "'a':'xx','b':10"), 422,
             "{'message':'~spec.b: Invalid value: 10: spec.b in body should be less than or equal "
             "to 9'}"),
        POST(THINGS, THING("a", "'a':'xx','b':1.5"), 422,
             "{'message':'~spec.b: Invalid value: `number`: spec.b in body must be of type "
             "integer: `number`'}"),
        POST(THINGS, THING("a", "'a':'xx','c':'z'"), 422,
             "{'message':'~spec.c: Unsupported value: `z`: supported values: `x`, `y`'}"),
        POST(THINGS, THING("a", "'a':'xx','d':['1','2','3']"), 422,
             "{'message':'~spec.d: Too many: 3: must have at most 2 items'}"),
        POST(THINGS, THING("a", "'a':'xx','e':true"), 422,
             "{'message':'~spec.e: Invalid value: `boolean`'}"),
        POST(THINGS, THING("a", "'a':'xx','f':'now'"), 422,
             "{'message':'~spec.f: Invalid value: `now`: spec.f in body must be of type "
             "date-time: `now`'}"),
        POST(THINGS,
             THING("a", "'a':'xx','b':9,'c':'y','d':[],'e':'5','f':"
                        "'2026-01-01T00:00:00Z'"),
             201, NULL)),
    SCENE("lists with keys",
          DEFINE("'properties':{'a':{'type':'array','x-kubernetes-list-type':'map',"
                 "'x-kubernetes-list-map-keys':['k'],'items':{'type':'object','required':['k'],"
                 "'properties':{'k':{'type':'string'},'v':{'type':'string'}}}},'b':{'type':'array',"
                 "'x-kubernetes-list-type':'set','items':{'type':'string'}}}"),
          POST(THINGS, THING("a", "'a':[{'k':'1'},{'k':'1'}]"), 422,
               "{'message':'~spec.a[1]: Duplicate value: {`k`:`1`}'}"),
          POST(THINGS, THING("a", "'b':['x','x']"), 422,
               "{'message':'~spec.b[1]: Duplicate value: `x`'}"),
          POST(THINGS, THING("a", "'a':[{'k':'1'},{'k':'2'}],'b':['x','y']"), 201, NULL)),
    SCENE("rules",
          DEFINE("'properties':{'a':{'type':'integer'},'b':{'type':'integer'},'c':{'type':'string',"
                 "'maxLength':9,'x-kubernetes-validations':[{'rule':'self == oldSelf',"
                 "'message':'c stays'}]},'d':{'type':'array','maxItems':5,"
                 "'items':{'type':'string','maxLength':9}}},"
                 "'x-kubernetes-validations':[{'rule':'!has(self.a) || !has(self.b) || self.a <= "
                 "self.b','message':'a is at most b','fieldPath':'.a','reason':"
                 "'FieldValueForbidden'},{'rule':'!has(self.d) || size(self.d) < 3',"
                 "'messageExpression':'`too many: ` + self.c'}]"),
          POST(THINGS, THING("a", "'a':2,'b':1"), 422,
               "{'details':{'causes':['some',{'reason':'FieldValueForbidden','field':'spec.a',"
               "'message':'Forbidden: a is at most b'}]},"
               "'message':'Thing.$ns.dev `a` is invalid: spec.a: Forbidden: a is at most b'}"),
          POST(THINGS, THING("a", "'c':'x','d':['1','2','3']"), 422,
               "{'message':'~spec: Invalid value: too many: x'}"),
          POST(THINGS, THING("a", "'a':1,'b':2,'c':'x'"), 201, NULL),
          MERGE(THINGS "/a", "{'spec':{'c':'y'}}", 422,
                "{'message':'~spec.c: Invalid value: `y`: c stays'}"),
          MERGE(THINGS "/a", "{'spec':{'c':null}}", 200, NULL),
          MERGE(THINGS "/a", "{'spec':{'c':'y'}}", 200, NULL)),
    SCENE("what was bad before may stay so",
          DEFINE("'properties':{'a':{'type':'string'},'b':{'type':'string'}}"),
          POST(THINGS, THING("a", "'a':'long enough'"), 201, NULL),
          JSON_PATCH(CRD,
                     "[{'op':'add','path':'/spec/versions/0/schema/openAPIV3Schema/properties/spec/"
                     "properties/a/maxLength','value':4}]",
                     200, "{'metadata':{'generation':2}}"),
          {.act = ACT_AWAIT,
           .method = METHOD_POST,
           .path = THINGS "?dryRun=All",
           .body = THING("b", "'a':'long enough'"),
           .http_status = 422},
          MERGE(THINGS "/a", "{'spec':{'b':'x'}}", 200, "{'spec':{'a':'long enough','b':'x'}}"),
          MERGE(THINGS "/a", "{'spec':{'a':'longer still'}}", 422, NULL)),
    SCENES_END,
};

const struct topic topic_definitions = {.name = "definitions", .scenes = scenes};
