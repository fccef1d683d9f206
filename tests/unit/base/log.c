/* SPDX-License-Identifier: Apache-2.0 */
/* A line that does not parse is lost to whoever collects the logs; so each one is parsed here by a
   parser that is not ours. */
#include "base/log.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <unistd.h>

enum { LINE_BYTES_MAX = 16 * 1024 };

struct lines {
    size_t count;
    char last[LINE_BYTES_MAX + 2];
};

static void keep_line(void *self, const char *line)
{
    struct lines *lines = self;
    lines->count++;
    assert_in_range(strlen(line), 1, LINE_BYTES_MAX);
    memcpy(lines->last, line, strlen(line) + 1);
}

static struct lines lines;

static int start(void **state)
{
    (void)state;
    lines = (struct lines){0};
    log_configure(LOG_DEBUG, keep_line, &lines);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    log_configure(LOG_INFO, NULL, NULL);
    return 0;
}

static cJSON *parse_last(void)
{
    size_t length = strlen(lines.last);
    assert_int_equal(lines.last[length - 1], '\n');
    assert_ptr_equal(strchr(lines.last, '\n'), lines.last + length - 1);
    cJSON *parsed = cJSON_Parse(lines.last);
    assert_non_null(parsed);
    return parsed;
}

static void assert_last_field(const char *key, const char *value)
{
    cJSON *parsed = parse_last();
    const char *found = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parsed, key));
    assert_non_null(found);
    assert_string_equal(found, value);
    cJSON_Delete(parsed);
}

static bool last_is_cut(void)
{
    cJSON *parsed = parse_last();
    bool is_cut = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(parsed, "cut"));
    cJSON_Delete(parsed);
    return is_cut;
}

static void a_line_has_time_level_message_then_the_fields(void **state)
{
    (void)state;
    log_write(LOG_WARNING, 1709210096789, "claim is slow", "instance", "dev/db", "pool", "warm",
              NULL);
    assert_string_equal(lines.last, "{\"time\":\"2024-02-29T12:34:56.789Z\",\"level\":\"warning\","
                                    "\"message\":\"claim is slow\",\"instance\":\"dev/db\","
                                    "\"pool\":\"warm\"}\n");
}

static void a_line_may_have_no_fields(void **state)
{
    (void)state;
    log_write(LOG_INFO, 0, "", NULL);
    assert_string_equal(
        lines.last,
        "{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"info\",\"message\":\"\"}\n");
}

static void a_null_value_is_left_out_and_those_behind_it_stay(void **state)
{
    (void)state;
    log_write(LOG_INFO, 0, "m", "uid", (const char *)NULL, "name", "db", NULL);
    assert_null(strstr(lines.last, "uid"));
    assert_last_field("name", "db");
}

static void levels_have_names_and_lower_ones_are_dropped(void **state)
{
    (void)state;
    static const char *const names[] = {"debug", "info", "warning", "error"};
    for (int least = LOG_DEBUG; least <= LOG_ERROR; least++) {
        log_configure((enum log_level)least, keep_line, &lines);
        for (int level = LOG_DEBUG; level <= LOG_ERROR; level++) {
            lines.count = 0;
            log_write((enum log_level)level, 0, "m", NULL);
            assert_int_equal(lines.count, level >= least ? 1 : 0);
            if (level >= least) {
                assert_last_field("level", names[level]);
            }
        }
    }
}

static void quotes_and_control_characters_are_escaped(void **state)
{
    (void)state;
    log_write(LOG_INFO, 0, "say \"no\" to C:\\ \n\t\r\x01\x1f\x7f", "k\"\n", "v", NULL);
    assert_non_null(
        strstr(lines.last, "say \\\"no\\\" to C:\\\\ \\n\\t\\u000d\\u0001\\u001f\\u007f"));
    assert_last_field("message", "say \"no\" to C:\\ \n\t\r\x01\x1f\x7f");
    assert_last_field("k\"\n", "v");
}

static void every_single_byte_gives_a_line_that_parses(void **state)
{
    (void)state;
    for (int byte = 1; byte <= 0xFF; byte++) {
        char text[] = {'<', (char)byte, '>', '\0'};
        log_write(LOG_INFO, 0, text, NULL);
        assert_last_field("message", byte < 0x80 ? text : "<\uFFFD>");
    }
}

static void well_formed_characters_stay(void **state)
{
    (void)state;
    const char *text = "\xC2\x80 \u00e9 \u07ff \u0800 \u20ac \ud7ff \ue000 \uffff \U00010000 "
                       "\U0001F418 \U0010FFFF";
    log_write(LOG_INFO, 0, text, NULL);
    assert_last_field("message", text);
}

#define BAD "\uFFFD"

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        const char *shown;
    } cases[] = {
        {"a\x80z", "a" BAD "z"},                         /* continuation alone */
        {"a\xC3z", "a" BAD "z"},                         /* lead alone */
        {"a\xC3", "a" BAD},                              /* cut at the end */
        {"a\xE2\x82z", "a" BAD BAD "z"},                 /* two of three */
        {"a\xF0\x9F\x90", "a" BAD BAD BAD},              /* three of four */
        {"a\xC0\xAFz", "a" BAD BAD "z"},                 /* overlong two */
        {"a\xC1\xBFz", "a" BAD BAD "z"},                 /* overlong two */
        {"a\xE0\x9F\xBFz", "a" BAD BAD BAD "z"},         /* overlong three */
        {"a\xF0\x8F\xBF\xBFz", "a" BAD BAD BAD BAD "z"}, /* overlong four */
        {"a\xED\xA0\x80z", "a" BAD BAD BAD "z"},         /* first surrogate */
        {"a\xED\xBF\xBFz", "a" BAD BAD BAD "z"},         /* last surrogate */
        {"a\xF4\x90\x80\x80z", "a" BAD BAD BAD BAD "z"}, /* beyond U+10FFFF */
        {"a\xF8\x88\x80\x80\x80z", "a" BAD BAD BAD BAD BAD "z"} /* five bytes */,
        {"\xC3\xC3\xA9", BAD "\u00e9"}, /* a good one follows at once */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        log_write(LOG_INFO, 0, "m", "value", cases[i].bytes, NULL);
        assert_last_field("value", cases[i].shown);
    }
}

/* The longest message that fits a line without fields, as the lines' own overhead has it. */
static size_t find_uncut_length_max(char *message, size_t message_bytes)
{
    size_t length = message_bytes - 1;
    memset(message, 'x', length);
    bool is_cut = true;
    while (is_cut) {
        message[length] = '\0';
        log_write(LOG_INFO, 0, message, NULL);
        is_cut = last_is_cut();
        length -= is_cut ? 1 : 0;
    }
    return length;
}

static void a_line_is_cut_only_near_its_maximum(void **state)
{
    (void)state;
    static char message[LINE_BYTES_MAX + 100];
    size_t length = find_uncut_length_max(message, sizeof(message));
    assert_true(strlen(lines.last) >= LINE_BYTES_MAX - 20);
    assert_last_field("message", message);
    message[length] = 'y';
    message[length + 1] = '\0';
    log_write(LOG_INFO, 0, message, NULL);
    assert_true(last_is_cut());
    message[length] = '\0';
    assert_last_field("message", message);
}

/* Slides what takes several bytes in a line over the place of the cut. */
static void a_cut_never_splits_a_character_or_an_escape(void **state)
{
    (void)state;
    static char message[LINE_BYTES_MAX + 200];
    static const char *const units[] = {"\u00e9", "\u20ac", "\U0001F418", "\x01", "\"", "\\", "\n"};
    size_t fits = find_uncut_length_max(message, sizeof(message));
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        for (size_t before = fits - 8; before <= fits + 1; before++) {
            memset(message, 'x', before);
            memcpy(message + before, units[i], strlen(units[i]) + 1);
            memcpy(message + strlen(message), "zzzzzzzzzz", 11);
            log_write(LOG_INFO, 0, message, NULL);
            assert_true(last_is_cut());
            cJSON *parsed = parse_last();
            const cJSON *field = cJSON_GetObjectItemCaseSensitive(parsed, "message");
            const char *shown = cJSON_GetStringValue(field);
            assert_memory_equal(shown, message, strlen(shown));
            size_t into_unit = strlen(shown) - (before < strlen(shown) ? before : strlen(shown));
            assert_true(into_unit == 0 || into_unit >= strlen(units[i]));
            cJSON_Delete(parsed);
        }
    }
}

static void a_field_that_does_not_fit_leaves_a_whole_line(void **state)
{
    (void)state;
    static char message[LINE_BYTES_MAX + 100];
    size_t fits = find_uncut_length_max(message, sizeof(message));
    for (size_t length = fits - 40; length <= fits; length++) {
        memset(message, 'x', length);
        message[length] = '\0';
        log_write(LOG_INFO, 0, message, "name", "value", "next", "v", NULL);
        assert_last_field("message", message);
        cJSON *parsed = parse_last();
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(parsed, "name");
        assert_true(name == NULL || strncmp(cJSON_GetStringValue(name), "value",
                                            strlen(cJSON_GetStringValue(name))) == 0);
        const char *next = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parsed, "next"));
        bool has_all = next != NULL && strcmp(next, "v") == 0;
        assert_int_equal(has_all, cJSON_HasObjectItem(parsed, "cut") == 0);
        cJSON_Delete(parsed);
    }
}

static void a_very_long_key_is_left_out(void **state)
{
    (void)state;
    cleanup_memory char *key = memory_new(1, 100 * 1000);
    memset(key, 'k', 100 * 1000 - 1);
    log_write(LOG_INFO, 0, "m", key, "v", "next", "v", NULL);
    assert_string_equal(lines.last, "{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"info\","
                                    "\"message\":\"m\",\"cut\":true}\n");
}

static void without_a_sink_lines_go_to_stderr(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int kept = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    log_configure(LOG_INFO, NULL, NULL);
    log_write(LOG_DEBUG, 0, "dropped", NULL);
    log_write(LOG_INFO, 0, "kept", NULL);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    char text[200] = "";
    ssize_t length = read(ends[0], text, sizeof(text) - 1);
    close(ends[0]);
    assert_true(length > 0);
    assert_int_equal(lines.count, 0);
    assert_string_equal(
        text, "{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"info\",\"message\":\"kept\"}\n");
}

#define log_test(function) cmocka_unit_test_setup_teardown(function, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        log_test(a_line_has_time_level_message_then_the_fields),
        log_test(a_line_may_have_no_fields),
        log_test(a_null_value_is_left_out_and_those_behind_it_stay),
        log_test(levels_have_names_and_lower_ones_are_dropped),
        log_test(quotes_and_control_characters_are_escaped),
        log_test(every_single_byte_gives_a_line_that_parses),
        log_test(well_formed_characters_stay),
        log_test(bytes_that_are_not_utf8_are_replaced),
        log_test(a_line_is_cut_only_near_its_maximum),
        log_test(a_cut_never_splits_a_character_or_an_escape),
        log_test(a_field_that_does_not_fit_leaves_a_whole_line),
        log_test(a_very_long_key_is_left_out),
        log_test(without_a_sink_lines_go_to_stderr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
