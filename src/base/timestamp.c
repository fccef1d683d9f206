/* SPDX-License-Identifier: Apache-2.0 */
/* Done by hand because the C library has no parser for offsets and fractions, and its calendar
   functions depend on the process' time zone and locale. */
#include "base/timestamp.h"

#include "base/calendar.h"

#include <stddef.h>

enum {
    FRACTION_DIGITS_MAX = 9,
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
    HOUR_MS = 60 * MINUTE_MS,
};

static char *put_number(char *at, int number, int digit_count, char separator)
{
    for (int i = digit_count - 1; i >= 0; i--) {
        at[i] = (char)('0' + number % 10);
        number /= 10;
    }
    at[digit_count] = separator;
    return at + digit_count + 1;
}

static char *put_seconds(char *at, const struct calendar *calendar, char separator)
{
    int ms = calendar->ms_of_day;
    at = put_number(at, calendar->year, 4, '-');
    at = put_number(at, calendar->month, 2, '-');
    at = put_number(at, calendar->day, 2, 'T');
    at = put_number(at, ms / HOUR_MS, 2, ':');
    at = put_number(at, ms / MINUTE_MS % 60, 2, ':');
    return put_number(at, ms / SECOND_MS % 60, 2, separator);
}

void timestamp_format_seconds(int64_t wall_ms, char out[TIMESTAMP_BYTES])
{
    struct calendar calendar = calendar_from_ms(wall_ms);
    *put_seconds(out, &calendar, 'Z') = '\0';
}

void timestamp_format_millis(int64_t wall_ms, char out[TIMESTAMP_BYTES])
{
    struct calendar calendar = calendar_from_ms(wall_ms);
    char *at = put_seconds(out, &calendar, '.');
    *put_number(at, calendar.ms_of_day % SECOND_MS, 3, 'Z') = '\0';
}

void timestamp_format_micros(int64_t wall_ms, char out[TIMESTAMP_BYTES])
{
    struct calendar calendar = calendar_from_ms(wall_ms);
    char *at = put_seconds(out, &calendar, '.');
    *put_number(at, calendar.ms_of_day % SECOND_MS * 1000, 6, 'Z') = '\0';
}

static bool take_char(const char **at, char wanted)
{
    if (**at != wanted) {
        return false;
    }
    (*at)++;
    return true;
}

static bool take_number(const char **at, int digit_count, int *out_number)
{
    int number = 0;
    for (int i = 0; i < digit_count; i++, (*at)++) {
        if (**at < '0' || **at > '9') {
            return false;
        }
        number = number * 10 + (**at - '0');
    }
    *out_number = number;
    return true;
}

static bool take_date(const char **at, struct calendar *calendar)
{
    return take_number(at, 4, &calendar->year) && take_char(at, '-') &&
           take_number(at, 2, &calendar->month) && take_char(at, '-') &&
           take_number(at, 2, &calendar->day) && calendar->month >= 1 && calendar->month <= 12 &&
           calendar->day >= 1 &&
           calendar->day <= calendar_days_of_month(calendar->year, calendar->month);
}

static bool take_time(const char **at, struct calendar *calendar)
{
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!take_number(at, 2, &hour) || !take_char(at, ':') || !take_number(at, 2, &minute) ||
        !take_char(at, ':') || !take_number(at, 2, &second)) {
        return false;
    }
    calendar->ms_of_day = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
    return hour <= 23 && minute <= 59 && second <= 59;
}

static bool take_fraction(const char **at, struct calendar *calendar)
{
    if (!take_char(at, '.')) {
        return true;
    }
    int digit_count = 0;
    int digit = 0;
    for (int weight_ms = 100; take_number(at, 1, &digit); weight_ms /= 10) {
        calendar->ms_of_day += digit * weight_ms;
        digit_count++;
    }
    return digit_count >= 1 && digit_count <= FRACTION_DIGITS_MAX;
}

static bool take_offset(const char **at, int *out_offset_ms)
{
    if (take_char(at, 'Z')) {
        *out_offset_ms = 0;
        return true;
    }
    int sign = **at == '-' ? -1 : 1;
    int hour = 0;
    int minute = 0;
    if ((!take_char(at, '+') && !take_char(at, '-')) || !take_number(at, 2, &hour) ||
        !take_char(at, ':') || !take_number(at, 2, &minute) || hour > 23 || minute > 59) {
        return false;
    }
    *out_offset_ms = sign * (hour * HOUR_MS + minute * MINUTE_MS);
    return true;
}

bool timestamp_parse(const char *text, int64_t *out_wall_ms, struct error *error)
{
    if (text == NULL) {
        return error_set(error, ERROR_INVALID, "a time is missing");
    }
    const char *at = text;
    struct calendar calendar = {0};
    int offset_ms = 0;
    if (!take_date(&at, &calendar) || !take_char(&at, 'T') || !take_time(&at, &calendar) ||
        !take_fraction(&at, &calendar) || !take_offset(&at, &offset_ms) || *at != '\0') {
        return error_set(error, ERROR_INVALID, "\"%s\" is not a time of RFC 3339", text);
    }
    *out_wall_ms = calendar_ms(&calendar) - offset_ms;
    return true;
}
