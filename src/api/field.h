/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of fields that Kubernetes' types share, besides those of base/json.h. As there, absent
   is normal, and the first wrong value is recorded in the reader, with its key. */
#ifndef ADJOINT_API_FIELD_H
#define ADJOINT_API_FIELD_H

#include "api/object.h"
#include "base/json.h"

/* Records that a value is wrong, unless one was before: `key problem`. */
void field_wrong(struct json_reader *reader, const char *key, const char *problem);

/* A member that must be an object or an array when it is there; NULL: absent. */
const struct json *field_object(struct json_reader *reader, const struct json *parent,
                                const char *key);
const struct json *field_array(struct json_reader *reader, const struct json *parent,
                               const char *key);

/* json_string and json_word, "" when absent. */
const char *field_string(struct json_reader *reader, const struct json *parent, const char *key);
const char *field_word(struct json_reader *reader, const struct json *parent, const char *key);

/* RFC 3339 to wall_ms; 0 when absent. */
int64_t field_time(struct json_reader *reader, const struct json *parent, const char *key);

/* "90s", "1h30m" (base/duration.h) to ms; fallback when absent. */
int64_t field_duration(struct json_reader *reader, const struct json *parent, const char *key,
                       int64_t fallback_ms);

/* An array of words in the reader's arena; NULL and 0 when absent or empty. */
const char *const *field_strings(struct json_reader *reader, const struct json *parent,
                                 const char *key, size_t *out_count);

/* An object of strings, in its order, in the reader's arena; NULL and 0 when absent or empty. */
const struct label *field_map(struct json_reader *reader, const struct json *parent,
                              const char *key, size_t *out_count);

/* The index of a string among `names` (ended by NULL), fallback when absent. Another value is
   recorded as wrong by field_choice, for what we define, and is the fallback too in
   field_choice_or, for what others do or a newer Adjoint wrote. */
size_t field_choice(struct json_reader *reader, const struct json *parent, const char *key,
                    const char *const *names, size_t fallback);
size_t field_choice_or(struct json_reader *reader, const struct json *parent, const char *key,
                       const char *const *names, size_t fallback);

#endif
