/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench_report.h"

#include "base/json.h"
#include "cli/figures.h"
#include "cli/table.h"

#include <string.h>

enum { US_PER_S = 1000000, PERCENT = 100, DIGITS_MAX = 9 };

/* ---- what the programs in the pod print ---- */

/* A decimal number in units of 10^-places, as C's locale has it, with or without an exponent;
   -1: there is none. */
static int64_t read_decimal(const char *text, int places)
{
    int64_t number = 0;
    int digits = 0;
    int shift = places;
    bool behind_point = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !behind_point); text++) {
        if (*text == '.') {
            behind_point = true;
        } else if (digits < DIGITS_MAX * 2) {
            number = number * 10 + (*text - '0');
            digits++;
            shift -= behind_point ? 1 : 0;
        }
    }
    if (digits == 0) {
        return -1;
    }
    if (*text == 'e' && text[1] == '-' && text[2] >= '0' && text[2] <= '9') {
        int exponent = text[2] - '0';
        exponent = text[3] >= '0' && text[3] <= '9' ? exponent * 10 + (text[3] - '0') : exponent;
        shift -= exponent;
    }
    for (; shift > 0 && number < INT64_MAX / 10; shift--) {
        number *= 10;
    }
    for (; shift < 0; shift++) {
        number /= 10;
    }
    return number;
}

/* Behind `mark` in this line (which ends with a newline or NUL); NULL: it has none. */
static const char *behind(const char *line, const char *mark)
{
    const char *found = strstr(line, mark);
    const char *end = strchr(line, '\n');
    return found == NULL || (end != NULL && found > end) ? NULL : found + strlen(mark);
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end == NULL ? line + strlen(line) : end + 1;
}

/* For a person: what was there instead. */
static bool refuse(const char *output, const char *what, struct error *error)
{
    size_t byte_count = strcspn(output, "\n");
    return error_set(error, ERROR_INVALID, "no %s in what the pod printed: \"%.*s\"", what,
                     (int)(byte_count > 200 ? 200 : byte_count), output);
}

bool bench_read_writes(const char *output, struct bench_report *report, struct error *error)
{
    for (const char *line = output; *line != '\0'; line = next_line(line)) {
        const char *seconds = behind(line, " copied, ");
        int64_t us = seconds == NULL ? -1 : read_decimal(seconds, 6);
        if (us >= 0 && report->count < BENCH_WRITES) {
            report->samples_us[report->count++] = us / (int64_t)report->per_sample;
        }
    }
    return report->count > 0 || refuse(output, "times of dd", error);
}

bool bench_read_rounds(const char *output, struct bench_report *report, struct error *error)
{
    size_t on = 0;
    size_t off = 0;
    bool is_on = false;
    for (const char *line = output; *line != '\0'; line = next_line(line)) {
        const char *mode = behind(line, "synchronous_commit ");
        is_on = mode == NULL ? is_on : text_starts_with(mode, "on");
        const char *tps = text_starts_with(line, "tps = ") ? line + strlen("tps = ") : NULL;
        int64_t mtps = tps == NULL ? -1 : read_decimal(tps, 3);
        if (mtps >= 0 && is_on && on < BENCH_ROUNDS_MAX) {
            report->on_mtps[on++] = mtps;
        } else if (mtps >= 0 && !is_on && off < BENCH_ROUNDS_MAX) {
            report->off_mtps[off++] = mtps;
        }
    }
    report->round_count = on;
    return (on > 0 && on == off) || refuse(output, "rates of pgbench", error);
}

/* ---- text ---- */

static int64_t mean(const int64_t *values, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return count == 0 ? 0 : sum / (int64_t)count;
}

static int64_t writes_a_second(const struct bench_report *report)
{
    int64_t sum_us = 0;
    for (size_t i = 0; i < report->count; i++) {
        sum_us += report->samples_us[i];
    }
    return US_PER_S * (int64_t)report->count / (sum_us > 0 ? sum_us : 1);
}

static int64_t ratio_percent(const struct bench_report *report)
{
    int64_t on = mean(report->on_mtps, report->round_count);
    return PERCENT * mean(report->off_mtps, report->round_count) / (on > 0 ? on : 1);
}

static void add_ms(struct table *table, int64_t us)
{
    table_print(table, "%" PRId64 ".%03" PRId64, us / 1000, us % 1000);
}

static void write_rounds(const struct bench_report *report, struct arena *arena, struct text *out)
{
    static const char *const headings[] = {"DURABILITY", "SYNCHRONOUS_COMMIT", "TRANSACTIONS/S",
                                           "ROUNDS", NULL};
    if (report->round_count == 0) {
        if (report->no_rounds != NULL) {
            text_print(out, "\npgbench did not run: %s\n", report->no_rounds);
        }
        return;
    }
    struct table table;
    table_init(&table, arena, headings);
    for (int i = 0; i < 2; i++) {
        int64_t mtps = mean(i == 0 ? report->on_mtps : report->off_mtps, report->round_count);
        table_add(&table, i == 0 ? "Standard" : "Ordered");
        table_add(&table, i == 0 ? "on" : "off");
        table_print(&table, FIGURES_SECONDS, FIGURES_SECONDS_OF(mtps));
        table_print(&table, "%zu", report->round_count);
    }
    text_append_char(out, '\n');
    table_write(&table, out);
    int64_t percent = ratio_percent(report);
    text_print(
        out,
        "\nInserts of %d bytes, each a transaction, from one client in the pod (pgbench), on "
        "and off in turn.\nOrdered does %" PRId64 ".%" PRId64
        " times as many: what spec.durability sets was set for the session\n",
        BENCH_WRITE_BYTES, percent / 100, percent % 100 / 10);
}

static void write_text(const void *self, struct text *out)
{
    const struct bench_report *report = self;
    static const char *const headings[] = {"WRITES", "P50-MS",   "P95-MS", "P99-MS",
                                           "MAX-MS", "WRITES/S", NULL};
    static const int percents[] = {50, 95, 99, 100};
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct table table;
    table_init(&table, &arena, headings);
    table_print(&table, "%zu", report->count * report->per_sample);
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
        add_ms(&table, figures_quantile(report->samples_us, report->count, percents[i]));
    }
    table_print(&table, "%" PRId64, writes_a_second(report));
    table_write(&table, out);
    text_print(out, "\n%s: writes of %d bytes to the end of a new file, each safe before the next ",
               report->where, BENCH_WRITE_BYTES);
    if (report->per_sample == 1) {
        text_append(out, "(fdatasync).\n");
    } else {
        text_print(out,
                   "(dd with oflag=dsync).\ndd tells no single write's time: a time is the mean of "
                   "%zu, so the slowest are not seen.\n",
                   report->per_sample);
    }
    write_rounds(report, &arena, out);
}

static void write_csv(const void *self, struct text *out)
{
    const struct bench_report *report = self;
    text_append(out, "what,value\n");
    for (size_t i = 0; i < report->count; i++) {
        text_print(out, "write_us,%" PRId64 "\n", report->samples_us[i]);
    }
    for (size_t i = 0; i < report->round_count; i++) {
        text_print(out, "standard_mtps,%" PRId64 "\nordered_mtps,%" PRId64 "\n", report->on_mtps[i],
                   report->off_mtps[i]);
    }
}

static void write_json(const void *self, struct json_writer *json)
{
    const struct bench_report *report = self;
    static const char *const keys[] = {"p50Microseconds", "p95Microseconds", "p99Microseconds",
                                       "maxMicroseconds"};
    static const int percents[] = {50, 95, 99, 100};
    json_member_string(json, "where", report->where);
    json_member_int64(json, "writes", (int64_t)(report->count * report->per_sample));
    json_member_int64(json, "writeBytes", BENCH_WRITE_BYTES);
    json_member_int64(json, "writesInASample", (int64_t)report->per_sample);
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
        json_member_int64(json, keys[i],
                          figures_quantile(report->samples_us, report->count, percents[i]));
    }
    json_member_int64(json, "writesPerSecond", writes_a_second(report));
    if (report->round_count > 0) {
        json_member_int64(json, "standardTransactionsPer1000Seconds",
                          mean(report->on_mtps, report->round_count));
        json_member_int64(json, "orderedTransactionsPer1000Seconds",
                          mean(report->off_mtps, report->round_count));
        json_member_int64(json, "orderedPercent", ratio_percent(report));
    }
    json_member_optional(json, "noTransactions", report->no_rounds);
}

const struct field_forms BENCH_FORMS = {.table = write_text, .csv = write_csv, .json = write_json};
