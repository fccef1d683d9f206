/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/simulation.h"

#include "base/json.h"
#include "base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct golden_options golden = {.namespace = "pools",
                                             .snapshot = "orders",
                                             .clone_class = "fsx-clone",
                                             .system_id = "7423456789012345678",
                                             .database = "shop",
                                             .owner = "clerk"};

static void names_calls_and_volumes(void **state)
{
    struct simulation_options options = {.seed = 1};
    (void)state;
    simulation_pace(&options.pace);
    struct simulation *simulation = simulation_new(&options);
    simulation_make_golden(simulation, &golden);
    cleanup_text struct text report;
    text_init(&report, LIMIT_BODY_BYTES);
    simulation_fsx_report(simulation, &report);
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(report.bytes, report.length_bytes, &document, &error));
    const struct json *root = json_root(document);
    cleanup_text struct text calls;
    text_init(&calls, LIMIT_BODY_BYTES);
    json_append(&calls, json_member(root, "calls"));
    assert_string_equal(calls.bytes,
                        "{\"createVolume\":0,\"deleteVolume\":0,\"describeVolumes\":0}");
    const struct json *volumes = json_member(root, "volumes");
    assert_int_equal(json_count(volumes), 1);
    const struct json *volume = json_first(volumes);
    assert_string_equal(json_text(json_member(volume, "name")), "golden-orders");
    assert_true(text_starts_with(json_text(json_member(volume, "handle")), "fsvol-"));
    assert_string_equal(json_text(json_member(volume, "origin")), "");
    simulation_free(simulation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_calls_and_volumes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
