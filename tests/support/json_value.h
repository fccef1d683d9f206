/* SPDX-License-Identifier: Apache-2.0 */
/* Trees for tests of the simulator, from JSON in which ' stands for ". */
#ifndef ADJOINT_TESTS_SUPPORT_JSON_VALUE_H
#define ADJOINT_TESTS_SUPPORT_JSON_VALUE_H

#include <cjson/cJSON.h>

/* The caller's (cJSON_Delete); what is no JSON fails the test. */
cJSON *json_value(const char *json);
/* The value prints as that; it is deleted. */
void assert_json_value_take(cJSON *value, const char *expected);

#endif
