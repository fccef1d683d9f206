/* SPDX-License-Identifier: Apache-2.0 */
/* What storage does with small safe writes. */
#ifndef ADJOINT_CLI_BENCH_REPORT_H
#define ADJOINT_CLI_BENCH_REPORT_H

#include "base/error.h"
#include "cli/field_options.h"

#include <stddef.h>
#include <stdint.h>

enum { BENCH_WRITES = 200, BENCH_WRITE_BYTES = 1500, BENCH_ROUNDS_MAX = 8 };

struct bench_report {
    const char *where;                /* a folder, or "pod NAMESPACE/NAME" */
    size_t per_sample;                /* writes that one sample is the mean of */
    size_t count;                     /* samples */
    int64_t samples_us[BENCH_WRITES]; /* microseconds a write; sorted when it is printed */
    /* Transactions in a thousand seconds, synchronous_commit on and off in turn; none of a folder.
     */
    size_t round_count;
    int64_t on_mtps[BENCH_ROUNDS_MAX], off_mtps[BENCH_ROUNDS_MAX];
    const char *no_rounds; /* why there are none; NULL: not asked for, or there are */
};

/* Lines of dd: "15000 bytes (15 kB, 15 KiB) copied, 0.0123 s, 1.2 MB/s". Others are skipped. */
MUST_CHECK bool bench_read_writes(const char *output, struct bench_report *report,
                                  struct error *error);
/* Lines "synchronous_commit on" or "off", each before pgbench's "tps = 123.456 (...)". */
MUST_CHECK bool bench_read_rounds(const char *output, struct bench_report *report,
                                  struct error *error);

extern const struct field_forms BENCH_FORMS; /* of a struct bench_report */

#endif
