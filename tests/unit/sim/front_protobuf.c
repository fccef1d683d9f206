/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as kubectl 1.36.3 sent them. */
#include "sim/front_protobuf.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BYTES(literal) (literal), sizeof(literal) - 1

#define ENVELOPE_NAMESPACE "k8s\0\x0a\x0f\x0a\x02v1\x12\x09Namespace"
#define ENVELOPE_CONFIG_MAP                                                                        \
    "k8s\0\x0a\x0f\x0a\x02v1\x12\x09"                                                              \
    "ConfigMap"
#define ENVELOPE_SECRET "k8s\0\x0a\x0c\x0a\x02v1\x12\x06Secret"

static void assert_read(const char *bytes, size_t byte_count, const char *expected)
{
    char *json cleanup_memory = front_protobuf_to_json(bytes, byte_count);
    assert_non_null(json);
    assert_string_equal(json, expected);
}

/* kubectl create namespace dev */
static const char NAMESPACE[] = ENVELOPE_NAMESPACE "\x12\x1b\x0a\x13\x0a\x03"
                                                   "dev\x12\x00\x1a\x00\"\x00*\x00"
                                                   "2\x00"
                                                   "8\x00"
                                                   "B\x00\x12\x00\x1a\x02\x0a\x00\x1a\x00\"\x00";

static void a_namespace_is_read(void **state)
{
    (void)state;
    assert_read(BYTES(NAMESPACE),
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"dev\"}}");
}

static void maps_and_truths_are_read(void **state)
{
    (void)state;
    assert_read(BYTES(ENVELOPE_CONFIG_MAP "\x12\x26"
                                          "\x0a\x0e\x0a\x01m\x5a\x09\x0a\x01l\x12\x04long"
                                          "\x12\x06\x0a\x01"
                                          "a\x12\x01"
                                          "b"
                                          "\x12\x03\x0a\x01"
                                          "c"
                                          "\x1a\x05\x0a\x01"
                                          "d\x12\x00"
                                          " \x01"),
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                "\"metadata\":{\"name\":\"m\",\"labels\":{\"l\":\"long\"}},"
                "\"data\":{\"a\":\"b\",\"c\":\"\"},\"binaryData\":{\"d\":\"\"},"
                "\"immutable\":true}");
}

static void bytes_become_base64(void **state)
{
    (void)state;
    assert_read(BYTES(ENVELOPE_SECRET "\x12\x17"
                                      "\x0a\x03\x0a\x01s"
                                      "\x12\x08\x0a\x01k\x12\x03"
                                      "a\0b"
                                      "\x1a\x06Opaque"),
                "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"},"
                "\"data\":{\"k\":\"YQBi\"},\"type\":\"Opaque\"}");
}

static void assert_left(const char *bytes, size_t byte_count)
{
    char *json cleanup_memory = front_protobuf_to_json(bytes, byte_count);
    assert_null(json);
}

static void what_is_not_known_is_left(void **state)
{
    (void)state;
    assert_left(BYTES("{}"));
    assert_left(BYTES("k8s"));
    assert_left(BYTES("k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x00"));
    assert_left(BYTES("k8s\0\x0a\x0f\x0a\x02v2\x12\x09Namespace\x12\x00"));
    /* A generation, and a spec, that say something. */
    assert_left(BYTES(ENVELOPE_NAMESPACE "\x12\x07\x0a\x05\x0a\x01"
                                         "d8\x01"));
    assert_left(BYTES(ENVELOPE_NAMESPACE "\x12\x0a\x0a\x03\x0a\x01"
                                         "d\x12\x03\x0a\x01x"));
}

static void what_is_cut_off_is_left(void **state)
{
    (void)state;
    /* To the end of the object itself; what follows is the envelope's. */
    for (size_t byte_count = 0; byte_count < sizeof(NAMESPACE) - 1 - 4; byte_count++) {
        char *copy cleanup_memory = memory_new(1, byte_count + 1);
        (void)memcpy(copy, NAMESPACE, byte_count);
        assert_left(copy, byte_count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_namespace_is_read),     cmocka_unit_test(maps_and_truths_are_read),
        cmocka_unit_test(bytes_become_base64),     cmocka_unit_test(what_is_not_known_is_left),
        cmocka_unit_test(what_is_cut_off_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
