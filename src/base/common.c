/* SPDX-License-Identifier: Apache-2.0 */
/* Counted by sets and not word by word: objects of one Pool in one state have all of these words
   alike, so each needs one pointer instead of twenty. */
#include "base/common.h"

#include "base/map.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

struct commons {
    struct map by_words; /* to struct common * */
};

/* Of structs that say nothing but words. */
struct piece {
    struct piece *next;
    size_t byte_count;
    _Alignas(int64_t) char bytes[];
};

struct common {
    struct commons *commons;
    char *key; /* the words as they were collected */
    struct piece *pieces;
    size_t user_count, word_count;
    struct json_kept words[]; /* their text is behind them */
};

struct commons *commons_new(void)
{
    struct commons *commons = memory_new(1, sizeof(*commons));
    map_init(&commons->by_words);
    return commons;
}

void commons_free(struct commons *commons)
{
    if (commons != NULL) {
        assert(commons->by_words.count == 0);
        map_release(&commons->by_words);
        memory_free(commons);
    }
}

size_t commons_count(const struct commons *commons)
{
    return commons->by_words.count;
}

static size_t count_words(const char *words)
{
    size_t count = 0;
    for (const char *at = strchr(words, JSON_WORD_END); at != NULL;
         at = strchr(at + 1, JSON_WORD_END)) {
        count++;
    }
    return count;
}

static struct common *common_new(struct commons *commons, const char *words)
{
    size_t count = count_words(words);
    size_t byte_count = strlen(words) + 1;
    struct common *common =
        memory_new(1, sizeof(*common) + count * sizeof(*common->words) + byte_count);
    char *text = (char *)&common->words[count];
    memcpy(text, words, byte_count);
    common->commons = commons;
    common->key = memory_copy_text(words);
    for (char *end = strchr(text, JSON_WORD_END); end != NULL; end = strchr(text, JSON_WORD_END)) {
        *end = '\0';
        common->words[common->word_count++] = (struct json_kept){
            .text = text, .length_bytes = (uint32_t)(end - text), .is_word = true};
        text = end + 1;
    }
    assert(common->word_count == count);
    (void)map_put(&commons->by_words, common->key, common);
    return common;
}

struct common *commons_take(struct commons *commons, const char *words)
{
    struct common *common = map_get(&commons->by_words, words);
    if (common == NULL) {
        common = common_new(commons, words);
    }
    common->user_count++;
    return common;
}

void common_drop(struct common *common)
{
    if (common == NULL || --common->user_count > 0) {
        return;
    }
    while (common->pieces != NULL) {
        struct piece *piece = common->pieces;
        common->pieces = piece->next;
        memory_free(piece);
    }
    (void)map_remove(&common->commons->by_words, common->key);
    memory_free(common->key);
    memory_free(common);
}

void common_lend(const struct common *common, struct json_reader *reader)
{
    reader->words = common->words;
    reader->word_count = common->word_count;
}

const void *common_share(struct common *common, const void *bytes, size_t byte_count)
{
    struct piece *piece = common->pieces;
    while (piece != NULL &&
           (piece->byte_count != byte_count || memcmp(piece->bytes, bytes, byte_count) != 0)) {
        piece = piece->next;
    }
    if (piece == NULL) {
        piece = memory_new(1, sizeof(*piece) + byte_count);
        piece->byte_count = byte_count;
        memcpy(piece->bytes, bytes, byte_count);
        piece->next = common->pieces;
        common->pieces = piece;
    }
    return piece->bytes;
}
