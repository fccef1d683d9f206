/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text is what comes out, not a tree of our own type: the rest of the program reads JSON
   already, so YAML ends at this file. libyaml finds out about UTF-16 by the byte-order mark. */
#include "io/yaml.h"

#include "base/limits.h"
#include "io/yaml_value.h"

#include <yaml.h>

#include <assert.h>

static bool is_empty(const struct yaml_value *root)
{
    return root->kind == YAML_KIND_SCALAR && yaml_scalar_is_null(root);
}

/* more becomes false at the end of the stream. */
static bool next_document(yaml_parser_t *parser, struct text *json, bool *more, struct error *error)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const struct yaml_value *root = NULL;
    if (!yaml_value_read(parser, &arena, &root, error)) {
        return false;
    }
    *more = root != NULL;
    return root == NULL || is_empty(root) || yaml_value_write(root, json, error);
}

bool yaml_to_json(const char *bytes, size_t byte_count,
                  bool (*give)(void *self, const char *json, struct error *error), void *self,
                  struct error *error)
{
    assert(bytes != NULL);

    __attribute__((cleanup(yaml_parser_delete))) yaml_parser_t parser = {0};
    if (yaml_parser_initialize(&parser) == 0) {
        return error_set(error, ERROR_LIMIT, "out of memory while reading YAML");
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, byte_count);

    cleanup_text struct text json;
    text_init(&json, LIMIT_OBJECT_BYTES);
    for (bool more = true; more;) {
        text_clear(&json);
        if (!next_document(&parser, &json, &more, error)) {
            return false;
        }
        if (json.length_bytes > 0 && !give(self, json.bytes, error)) {
            return false;
        }
    }
    return true;
}
