/* SPDX-License-Identifier: Apache-2.0 */
/* What a Pool that denies egress rests on: a policy stays as it was written, letter for letter, and
   goes when both its owners are gone; and the API server says in a slice of its own where it is. */
#include "conformance/storage.h"
#include "conformance/topics.h"

#define POLICIES "/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies"
#define SLICES "/apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices"
#define ALL_SLICES "/apis/discovery.k8s.io/v1/endpointslices"
#define OF_API_SERVER "labelSelector=kubernetes.io%2Fservice-name%3Dkubernetes"
#define WITH_ROLE "labelSelector=adjoint.dev%2Frole"

/* As src/plan/network_policy.c spells it. */
#define SPEC(port)                                                                                 \
    "{'podSelector':{'matchLabels':{'cnpg.io/cluster':'a'}},'egress':[{'ports':["                  \
    "{'protocol':'UDP','port':53},{'protocol':'TCP','port':53}]},{'to':[{'podSelector':"           \
    "{'matchLabels':{'cnpg.io/cluster':'a'}}}]},{'ports':[{'protocol':'TCP','port':" port          \
    "}],'to':[{'ipBlock':{'cidr':'10.0.0.4/32'}},{'ipBlock':{'cidr':'fd00::4/128'}}]}],"           \
    "'policyTypes':['Egress']}"
#define POLICY(more)                                                                               \
    "{'metadata':{'name':'a','labels':{'adjoint.dev/role':'egress'}" more                          \
    "},'spec':" SPEC("6443") "}"
#define IS(spec)                                                                                   \
    JSON_PATCH(POLICIES "/a", "[{'op':'test','path':'/spec','value':" spec "}]", 200, NULL)
#define CORRECT(uid, generation)                                                                   \
    JSON_PATCH(POLICIES "/a",                                                                      \
               "[{'op':'test','path':'/metadata/uid','value':'" uid "'},"                          \
               "{'op':'add','path':'/metadata/ownerReferences','value':[]},"                       \
               "{'op':'add','path':'/spec','value':" SPEC("443") "}]",                             \
               200, "{'metadata':{'generation':" generation "}}")
#define INSTANCE                                                                                   \
    POST("$ours/instances",                                                                        \
         "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'o'},"         \
         "'spec':{'pool':{'name':'a','namespace':'b'}}}",                                          \
         201, NULL),                                                                               \
        KEEP("instance", "metadata.uid")
#define OWNERS                                                                                     \
    ",'ownerReferences':[{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','name':'o',"       \
    "'uid':'$instance'},{'apiVersion':'v1','kind':'PersistentVolumeClaim','name':'o',"             \
    "'uid':'$claim'}]"
#define SLICE(type)                                                                                \
    "{'metadata':{'name':'a','labels':{'kubernetes.io/service-name':'kubernetes'}}" type           \
    ",'endpoints':[{'addresses':['10.0.0.4']}],'ports':[{'name':'https','port':443,"               \
    "'protocol':'TCP'}]}"

static const struct scene scenes[] = {
    SCENE("a policy is as it was written",
          POST(POLICIES "?dryRun=All", POLICY(""), 201, "{'metadata':{'generation':1}}"),
          GET(POLICIES "/a", 404, NULL),
          POST(POLICIES, POLICY(""), 201, "{'metadata':{'generation':1},'status':null}"),
          IS(SPEC("6443")), POST(POLICIES, POLICY(""), 409, "{'reason':'AlreadyExists'}")),
    SCENE("and is put right", POST(POLICIES, POLICY(""), 201, NULL), KEEP("uid", "metadata.uid"),
          JSON_PATCH(POLICIES "/a", "[{'op':'test','path':'/metadata/uid','value':'other'}]", 422,
                     NULL),
          CORRECT("$uid", "2"), IS(SPEC("443")), CORRECT("$uid", "2"),
          MERGE(POLICIES "/a", "{'metadata':{'labels':{'x':'y'}}}", 200,
                "{'metadata':{'generation':2}}"),
          MERGE(POLICIES "/a", "{'spec':{'policyTypes':['Ingress','Egress']}}", 200,
                "{'metadata':{'generation':3}}")),
    SCENE("what it lacks it gets",
          POST(POLICIES, "{'metadata':{'name':'a'},'spec':{'podSelector':{}}}", 201,
               "{'spec':{'podSelector':{},'policyTypes':['Ingress'],'egress':null}}"),
          POST(POLICIES,
               "{'metadata':{'name':'b'},'spec':{'podSelector':{},'egress':[{'ports':["
               "{'port':53}]}],'ingress':[{'ports':[{'port':'web'}]}]}}",
               201,
               "{'spec':{'policyTypes':['Ingress','Egress'],'egress':[{'ports':["
               "{'protocol':'TCP','port':53}]}],'ingress':[{'ports':[{'protocol':'TCP',"
               "'port':'web'}]}]}}"),
          MERGE(POLICIES "/b", "{'spec':{'policyTypes':null}}", 200,
                "{'spec':{'policyTypes':['Ingress','Egress']}}")),
    SCENE("it is deleted by its uid", POST(POLICIES, POLICY(""), 201, NULL),
          KEEP("uid", "metadata.uid"),
          DELETE(POLICIES "/a", "{'preconditions':{'uid':'other'}}", 409, "{'reason':'Conflict'}"),
          DELETE(POLICIES "/a", "{'preconditions':{'uid':'$uid'}}", 200, NULL),
          GET(POLICIES "/a", 404, NULL)),
    SCENE("it is watched by its label", GET(POLICIES "?" WITH_ROLE, 200, "{'items':[]}"),
          KEEP("version", "metadata.resourceVersion"),
          WATCH(POLICIES "?watch=1&" WITH_ROLE "&resourceVersion=$version"),
          POST(POLICIES, "{'metadata':{'name':'b'},'spec':{'podSelector':{}}}", 201, NULL),
          POST(POLICIES, POLICY(""), 201, NULL),
          HEAR("{'type':'ADDED','object':{'kind':'NetworkPolicy',"
               "'apiVersion':'networking.k8s.io/v1','metadata':{'name':'a'}}}"),
          MERGE(POLICIES "/a", "{'metadata':{'labels':null}}", 200, NULL),
          HEAR("{'type':'DELETED','object':{'metadata':{'name':'a'}}}"), SILENCE(200)),
    SCENE("it goes when both its owners are gone", MAKE_CLASS("Immediate"), INSTANCE,
          MAKE_CLAIM("o", ""), KEEP("claim", "metadata.uid"),
          POST(POLICIES, POLICY(OWNERS), 201, NULL), DELETE("$ours/instances/o", NULL, 200, NULL),
          AWAIT(POLICIES "/a", 200,
                "{'metadata':{'ownerReferences':[{'uid':'$claim'}],'deletionTimestamp':null}}"),
          REST(LOOKS_MS), GET(POLICIES "/a", 200, NULL), DELETE(CLAIMS "/o", NULL, 200, NULL),
          AWAIT(POLICIES "/a", 404, NULL)),
    SCENE("whichever goes first", MAKE_CLASS("Immediate"), INSTANCE, MAKE_CLAIM("o", ""),
          KEEP("claim", "metadata.uid"), POST(POLICIES, POLICY(OWNERS), 201, NULL),
          DELETE(CLAIMS "/o", NULL, 200, NULL),
          AWAIT(POLICIES "/a", 200, "{'metadata':{'ownerReferences':[{'uid':'$instance'}]}}"),
          DELETE("$ours/instances/o", NULL, 200, NULL), AWAIT(POLICIES "/a", 404, NULL)),
    SCENE("where the API server is",
          GET("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes", 200,
              "{'kind':'EndpointSlice','apiVersion':'discovery.k8s.io/v1','metadata':{"
              "'labels':{'kubernetes.io/service-name':'kubernetes'},'generation':'*'},"
              "'addressType':'IPv4','endpoints':[{'addresses':['*'],'conditions':{'ready':true}}],"
              "'ports':[{'name':'https','port':'*','protocol':'TCP'}]}"),
          GET(ALL_SLICES "?" OF_API_SERVER "&fieldSelector=metadata.namespace%3Ddefault", 200,
              "{'kind':'EndpointSliceList','items':[{'metadata':{'name':'kubernetes'}}]}")),
    SCENE("slices of others may say so, too",
          POST(SLICES, SLICE(",'addressType':'IPv4'"), 201, "{'metadata':{'generation':1}}"),
          GET(ALL_SLICES "?" OF_API_SERVER, 200,
              "{'items':['some',{'metadata':{'name':'kubernetes','namespace':'default'}},"
              "{'metadata':{'name':'a','namespace':'$ns'}}]}"),
          MERGE(SLICES "/a", "{'endpoints':[{'addresses':['10.0.0.5']}]}", 200,
                "{'metadata':{'generation':2}}"),
          MERGE(SLICES "/a", "{'ports':[{'name':'https','port':8443}]}", 200,
                "{'ports':[{'port':8443,'protocol':'TCP'}],'metadata':{'generation':3}}"),
          MERGE(SLICES "/a", "{'addressType':'IPv6'}", 422,
                "{'message':'~addressType: Invalid value: `IPv6`: field is immutable'}"),
          POST(SLICES, "{'metadata':{'name':'b'},'endpoints':[]}", 422,
               "{'message':'~addressType: Required value'}"),
          DELETE(SLICES "/a", NULL, 200, NULL), GET(SLICES "/a", 404, NULL)),
    SCENES_END,
};

const struct topic topic_network = {.name = "network", .scenes = scenes};
