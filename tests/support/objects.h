/* SPDX-License-Identifier: Apache-2.0 */
/* Objects for tests from JSON in which ' stands for ". They take the way every object takes: the
   scanner with its kind's filter, then the decoder. */
#ifndef ADJOINT_TESTS_SUPPORT_OBJECTS_H
#define ADJOINT_TESTS_SUPPORT_OBJECTS_H

#include "api/object.h"

/* The caller's (object_free); what cannot be decoded fails the test. */
struct object *object_from(enum object_kind kind, const char *json);
/* The same from JSON as it is. */
struct object *object_from_text(enum object_kind kind, const char *json);

/* Fails the test unless decoding fails with ERROR_INVALID and this in its message. */
void assert_object_refused(enum object_kind kind, const char *json, const char *message);

#endif
