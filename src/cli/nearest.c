/* SPDX-License-Identifier: Apache-2.0 */
/* Optimal string alignment distance, because swapped neighbours are what fingers do. Three rows of
   its table are enough. */
#include "cli/nearest.h"

#include "base/text.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { WORD_BYTES_MAX = 40 };

static size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

static bool is_swap(const char *typed, size_t i, const char *word, size_t j)
{
    return i > 1 && j > 1 && typed[i - 1] == word[j - 2] && typed[i - 2] == word[j - 1];
}

static size_t distance_of(const char *typed, const char *word)
{
    size_t rows[3][WORD_BYTES_MAX + 1];
    size_t typed_bytes = strlen(typed);
    size_t word_bytes = strlen(word);
    assert(typed_bytes <= WORD_BYTES_MAX && word_bytes <= WORD_BYTES_MAX);

    for (size_t j = 0; j <= word_bytes; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= typed_bytes; i++) {
        const size_t *two_above = rows[(i + 1) % 3];
        const size_t *above = rows[(i - 1) % 3];
        size_t *row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= word_bytes; j++) {
            size_t replaced = above[j - 1] + (typed[i - 1] == word[j - 1] ? 0 : 1);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            size_t swapped = is_swap(typed, i, word, j) ? two_above[j - 2] + 1 : SIZE_MAX;
            row[j] = least(row[j], swapped);
        }
    }
    return rows[typed_bytes % 3][word_bytes];
}

void nearest_init(struct nearest *nearest, const char *typed)
{
    *nearest = (struct nearest){.typed = typed, .distance = SIZE_MAX};
}

void nearest_offer(struct nearest *nearest, const char *word)
{
    size_t typed_bytes = strlen(nearest->typed);
    if (typed_bytes < 2 || typed_bytes > WORD_BYTES_MAX || strlen(word) > WORD_BYTES_MAX) {
        return;
    }
    size_t distance = distance_of(nearest->typed, word);
    size_t distance_max = typed_bytes < 6 ? 1 : typed_bytes / 3;
    bool near = distance <= distance_max || text_starts_with(word, nearest->typed);
    if (near && distance < nearest->distance) {
        nearest->distance = distance;
        nearest->word = word;
    }
}
