/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/trouble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct trouble trouble(enum error_class class, const char *message)
{
    return (struct trouble){class, PURPOSE_FILL, message};
}

static void being_refused_is_worth_a_condition(void **state)
{
    (void)state;
    static const enum error_class lasting[] = {ERROR_INVALID, ERROR_LIMIT, ERROR_FORBIDDEN,
                                               ERROR_EXISTS, ERROR_NOT_FOUND};
    for (size_t i = 0; i < sizeof(lasting) / sizeof(lasting[0]); i++) {
        struct trouble one = trouble(lasting[i], "no");
        assert_true(trouble_is_lasting(&one));
    }
}

static void what_heals_by_itself_is_not(void **state)
{
    (void)state;
    static const enum error_class passing[] = {
        ERROR_NONE, ERROR_SYSTEM,    ERROR_UNAUTHORIZED, ERROR_CONFLICT, ERROR_TEST_FAILED,
        ERROR_GONE, ERROR_THROTTLED, ERROR_UNAVAILABLE,  ERROR_UNKNOWN,  ERROR_TIMEOUT,
    };
    for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++) {
        struct trouble one = trouble(passing[i], "no");
        assert_false(trouble_is_lasting(&one));
    }
}

static void the_server_says_why_only_in_words(void **state)
{
    (void)state;
    static const struct {
        enum error_class class;
        const char *message, *reason;
    } rows[] = {
        {ERROR_FORBIDDEN,
         "persistentvolumeclaims \"a-1\" is forbidden: exceeded quota: dev, requested: "
         "persistentvolumeclaims=1, used: persistentvolumeclaims=5, limited: 5",
         "QuotaExceeded"},
        {ERROR_FORBIDDEN, "failed quota: dev: must specify requests.storage", "QuotaExceeded"},
        {ERROR_FORBIDDEN,
         "unable to create new content in namespace dev because it is being terminated",
         "NamespaceTerminating"},
        {ERROR_NOT_FOUND, "namespaces \"dev\" not found", "NamespaceNotFound"},
        {ERROR_NOT_FOUND, "persistentvolumes \"pvc-0\" not found", "NotFound"},
        {ERROR_EXISTS, "secrets \"a-app\" already exists", "NameTaken"},
        {ERROR_FORBIDDEN, "User cannot create resource", "Forbidden"},
        {ERROR_INVALID, "spec.size: Invalid value", "Invalid"},
        {ERROR_INVALID, NULL, "Invalid"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct trouble one = trouble(rows[i].class, rows[i].message);
        assert_string_equal(trouble_reason(&one), rows[i].reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(being_refused_is_worth_a_condition),
        cmocka_unit_test(what_heals_by_itself_is_not),
        cmocka_unit_test(the_server_says_why_only_in_words),
    };
    return cmocka_run_group_tests_name("trouble", tests, NULL, NULL);
}
