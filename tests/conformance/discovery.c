/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

static const struct scene scenes[] = {
    SCENE("versions", GET("/api", 200, "{'kind':'APIVersions','versions':['v1']}"),
          GET("/version", 200, "{'major':'1','gitVersion':'~v1.'}"),
          GET("/apis", 200,
              "{'kind':'APIGroupList','apiVersion':'v1','groups':['some',{'name':'adjoint.dev',"
              "'versions':[{'groupVersion':'adjoint.dev/v1alpha1','version':'v1alpha1'}],"
              "'preferredVersion':{'groupVersion':'adjoint.dev/v1alpha1'}},"
              "{'name':'storage.k8s.io'},{'name':'coordination.k8s.io'},"
              "{'name':'postgresql.cnpg.io'},{'name':'snapshot.storage.k8s.io'}]}"),
          GET("/apis/adjoint.dev", 200,
              "{'kind':'APIGroup','name':'adjoint.dev','versions':[{'version':'v1alpha1'}]}")),
    SCENE("resources",
          GET("/api/v1", 200,
              "{'kind':'APIResourceList','groupVersion':'v1','resources':['some',"
              "{'name':'configmaps','namespaced':true,'kind':'ConfigMap','shortNames':['cm'],"
              "'singularName':'configmap','verbs':['some','create','delete','deletecollection',"
              "'get','list','patch','update','watch']},"
              "{'name':'persistentvolumes','namespaced':false,'kind':'PersistentVolume',"
              "'shortNames':['pv']},{'name':'persistentvolumes/status'},"
              "{'name':'persistentvolumeclaims','namespaced':true,'shortNames':['pvc']},"
              "{'name':'pods/binding','kind':'Binding','verbs':['create']},"
              "{'name':'namespaces/finalize'}]}"),
          GET("/apis/adjoint.dev/v1alpha1", 200,
              "{'kind':'APIResourceList','groupVersion':'adjoint.dev/v1alpha1','resources':['some',"
              "{'name':'pools','singularName':'pool','namespaced':true,'kind':'Pool',"
              "'shortNames':['apool'],'categories':['adj']},"
              "{'name':'pools/status','kind':'Pool','verbs':['some','get','patch','update']},"
              "{'name':'pools/scale','kind':'Scale','group':'autoscaling','version':'v1'},"
              "{'name':'instances','shortNames':['inst'],'categories':['adj']},"
              "{'name':'instances/status'}]}"),
          GET("/apis/postgresql.cnpg.io/v1", 200,
              "{'resources':['some',{'name':'clusters','kind':'Cluster'}]}"),
          GET("/apis/nothing.dev/v1", 404, NULL)),
    SCENE("health", GET("/healthz", 200, "~ok"), GET("/readyz", 200, "~ok"),
          GET("/livez", 200, "~ok")),
    SCENE("OpenAPI", GET("/openapi/v3", 200,
                         "{'paths':{'api/v1':{'serverRelativeURL':'*'},"
                         "'apis/adjoint.dev/v1alpha1':"
                         "{'serverRelativeURL':'*'}}}")),
    SCENES_END,
};

const struct topic topic_discovery = {.name = "discovery", .scenes = scenes};
