/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_deployment_says(const char *list, int exit_code, const char *part)
{
    assert_doctor_says_of(HEALTHY_DEPLOYMENTS, 200, list, exit_code, part);
}

static void an_unknown_version_is_said(void **state)
{
    (void)state;
    assert_deployment_says(
        LIST_OF(HEALTHY_DEPLOYMENT("localhost:5000/cloudnative-pg:v1.31.0", "1", "")), CLI_OK,
        "warn  cloudnativepg  Deployment cnpg-system/cnpg-controller-manager: is version v1.31.0; "
        "Adjoint is known to work with 1.28 to 1.30: try a claim before others do\n");
    assert_deployment_says(
        LIST_OF(HEALTHY_DEPLOYMENT("localhost:5000/cloudnative-pg@sha256:00", "1", "")), CLI_OK,
        "does not say its version; Adjoint is known to work with 1.28 to 1.30");
    assert_deployment_says(LIST_OF(HEALTHY_DEPLOYMENT("localhost:5000/cloudnative-pg", "1", "")),
                           CLI_OK, "does not say its version");
    assert_deployment_says(LIST_OF(HEALTHY_DEPLOYMENT("localhost/cloudnative-pg:v1.28.3", "1", "")),
                           CLI_OK,
                           "ok    cloudnativepg  Deployment cnpg-system/cnpg-controller-manager: "
                           "is version v1.28.3\n");
}

static void nobody_there_is_said(void **state)
{
    (void)state;
    assert_deployment_says(LIST_OF(""), CLI_OK, "warn  cloudnativepg  no Deployment has the label");
    assert_deployment_says(
        LIST_OF(HEALTHY_DEPLOYMENT(HEALTHY_IMAGE, "0", "")), CLI_UNHEALTHY,
        "FAIL  cloudnativepg  Deployment cnpg-system/cnpg-controller-manager: no "
        "pod of it is ready");
    assert_doctor_says_of(HEALTHY_DEPLOYMENTS, 403, "{}", CLI_OK,
                          "warn  cloudnativepg  its Deployment: cannot be looked at: HTTP 403");
}

static void instances_have_to_be_where_it_watches(void **state)
{
    (void)state;
    assert_deployment_says(
        LIST_OF(HEALTHY_DEPLOYMENT(HEALTHY_IMAGE, "1",
                                   ",'env':[{'name':'WATCH_NAMESPACE','value':'test, devel'}]")),
        CLI_UNHEALTHY,
        "FAIL  cloudnativepg  Deployment cnpg-system/cnpg-controller-manager: does not watch "
        "namespace dev, where Instances are");
    assert_deployment_says(
        LIST_OF(HEALTHY_DEPLOYMENT(HEALTHY_IMAGE, "1",
                                   ",'env':[{'name':'WATCH_NAMESPACE','value':'test,dev'}]")),
        CLI_OK,
        "warn  cloudnativepg  Deployment cnpg-system/cnpg-controller-manager: watches "
        "test,dev alone");
    assert_deployment_says(
        LIST_OF(HEALTHY_DEPLOYMENT(HEALTHY_IMAGE, "1",
                                   ",'env':[{'name':'X'},{'name':'WATCH_NAMESPACE','valueFrom':{"
                                   "'fieldRef':{'fieldPath':'metadata.namespace'}}}]")),
        CLI_UNHEALTHY, "does not watch namespace dev");
}

static void its_config_map_says_where_it_watches(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {
        {HEALTHY_DEPLOYMENTS, 200,
         LIST_OF(HEALTHY_DEPLOYMENT(HEALTHY_IMAGE, "1",
                                    ",'args':['controller','--config-map-name=config']"))},
        {"/api/v1/namespaces/cnpg-system/configmaps/config", 200,
         "{'data':{'WATCH_NAMESPACE':'test'}}"},
        {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_UNHEALTHY, "does not watch namespace dev");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_version_is_said),
        cmocka_unit_test(nobody_there_is_said),
        cmocka_unit_test(instances_have_to_be_where_it_watches),
        cmocka_unit_test(its_config_map_says_where_it_watches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
