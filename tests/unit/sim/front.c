/* SPDX-License-Identifier: Apache-2.0 */
/* Over a socket of loopback, with the client that adjoint-operator uses. */
#include "sim/front.h"

#include "base/limits.h"
#include "support/simulated_front.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static int set_up(void **state)
{
    static struct simulated_front front;
    simulated_front_init(&front, 1);
    *state = &front;
    return 0;
}

static int tear_down(void **state)
{
    simulated_front_release(*state);
    return 0;
}

/* ---- calls ---- */

static void requests_reach_the_server_and_come_back(void **state)
{
    struct simulated_front *fixture = *state;
    front_create(fixture, "a");
    struct request get = test_request(METHOD_GET, FRONT_MAPS "/a");
    struct request list = test_request(METHOD_GET, FRONT_MAPS "?limit=1");
    struct request other = test_request(METHOD_GET, FRONT_MAPS "/b");
    assert_front_answers(fixture, &get, 200, "\"name\":\"a\"");
    assert_front_answers(fixture, &list, 200, "\"kind\":\"ConfigMapList\"");
    assert_front_answers(fixture, &other, 404, "configmaps \\\"b\\\" not found");
}

static void each_method_is_passed_on(void **state)
{
    struct simulated_front *fixture = *state;
    front_create(fixture, "a");
    struct request patch = test_request(METHOD_PATCH, FRONT_MAPS "/a");
    patch.content_type = "application/merge-patch+json";
    patch.body = "{\"data\":{\"k\":\"v\"}}";
    patch.body_bytes = strlen(patch.body);
    struct request put = patch;
    put.method = METHOD_PUT;
    put.content_type = "application/json";
    put.body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
               "\"data\":{\"k\":\"w\"}}";
    put.body_bytes = strlen(put.body);
    struct request deletion = test_request(METHOD_DELETE, FRONT_MAPS "/a");
    assert_front_answers(fixture, &patch, 200, "\"k\":\"v\"");
    assert_front_answers(fixture, &put, 200, "\"k\":\"w\"");
    assert_front_answers(fixture, &deletion, 200, "\"status\":\"Success\"");
}

static void what_is_accepted_decides_the_form(void **state)
{
    struct simulated_front *fixture = *state;
    struct request list = test_request(METHOD_GET, FRONT_MAPS);
    list.accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    assert_front_answers(fixture, &list, 200, "\"kind\":\"Table\"");
}

/* As `kubectl create namespace dev` sends it. */
static void protobuf_of_kubectl_is_understood(void **state)
{
    struct simulated_front *fixture = *state;
    static const char body[] = "k8s\0\x0a\x0f\x0a\x02v1\x12\x09Namespace"
                               "\x12\x07\x0a\x05\x0a\x03"
                               "dev";
    struct request request = test_request(METHOD_POST, "/api/v1/namespaces");
    request.content_type = "application/vnd.kubernetes.protobuf";
    request.accept = "application/vnd.kubernetes.protobuf,application/json";
    request.body = body;
    request.body_bytes = sizeof(body) - 1;
    assert_front_answers(fixture, &request, 201, "\"name\":\"dev\"");
    request.body_bytes = 3;
    assert_front_answers(fixture, &request, 415, "UnsupportedMediaType");
}

static void only_the_token_opens(void **state)
{
    struct simulated_front *fixture = *state;
    struct request get = test_request(METHOD_GET, FRONT_MAPS);
    fixture->client.set.token = "let-me-on";
    assert_front_answers(fixture, &get, 401, "\"reason\":\"Unauthorized\"");
    fixture->client.set.token = NULL;
    fixture->client.set.generation++;
    assert_front_answers(fixture, &get, 401, "\"reason\":\"Unauthorized\"");
}

static void a_large_body_is_taken_a_larger_one_is_not(void **state)
{
    struct simulated_front *fixture = *state;
    const size_t most = LIMIT_BODY_BYTES;
    char *body = arena_new(&fixture->arena, most + 2, 1);
    (void)memset(body, ' ', most + 1);
    struct request request = front_creation(body);
    assert_int_equal(request.body_bytes, most + 1);
    assert_front_answers(fixture, &request, 413, "RequestEntityTooLarge");
    request.body_bytes = most;
    (void)memcpy(
        body, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}",
        strlen("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"));
    assert_front_answers(fixture, &request, 201, "\"name\":\"a\"");
}

/* ---- opening ---- */

static void a_port_that_is_taken_is_said(void **state)
{
    struct simulated_front *fixture = *state;
    struct front *second = NULL;
    struct error error;
    struct front_options options = {
        .address = "127.0.0.1", .token = FRONT_TOKEN, .user = "somebody", .speed = 1};
    assert_true(
        text_parse_int64(strrchr(front_url(fixture->front), ':') + 1, &options.port, &error));
    assert_false(front_open(fixture->client.loop, fixture->server, &options, &second, &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
    options.address = "nowhere";
    assert_false(front_open(fixture->client.loop, fixture->server, &options, &second, &error));
    assert_string_equal(error.message, "nowhere is no IPv4 address");
}

static void the_kubeconfig_is_its_owners_and_may_be_written_over(void **state)
{
    struct simulated_front *fixture = *state;
    struct stat status;
    struct error error;
    const char *path = test_folder_path(&fixture->folder, "config");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_true(front_write_kubeconfig(fixture->front, path, &error));
}

static void somebodys_own_kubeconfig_is_left_alone(void **state)
{
    struct simulated_front *fixture = *state;
    struct error error;
    test_folder_write(&fixture->folder, "theirs", "apiVersion: v1\n");
    assert_false(front_write_kubeconfig(fixture->front,
                                        test_folder_path(&fixture->folder, "theirs"), &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_string_equal(test_folder_read(&fixture->folder, "theirs"), "apiVersion: v1\n");
    assert_false(front_write_kubeconfig(
        fixture->front, test_folder_path(&fixture->folder, "no/such/folder"), &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
}

static void the_kubeconfig_says_how_the_clock_runs(void **state)
{
    struct simulated_front *fixture = *state;
    assert_non_null(strstr(test_folder_read(&fixture->folder, "config"),
                           "      extensions:\n"
                           "        - name: adjoint.dev/clock\n"
                           "          extension: {speed: 1, from: \"2026-12-01T08:00:00.250Z\"}\n"
                           "users:\n"));
}

static void what_is_no_kubernetes_is_told_by_its_owner(void **state)
{
    struct simulated_front *fixture = *state;
    struct request told = test_request(METHOD_GET, "/told");
    struct request untold = test_request(METHOD_GET, "/untold");
    struct request deletion = test_request(METHOD_DELETE, "/told");
    assert_front_answers(fixture, &told, 200, "{\"speed\":1}");
    assert_front_answers(fixture, &untold, 404, "page not found");
    assert_front_answers(fixture, &deletion, 404, "page not found");
    fixture->client.set.token = "another";
    assert_front_answers(fixture, &told, 401, "Unauthorized");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(requests_reach_the_server_and_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_method_is_passed_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_accepted_decides_the_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(protobuf_of_kubectl_is_understood, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_the_token_opens, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_large_body_is_taken_a_larger_one_is_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_port_that_is_taken_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_kubeconfig_is_its_owners_and_may_be_written_over,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(somebodys_own_kubeconfig_is_left_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_kubeconfig_says_how_the_clock_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_kubernetes_is_told_by_its_owner, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
