/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/apiserver.h"

#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define CLAIMS (&resource_persistent_volume_claims)
#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, simulated_api_set_up, simulated_api_tear_down)

static void make_quota(struct simulated_api *api, const char *hard)
{
    char body[512];
    snprintf(body, sizeof(body), "{'metadata':{'name':'q'},'spec':{'hard':%s}}", hard);
    assert_created(api_post(api, &resource_resource_quotas, "dev", body));
}

static void assert_used(struct simulated_api *api, const char *used)
{
    char members[512];
    snprintf(members, sizeof(members), "{'status':{'used':%s}}", used);
    struct outcome outcome = api_get(api, &resource_resource_quotas, "dev", "q");
    assert_has(outcome.record, members);
    outcome_release(&outcome);
}

static void claims_are_counted_and_summed(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    make_quota(api, "{'persistentvolumeclaims':'2','requests.storage':'3Gi',"
                    "'other.storageclass.storage.k8s.io/persistentvolumeclaims':'0',"
                    "'clones.storageclass.storage.k8s.io/requests.storage':'10Gi'}");
    assert_used(api, "{'persistentvolumeclaims':'1','requests.storage':'1Gi',"
                     "'other.storageclass.storage.k8s.io/persistentvolumeclaims':'0',"
                     "'clones.storageclass.storage.k8s.io/requests.storage':'1Gi'}");
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("b")));
    assert_used(api, "{'persistentvolumeclaims':'2','requests.storage':'2Gi'}");
    assert_refused(api_post(api, CLAIMS, "dev", CLAIM("c")), 403, "Forbidden",
                   "persistentvolumeclaims \"c\" is forbidden: exceeded quota: q, requested: "
                   "persistentvolumeclaims=1, used: persistentvolumeclaims=2, limited: "
                   "persistentvolumeclaims=2");
    assert_created(api_post(api, CLAIMS, "default", CLAIM("c")));
    assert_fine(
        api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'metadata':{'finalizers':null}}"));
    assert_fine(api_delete(api, CLAIMS, "dev", "a"));
    assert_used(api, "{'persistentvolumeclaims':'1','requests.storage':'1Gi'}");
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("c")));
}

static void a_class_has_its_own_lines(void **state)
{
    struct simulated_api *api = *state;
    make_quota(api, "{'clones.storageclass.storage.k8s.io/persistentvolumeclaims':'0',"
                    "'clones.storageclass.storage.k8s.io/requests.storage':'500Mi'}");
    assert_refused(api_post(api, CLAIMS, "dev", CLAIM("a")), 403, "Forbidden",
                   "persistentvolumeclaims \"a\" is forbidden: exceeded quota: q, requested: "
                   "clones.storageclass.storage.k8s.io/persistentvolumeclaims=1,"
                   "clones.storageclass.storage.k8s.io/requests.storage=1Gi, used: "
                   "clones.storageclass.storage.k8s.io/persistentvolumeclaims=0,"
                   "clones.storageclass.storage.k8s.io/requests.storage=0, limited: "
                   "clones.storageclass.storage.k8s.io/persistentvolumeclaims=0,"
                   "clones.storageclass.storage.k8s.io/requests.storage=500Mi");
    assert_created(api_post(api, CLAIMS, "dev",
                            "{'metadata':{'name':'a'},'spec':{'storageClassName':'other',"
                            "'accessModes':['ReadWriteOnce'],"
                            "'resources':{'requests':{'storage':'1Gi'}}}}"));
}

static void pods_that_ended_do_not_count(void **state)
{
    struct simulated_api *api = *state;
    make_quota(api, "{'pods':'1','count/pods':'2'}");
    assert_created(api_post(api, &resource_pods, "dev", POD("a", "")));
    assert_refused_like(api_post(api, &resource_pods, "dev", POD("b", "")), 403, "Forbidden",
                        "pods \"b\" is forbidden: exceeded quota: q, requested: pods=1");
    api->options.subresource = "status";
    assert_fine(
        api_patch(api, &resource_pods, "dev", "a", PATCH_MERGE, "{'status':{'phase':'Failed'}}"));
    assert_used(api, "{'pods':'0','count/pods':'1'}");
    api->options.subresource = NULL;
    assert_created(api_post(api, &resource_pods, "dev", POD("b", "")));
}

static void any_resource_can_be_counted(void **state)
{
    struct simulated_api *api = *state;
    static const char CLUSTER[] = "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                                  "'metadata':{'name':'c'},'spec':{}}";
    make_quota(api, "{'count/clusters.postgresql.cnpg.io':'0','limits.cpu':'1'}");
    assert_refused_like(api_post(api, &resource_clusters, "dev", CLUSTER), 403, "Forbidden",
                        "clusters.postgresql.cnpg.io \"c\" is forbidden: exceeded quota: q");
    assert_fine(api_patch(api, &resource_resource_quotas, "dev", "q", PATCH_MERGE,
                          "{'spec':{'hard':{'count/clusters.postgresql.cnpg.io':'1'}}}"));
    struct outcome quota = api_get(api, &resource_resource_quotas, "dev", "q");
    assert_has(quota.record, "{'status':{'hard':{'count/clusters.postgresql.cnpg.io':'1'},"
                             "'used':{'count/clusters.postgresql.cnpg.io':'0'}}}");
    outcome_release(&quota);
    assert_created(api_post(api, &resource_clusters, "dev", CLUSTER));
}

static void a_dry_run_is_counted_against_the_quota(void **state)
{
    struct simulated_api *api = *state;
    make_quota(api, "{'secrets':'0'}");
    api->options.dry_run = true;
    assert_refused_like(api_post(api, &resource_secrets, "dev", "{'metadata':{'name':'s'}}"), 403,
                        "Forbidden", "secrets \"s\" is forbidden: exceeded quota: q");
}

static void growth_is_counted(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_storage_classes, NULL,
                            "{'metadata':{'name':'clones'},'provisioner':'x',"
                            "'allowVolumeExpansion':true}"));
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    api->options.subresource = "status";
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'status':{'phase':'Bound'}}"));
    api->options.subresource = NULL;
    make_quota(api, "{'requests.storage':'2Gi','persistentvolumeclaims':'1'}");
    assert_fine(
        api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'metadata':{'labels':{'a':'b'}}}"));
    assert_refused_like(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE,
                                  "{'spec':{'resources':{'requests':{'storage':'3Gi'}}}}"),
                        403, "Forbidden",
                        "persistentvolumeclaims \"a\" is forbidden: exceeded quota: q, requested: "
                        "requests.storage=2Gi, used: requests.storage=1Gi, limited: "
                        "requests.storage=2Gi");
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE,
                          "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}"));
    assert_used(api, "{'requests.storage':'2Gi'}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(claims_are_counted_and_summed),          TEST(a_class_has_its_own_lines),
        TEST(pods_that_ended_do_not_count),           TEST(any_resource_can_be_counted),
        TEST(a_dry_run_is_counted_against_the_quota), TEST(growth_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
