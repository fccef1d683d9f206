/* SPDX-License-Identifier: Apache-2.0 */
/* Words that many objects have alike, such as their Pool's name or the reasons of their conditions,
   kept once for all objects that have all of theirs alike. */
#ifndef ADJOINT_BASE_COMMON_H
#define ADJOINT_BASE_COMMON_H

#include "base/json.h"

struct commons;

struct commons *commons_new(void);
/* After all objects that were decoded with it. NULL is fine. */
void commons_free(struct commons *commons);
/* How many different sets of words there are. */
size_t commons_count(const struct commons *commons);

/* The words of some objects. */
struct common;

/* words: as a json_reader collects them. To be given back by common_drop. */
struct common *commons_take(struct commons *commons, const char *words);
/* The last one frees it. NULL is fine. */
void common_drop(struct common *common);

/* Has the reader find its words there instead of copying them. */
void common_lend(const struct common *common, struct json_reader *reader);

/* A copy for all that give the same bytes: structs without padding whose pointers are to words that
   the reader found there, to constants, or to such copies. */
const void *common_share(struct common *common, const void *bytes, size_t byte_count);

#endif
