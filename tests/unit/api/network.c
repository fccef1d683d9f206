/* SPDX-License-Identifier: Apache-2.0 */
#include "api/network.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void every_address_of_every_endpoint_is_read(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_ENDPOINT_SLICE,
        "{'metadata':{'name':'kubernetes'},'endpoints':[{'addresses':['10.0.0.4','10.0.0.5']},{},"
        "{'addresses':['2001:db8::4']}],'ports':[{'name':'https','port':443},{'name':'any'}]}");
    const struct endpoint_slice *slice = object->endpoint_slice;
    assert_int_equal(slice->address_count, 3);
    assert_string_equal(slice->addresses[1], "10.0.0.5");
    assert_string_equal(slice->addresses[2], "2001:db8::4");
    assert_int_equal(slice->port_count, 1);
    assert_int_equal(slice->ports[0], 443);
}

static void a_slice_may_be_empty(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_ENDPOINT_SLICE, "{'metadata':{'name':'kubernetes'},'endpoints':null}");
    assert_int_equal(object->endpoint_slice->address_count, 0);
    assert_int_equal(object->endpoint_slice->port_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_address_of_every_endpoint_is_read),
        cmocka_unit_test(a_slice_may_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
