/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a status holds for counts: what is read is written in a form that reads the same, no
   longer than the schema takes, and a request can be added to it or to a new one. */
#include "plan/arrivals.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

#include <string.h>

#define START INT64_C(1788134400000)
enum { TEXT_BYTES_MAX = 32768 };

static void require_same(const struct arrivals *one, const struct arrivals *other)
{
    fuzz_require(one->since == other->since && one->until == other->until, "the same time");
    for (int64_t at = arrivals_first(one); at < one->until; at++) {
        fuzz_require(arrivals_count(one, at) == arrivals_count(other, at), "the same counts");
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    static struct arrivals arrivals, again;
    struct fuzz_input input = {bytes, byte_count};
    int64_t buckets = 1 + fuzz_input_byte(&input) * INT64_C(40);
    cleanup_memory char *text = fuzz_input_text(&input);
    struct arrival_record record = {.version = 1,
                                    .since_ms = START,
                                    .until_ms = START + buckets * ARRIVAL_BUCKET_MS,
                                    .counts = text};
    struct error error;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    bool good = arrivals_read(&record, &arena, &arrivals, &error);
    if (good) {
        struct arrival_record written = arrivals_write(&arrivals, &arena);
        fuzz_require(strlen(written.counts) <= TEXT_BYTES_MAX, "it fits the schema");
        fuzz_require(arrivals_read(&written, &arena, &again, &error), "it reads back");
        require_same(&arrivals, &again);
    }
    int64_t late_ms = START + 20000 * ARRIVAL_BUCKET_MS;
    fuzz_require(arrivals_add(&arrivals, &late_ms, 1, late_ms + 3 * ARRIVAL_BUCKET_MS),
                 "a request can be added");
    return 0;
}
