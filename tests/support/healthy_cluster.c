/* SPDX-License-Identifier: Apache-2.0 */
#include "support/healthy_cluster.h"

#include "api/kind.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GROUP(name, version)                                                                       \
    "{'kind':'APIGroup','name':'" name "','versions':[{'groupVersion':'" name "/" version          \
    "','version':'" version "'}]}"
#define RESOURCES(list) "{'kind':'APIResourceList','resources':[" list "]}"
#define ALLOWED "{'status':{'allowed':true}}"

static const struct healthy_reply REPLIES[] = {
    {"/version", 200, "{'gitVersion':'v1.36.3'}"},
    {"/apis/adjoint.dev", 200, GROUP("adjoint.dev", "v1alpha1")},
    {"/apis/adjoint.dev/v1alpha1", 200,
     RESOURCES("{'name':'pools'},{'name':'pools/status'},{'name':'pools/scale'},"
               "{'name':'instances'},{'name':'instances/status'}")},
    {"/apis/snapshot.storage.k8s.io", 200, GROUP("snapshot.storage.k8s.io", "v1")},
    {"/apis/snapshot.storage.k8s.io/v1", 200,
     RESOURCES("{'name':'volumesnapshots'},{'name':'volumesnapshotcontents'},"
               "{'name':'volumesnapshotclasses'}")},
    {"/apis/postgresql.cnpg.io", 200, GROUP("postgresql.cnpg.io", "v1")},
    {"/apis/postgresql.cnpg.io/v1", 200,
     RESOURCES("{'name':'clusters'},{'name':'clusters/status'}")},
    {HEALTHY_LEASES, 200, LIST_OF(HEALTHY_LEASE("adjoint", "op-1", "2026-07-01T11:59:58Z"))},
    {HEALTHY_DEPLOYMENTS, 200, LIST_OF(HEALTHY_DEPLOYMENT(HEALTHY_IMAGE, "1", ""))},
    {HEALTHY_POOLS, 200, LIST_OF(HEALTHY_POOL("", HEALTHY_POOL_READY))},
    {HEALTHY_INSTANCES, 200, LIST_OF(HEALTHY_ALICE("", HEALTHY_ALICE_READY))},
    {HEALTHY_VOLUMES, 200, LIST_OF(HEALTHY_ALL_VOLUMES)},
    {HEALTHY_CLAIMS, 200,
     LIST_OF(HEALTHY_HOLDING("") "," HEALTHY_DATA_CLAIM("alice-1", "alice", "ua",
                                                        "'volumeName':'pv-1'"))},
    {HEALTHY_SNAPSHOTS, 200,
     LIST_OF("{'metadata':{'name':'snap','namespace':'golden','uid':'us','resourceVersion':'3',"
             "'annotations':{'cnpg.io/pgControldata':'Database system identifier: 74',"
             "'cnpg.io/clusterManifest':'{\\'spec\\':{}}'}},'status':{'readyToUse':true,"
             "'boundVolumeSnapshotContentName':'content'}}")},
    {HEALTHY_CONTENTS, 200, LIST_OF(HEALTHY_CONTENT("Retain", ""))},
    {HEALTHY_CONTENTS "/content", 200, HEALTHY_CONTENT("Retain", "")},
    {HEALTHY_SNAPSHOT_CLASSES, 200,
     LIST_OF("{'metadata':{'name':'sc'},'driver':'fsx.openzfs.csi.aws.com','deletionPolicy':"
             "'Retain'}")},
    {HEALTHY_CLASSES, 200,
     LIST_OF(HEALTHY_CLASS(HEALTHY_PARAMETERS(
         HEALTHY_ORIGIN, HEALTHY_EXPORTS(HEALTHY_OPTIONS))) "," HEALTHY_HANDOFF)},
    {HEALTHY_CLASSES "/fsx", 200,
     HEALTHY_CLASS(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, HEALTHY_EXPORTS(HEALTHY_OPTIONS)))},
    {"/api/v1/namespaces", 200, LIST_OF("{'metadata':{'name':'dev','resourceVersion':'1'}}")},
    {HEALTHY_SELF_REVIEWS, 201, ALLOWED},
    {HEALTHY_REVIEWS, 201, ALLOWED},
    {.path = NULL},
};

static void tell(struct test_adj *adj, const struct healthy_reply *reply)
{
    enum method method = text_ends_with(reply->path, "accessreviews") ? METHOD_POST : METHOD_GET;
    test_adj_reply(adj, method, reply->path, reply->http_status, reply->json);
}

static bool is_in(const struct healthy_reply *replies, const char *path)
{
    for (; replies != NULL && replies->path != NULL; replies++) {
        if (text_equal(replies->path, path)) {
            return true;
        }
    }
    return false;
}

/* Of the kinds that are watched and are in neither list there is none. */
static void tell_of_the_rest(struct test_adj *adj, const struct healthy_reply *other)
{
    for (size_t kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        cleanup_text struct text path;
        text_init(&path, 1024);
        kind_path(kind_of((enum object_kind)kind), NULL, NULL, NULL, &path);
        if (!is_in(REPLIES, path.bytes) && !is_in(other, path.bytes)) {
            test_adj_reply(adj, METHOD_GET, path.bytes, 200, LIST_OF(""));
        }
    }
}

struct test_adj *healthy_cluster_new(const struct healthy_reply *other)
{
    struct test_adj *adj = test_adj_new();
    for (const struct healthy_reply *reply = REPLIES; reply->path != NULL; reply++) {
        if (!is_in(other, reply->path)) {
            tell(adj, reply);
        }
    }
    tell_of_the_rest(adj, other);
    for (; other != NULL && other->path != NULL; other++) {
        tell(adj, other);
    }
    return adj;
}

void assert_printed(const struct test_adj *adj, const char *part)
{
    if (strstr(test_adj_out(adj), part) == NULL) {
        fail_msg("\n%s\nis not in\n%s%s", part, test_adj_out(adj), test_adj_err(adj));
    }
}

void assert_doctor_says(const struct healthy_reply *other, const char *word, int exit_code,
                        const char *part)
{
    struct test_adj *adj = healthy_cluster_new(other);
    int code = test_adj_run(adj, "doctor", word, NULL);
    assert_printed(adj, part);
    assert_int_equal(code, exit_code);
    test_adj_free(adj);
}

void assert_doctor_says_of(const char *path, int http_status, const char *json, int exit_code,
                           const char *part)
{
    const struct healthy_reply other[] = {{path, http_status, json}, {.path = NULL}};
    assert_doctor_says(other, NULL, exit_code, part);
}
