/* SPDX-License-Identifier: Apache-2.0 */
/* A store of Jobs in namespace dev, and what its listener has heard. */
#ifndef ADJOINT_SUPPORT_STORE_FIXTURE_H
#define ADJOINT_SUPPORT_STORE_FIXTURE_H

#include "base/text.h"
#include "kube/store.h"

enum { STORE_FIXTURE_OBJECTS_MAX = 100 };

struct store_fixture {
    struct store *store;
    struct text heard; /* "+name:version " added, "-" gone, "~" changed */
};

/* For cmocka. */
int store_fixture_set_up(void **state);
int store_fixture_tear_down(void **state);
#define WITH_STORE(test)                                                                           \
    cmocka_unit_test_setup_teardown(test, store_fixture_set_up, store_fixture_tear_down)

/* As store_put_take and store_remove. */
bool store_fixture_put(struct store_fixture *fixture, const char *name, const char *uid,
                       const char *version, enum store_source source);
bool store_fixture_remove(struct store_fixture *fixture, const char *name, const char *uid,
                          const char *version);

void assert_store_version(const struct store_fixture *fixture, const char *name,
                          const char *version);
void assert_store_absent(const struct store_fixture *fixture, const char *name);
/* Since the last time. */
void assert_store_heard(struct store_fixture *fixture, const char *expected);

#endif
