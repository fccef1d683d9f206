/* SPDX-License-Identifier: Apache-2.0 */
/* A rule is made once and judges thousands of objects, so the tree is kept in one piece of memory
   and what an evaluation makes (joined strings, lists) goes with it. */
#include "sim/cel.h"

#include "sim/cel_tree.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

/* Chains of operators are trees as deep as they are long. */
enum { SOURCE_BYTES_MAX = 16 * 1024 };

/* NOLINTNEXTLINE(misc-no-recursion): the parser has bounded the depth */
static void free_patterns(struct cel_node *node)
{
    for (; node != NULL; node = node->next) {
        pattern_free(node->pattern);
        free_patterns(node->children);
    }
}

void cel_free(struct cel *cel)
{
    if (cel != NULL) {
        free_patterns(cel->root);
        arena_release(&cel->arena);
        memory_free(cel);
    }
}

static bool gives(const struct cel *cel, enum cel_result result, struct error *error)
{
    enum cel_kind kind = cel->root->type.kind;
    if (result == CEL_GIVES_TRUTH) {
        return kind == CEL_BOOL || kind == CEL_DYNAMIC ||
               error_set(error, ERROR_INVALID, "cel expression must evaluate to a bool");
    }
    return kind == CEL_STRING ||
           error_set(error, ERROR_INVALID, "messageExpression must evaluate to a string");
}

bool cel_new(const char *source, const struct cel_place *place, enum cel_result result,
             struct cel **out_cel, struct error *error)
{
    if (strnlen(source, SOURCE_BYTES_MAX + 1) > SOURCE_BYTES_MAX) {
        return error_set(error, ERROR_INVALID, "longer than %d bytes", SOURCE_BYTES_MAX);
    }
    struct cel *cel = memory_new(1, sizeof(*cel));
    arena_init(&cel->arena, 0);
    if (!cel_parse(source, &cel->arena, &cel->root, error) ||
        !cel_check(cel->root, place, &cel->uses_old_self, error) || !gives(cel, result, error)) {
        cel_free(cel);
        return false;
    }
    *out_cel = cel;
    return true;
}

bool cel_uses_old_self(const struct cel *cel)
{
    return cel->uses_old_self;
}

bool cel_judge(const struct cel *cel, const cJSON *self, const cJSON *old_self, bool *out_holds,
               struct error *error)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct cel_value value;
    if (!cel_evaluate(cel, self, old_self, &arena, &value, error)) {
        return false;
    }
    if (value.kind != CEL_BOOL) {
        return error_set(error, ERROR_INVALID, "no such overload");
    }
    *out_holds = value.truth;
    return true;
}

bool cel_write(const struct cel *cel, const cJSON *self, const cJSON *old_self, char **out_text,
               struct error *error)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct cel_value value;
    if (!cel_evaluate(cel, self, old_self, &arena, &value, error)) {
        return false;
    }
    assert(value.kind == CEL_STRING); /* cel_new has seen to it */
    *out_text = memory_copy_text(value.text);
    return true;
}
