/* SPDX-License-Identifier: Apache-2.0 */
/* Two readers of label selectors, written apart: the operator's of a LabelSelector object and the
   simulator's of the text in a URL. The object is written as that text, and both must choose alike
   for the labels that follow. */
#include "api/selector.h"

#include "base/memory.h"
#include "sim/filter.h"
#include "support/fuzz_input.h"

#include <string.h>

enum { LABELS_MAX = 8 };

struct labels {
    size_t count;
    struct label items[LABELS_MAX];
};

/* What a label may be made of, but for '/': the text form has no quotes. */
static bool is_word(const char *text)
{
    return text != NULL && text[0] != '\0' &&
           text[strspn(
               text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

static bool append_requirement(struct text *out, const struct selector_requirement *requirement)
{
    static const char *const words[] = {" in (", " notin (", "", ""};
    bool has_values =
        requirement->operator== SELECTOR_IN || requirement->operator== SELECTOR_NOT_IN;
    if (!is_word(requirement->key) || (has_values && requirement->value_count == 0)) {
        return false;
    }
    text_print(out, "%s%s%s%s", out->length_bytes > 0 ? "," : "",
               requirement->operator== SELECTOR_ABSENT ? "!" : "", requirement->key,
               words[requirement->operator]);
    for (size_t i = 0; has_values && i < requirement->value_count; i++) {
        if (!is_word(requirement->values[i])) {
            return false;
        }
        text_print(out, "%s%s", i > 0 ? "," : "", requirement->values[i]);
    }
    text_append(out, has_values ? ")" : "");
    return true;
}

/* false: it cannot be said so. */
static bool append_selector(struct text *out, const struct selector *selector)
{
    for (size_t i = 0; i < selector->requirement_count; i++) {
        if (!append_requirement(out, &selector->requirements[i])) {
            return false;
        }
    }
    return true;
}

static void read_labels(const struct json *object, struct labels *labels, cJSON *metadata)
{
    cJSON *map = cJSON_AddObjectToObject(metadata, "labels");
    for (const struct json *at = json_first(object); at != NULL; at = json_next(at)) {
        if (labels->count < LABELS_MAX && json_text(at) != NULL && json_key(at) != NULL &&
            !cJSON_HasObjectItem(map, json_key(at))) {
            labels->items[labels->count++] =
                (struct label){.key = json_key(at), .value = json_text(at)};
            cJSON_AddStringToObject(map, json_key(at), json_text(at));
        }
    }
}

static void compare(const struct selector *selector, const struct json *label_object)
{
    cleanup_text struct text text;
    text_init(&text, FUZZ_TEXT_BYTES_MAX);
    struct labels labels = {0};
    cJSON *value = cJSON_CreateObject();
    read_labels(label_object, &labels, cJSON_AddObjectToObject(value, "metadata"));
    struct record *record = record_new(&resource_pods, value, 1);
    struct filter filter = {0};
    struct error error;
    if (append_selector(&text, selector)) {
        fuzz_require(filter_parse(&filter, &resource_pods, text.bytes, NULL, &error),
                     "the text form is read");
        fuzz_require(filter_matches(&filter, record) ==
                         selector_matches(selector, labels.items, labels.count),
                     "both choose alike");
    }
    filter_release(&filter);
    record_release(record);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *selector_text = fuzz_input_text(&input);
    cleanup_memory char *labels_text = fuzz_input_text(&input);
    cleanup_json struct json_document *parent = NULL;
    cleanup_json struct json_document *labels = NULL;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct error error;
    if (!json_parse(selector_text, strlen(selector_text), &parent, &error) ||
        !json_parse(labels_text, strlen(labels_text), &labels, &error)) {
        return 0;
    }
    struct json_reader reader;
    json_reader_init(&reader, &arena);
    struct selector selector = selector_read(&reader, json_root(parent), "selector");
    if (json_reader_check(&reader, "selector", &error)) {
        compare(&selector, json_root(labels));
    }
    return 0;
}
