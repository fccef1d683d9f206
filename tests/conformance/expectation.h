/* SPDX-License-Identifier: Apache-2.0 */
/* Whether JSON is as expected. Members that are not named may be there or not; beyond that:
     null             the member is absent
     "*"              it is there, whatever it is
     "~words"         a string with these words in it
     ["some", a, b]   an array in which each of a, b is matched by some element
     [a, b]           an array of just so many elements, matched in turn
   What begins with ~ as a whole is a text that the reply, JSON or not, has in it. */
#ifndef ADJOINT_CONFORMANCE_EXPECTATION_H
#define ADJOINT_CONFORMANCE_EXPECTATION_H

#include "base/text.h"

/* false: *out_difference says where and how it differs. */
bool expectation_is_met(const char *expected, const char *actual, struct text *out_difference);

/* The text, number or boolean at a path of member names and element numbers with dots between
   ("metadata.ownerReferences.0.uid"), appended as text. false: there is none. */
bool expectation_find(const char *json, const char *path, struct text *out);

#endif
