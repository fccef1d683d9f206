/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#define MAPS "$core/configmaps"
#define MAKE(name) POST(MAPS, "{'metadata':{'name':'" name "','labels':{'t':''}}}", 201, NULL)
#define LIST MAPS "?labelSelector=t&limit=2"

static const struct scene scenes[] = {
    SCENE("pages of one moment", MAKE("a"), MAKE("b"), MAKE("c"), MAKE("d"), MAKE("e"),
          GET(LIST, 200,
              "{'metadata':{'continue':'*'},'items':[{'metadata':{'name':'a'}},"
              "{'metadata':{'name':'b'}}]}"),
          KEEP("token", "metadata.continue"), KEEP("version", "metadata.resourceVersion"),
          DELETE(MAPS "/d", NULL, 200, NULL), MAKE("bb"),
          GET(LIST "&continue=$token", 200,
              "{'metadata':{'resourceVersion':'$version','continue':'*'},"
              "'items':[{'metadata':{'name':'c'}},{'metadata':{'name':'d'}}]}"),
          KEEP("token", "metadata.continue"),
          GET(LIST "&continue=$token", 200,
              "{'metadata':{'resourceVersion':'$version','continue':null,"
              "'remainingItemCount':null},'items':[{'metadata':{'name':'e'}}]}"),
          GET(MAPS "?labelSelector=t", 200,
              "{'metadata':{'continue':null},'items':[{'metadata':{'name':'a'}},"
              "{'metadata':{'name':'b'}},{'metadata':{'name':'bb'}},{'metadata':{'name':'c'}},"
              "{'metadata':{'name':'e'}}]}")),
    SCENE("what is left is counted without selectors",
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'a'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'b'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          POST("$ours/instances",
               "{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1','metadata':{'name':'c'},"
               "'spec':{'pool':{'name':'a','namespace':'b'}}}",
               201, NULL),
          GET("$ours/instances?limit=1", 200,
              "{'metadata':{'remainingItemCount':2,'continue':'*'},"
              "'items':[{'metadata':{'name':'a'},'kind':'Instance'}]}"),
          GET("$ours/instances?limit=3", 200,
              "{'metadata':{'remainingItemCount':null},'items':[{},{},{}]}")),
    SCENE(
        "a token that has expired", MAKE("a"), MAKE("b"), MAKE("c"), MAKE("d"),
        GET(LIST, 200, NULL), KEEP("token", "metadata.continue"), MAKE("bb"), COMPACT,
        AWAIT(LIST "&continue=$token", 410,
              "{'reason':'Expired','code':410,'metadata':{'continue':'*'},"
              "'message':'The provided continue parameter is too old to display a consistent list "
              "result. You can start a new list without the continue parameter, or use the "
              "continue token in this response to retrieve the remainder of the results. "
              "Continuing with the provided token results in an inconsistent list - objects that "
              "were created, modified, or deleted between the time the first chunk was returned "
              "and now may show up in the list.'}"),
        KEEP("token", "metadata.continue"),
        GET(LIST "&continue=$token", 200,
            "{'items':[{'metadata':{'name':'bb'}},{'metadata':{'name':'c'}}]}"),
        KEEP("token", "metadata.continue"),
        GET(LIST "&continue=$token", 200, "{'items':[{'metadata':{'name':'d'}}]}")),
    SCENE("what is no token", MAKE("a"),
          GET(LIST "&continue=abc", 400, "{'reason':'BadRequest','message':'~continue'}")),
    SCENE("an empty list",
          GET(LIST, 200,
              "{'kind':'ConfigMapList','apiVersion':'v1','items':[],"
              "'metadata':{'resourceVersion':'*','continue':null}}"),
          GET("$ours/pools", 200,
              "{'kind':'PoolList','apiVersion':'adjoint.dev/v1alpha1','items':[]}")),
    SCENES_END,
};

const struct topic topic_paging = {.name = "paging", .scenes = scenes};
