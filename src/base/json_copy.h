/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the compact text of one object from its tokens: without what the filter skips, with what
   it wants as text put into strings, with integers too long for a double in quotes. */
#ifndef ADJOINT_BASE_JSON_COPY_H
#define ADJOINT_BASE_JSON_COPY_H

#include "base/json_filter.h"
#include "base/json_lexer.h"
#include "base/json_output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_copy_mode { JSON_COPY_ALL, JSON_COPY_NONE, JSON_COPY_AS_STRING };

/* An open container. */
struct json_copy_level {
    uint64_t paths;        /* of the filter that lead into it */
    uint64_t member_paths; /* those that lead into the member or element now read */
    unsigned char names;   /* how many names such a path has used up at its members */
    bool has_member;       /* one was copied, so a comma belongs before the next */
    bool is_object;
};

struct json_copy { /* private but for output and, read-only, mode and mode_depth */
    const struct json_filter *filter;
    struct json_output output;
    enum json_copy_mode mode;
    int mode_depth;       /* a mode other than ALL ends with the value at this depth */
    bool string_is_next;  /* the key was one whose value becomes a string */
    int root_depth;       /* levels around the object */
    size_t member_offset; /* where the text of the member now read begins, comma included */
    struct json_copy_level levels[JSON_LEXER_DEPTH_MAX + 1];
};

/* filter is borrowed. */
void json_copy_init(struct json_copy *copy, const struct json_filter *filter,
                    size_t byte_count_max);
void json_copy_release(struct json_copy *copy);

/* The lexer has just given JSON_OBJECT_BEGIN. paths: of the filter, 0 for none. */
void json_copy_begin(struct json_copy *copy, const struct json_lexer *lexer, uint64_t paths);

/* Each further token, `at` behind it; true when it was the object's last. While mode is
   JSON_COPY_NONE only the one that completes a value at mode_depth matters: use json_lexer_skip.
   Then output.text is the text unless json_output_is_too_large. */
bool json_copy_token(struct json_copy *copy, const struct json_lexer *lexer, enum json_token token,
                     const char *at);

/* Inside an object: the chunk ends here, the next one begins there. */
void json_copy_pause(struct json_copy *copy, const char *end);
void json_copy_resume(struct json_copy *copy, const char *begin);

#endif
