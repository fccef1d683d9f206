/* SPDX-License-Identifier: Apache-2.0 */
/* usage: comparison SEED POOL-SIZE AFTER-MS...
   demo/script.h's morning. Prints a line for each developer: after how many milliseconds their
   Postgres was Ready, or "stolen", and whether FSx was asked for a volume on that path, "created",
   or "warm". */
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "demo/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBER_BYTES = 32 };

static int64_t number(const char *text)
{
    int64_t parsed = 0;
    struct error error;
    if (!text_parse_int64(text, &parsed, &error) || parsed < 0) {
        (void)fprintf(stderr, "comparison: \"%s\" is no number\n", text);
        exit(EXIT_FAILURE);
    }
    return parsed;
}

int main(int argc, char **argv)
{
    struct script_arrival arrivals[SCRIPT_ARRIVALS_MAX] = {{.after_ms = 0}};
    memory_adopt_libraries();
    if (argc < 4 || argc - 3 > SCRIPT_ARRIVALS_MAX || number(argv[2]) > SCRIPT_POOL_MAX) {
        (void)fprintf(stderr, "usage: comparison SEED POOL-SIZE AFTER-MS...\n");
        return EXIT_FAILURE;
    }
    size_t count = (size_t)(argc - 3);
    for (size_t i = 0; i < count; i++) {
        arrivals[i].after_ms = number(argv[i + 3]);
    }
    (void)script_play((uint64_t)number(argv[1]), (size_t)number(argv[2]), arrivals, count);
    for (size_t i = 0; i < count; i++) {
        char ready[NUMBER_BYTES] = "stolen";
        if (!arrivals[i].is_lost) {
            (void)snprintf(ready, sizeof(ready), "%" PRId64, arrivals[i].ready_ms);
        }
        (void)printf("%s %s\n", ready, arrivals[i].is_warm ? "warm" : "created");
    }
    return EXIT_SUCCESS;
}
