/* SPDX-License-Identifier: Apache-2.0 */
/* The shape is parsed before the words are put in, so that a word with a quote in it is still a
   word. */
#include "sim/draft.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum { WORDS_MAX = 9, STRING_BYTES_MAX = 64 * 1024 };

struct words {
    const char *word[WORDS_MAX];
    size_t count;
};

/* '$' and a digit; strategic merge patches have directives that begin with '$', too. */
static const char *find_mark(const char *text)
{
    const char *mark = strchr(text, '$');
    while (mark != NULL && (mark[1] < '1' || mark[1] > '9')) {
        mark = strchr(mark + 1, '$');
    }
    return mark;
}

static char *filled(const char *string, const struct words *words)
{
    cleanup_text struct text text;
    text_init(&text, STRING_BYTES_MAX);
    const char *rest = string;
    for (const char *mark; (mark = find_mark(rest)) != NULL; rest = mark + 2) {
        size_t index = (size_t)(mark[1] - '1');
        assert(index < words->count);
        text_append_bytes(&text, rest, (size_t)(mark - rest));
        text_append(&text, words->word[index]);
    }
    text_append(&text, rest);
    assert(!text.overflowed);
    return text_take(&text);
}

/* cJSON keeps its strings on the heap it was given, which need not be ours. */
static void fill_string(char **string, const struct words *words)
{
    if (*string == NULL || find_mark(*string) == NULL) {
        return;
    }
    char *with_words = filled(*string, words);
    size_t bytes = strlen(with_words) + 1;
    char *copy = cJSON_malloc(bytes);
    assert(copy != NULL);
    memcpy(copy, with_words, bytes);
    memory_free(with_words);
    cJSON_free(*string);
    *string = copy;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a literal */
static void fill(cJSON *value, const struct words *words)
{
    if (value->string != NULL && find_mark(value->string) != NULL) {
        cleanup_memory char *name = filled(value->string, words);
        value_rename(value, name);
    }
    fill_string(&value->valuestring, words);
    for (cJSON *at = value->child; at != NULL; at = at->next) {
        fill(at, words);
    }
}

static cJSON *parsed(const char *shape)
{
    char *json = memory_copy_text(shape);
    for (char *at = json; *at != '\0'; at++) {
        if (*at == '\'') {
            *at = '"';
        }
    }
    cJSON *value = NULL;
    struct error error;
    bool is_json = value_parse(json, &value, &error);
    assert(is_json);
    (void)is_json;
    memory_free(json);
    return value;
}

cJSON *draft(const char *shape, ...)
{
    struct words words = {.count = 0};
    va_list arguments;
    va_start(arguments, shape);
    for (const char *word; (word = va_arg(arguments, const char *)) != NULL;) {
        assert(words.count < WORDS_MAX);
        words.word[words.count++] = word;
    }
    va_end(arguments);
    cJSON *value = parsed(shape);
    fill(value, &words);
    return value;
}
