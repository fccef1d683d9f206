/* SPDX-License-Identifier: Apache-2.0 */
/* The major version is the number that an image's tag begins with, which CloudNativePG asks of tags
   too. What cannot be read is not known: nobody is refused for it. */
#include "api/postgres.h"

#include "base/error.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { DIGITS_MAX = 9 };

static const struct {
    const char *parameter, *line; /* in pg_controldata's output */
    int64_t value_default;
} SETTINGS[POSTGRES_SETTING_COUNT] = {
    [POSTGRES_CONNECTIONS] = {"max_connections", "max_connections setting:", 100},
    [POSTGRES_WORKER_PROCESSES] = {"max_worker_processes", "max_worker_processes setting:", 32},
    [POSTGRES_WAL_SENDERS] = {"max_wal_senders", "max_wal_senders setting:", 10},
    [POSTGRES_PREPARED_TRANSACTIONS] = {"max_prepared_transactions",
                                        "max_prepared_xacts setting:", 0},
    [POSTGRES_LOCKS] = {"max_locks_per_transaction", "max_locks_per_xact setting:", 64},
};

/* The number that text begins with; fallback: it begins with none. */
static int64_t leading_number(const char *text, int64_t fallback)
{
    size_t digits = strspn(text, "0123456789");
    char number[DIGITS_MAX + 1] = "";
    int64_t value = fallback;
    struct error error;
    if (digits == 0 || digits > DIGITS_MAX) {
        return fallback;
    }
    (void)memcpy(number, text, digits);
    return text_parse_int64(number, &value, &error) ? value : fallback;
}

static int64_t major_of_image(const char *image)
{
    const char *slash = strrchr(image, '/');
    const char *name = slash == NULL ? image : slash;
    const char *tag = name + strcspn(name, ":@");
    return *tag == ':' ? leading_number(tag + 1, 0) : 0;
}

struct postgres postgres_of_cluster(struct json_reader *reader, const struct json *spec)
{
    struct postgres postgres = {.major = 0};
    const char *image = json_text(json_member(spec, "imageName"));
    if (image != NULL) {
        postgres.image = arena_copy(reader->arena, image);
        postgres.major = major_of_image(image);
    } else {
        struct json_reader ignored;
        json_reader_init(&ignored, reader->arena);
        postgres.major = json_int64(&ignored, json_member(spec, "imageCatalogRef"), "major", 0);
    }
    const struct json *parameters = json_path(spec, "postgresql", "parameters", NULL);
    for (size_t i = 0; i < POSTGRES_SETTING_COUNT; i++) {
        const char *value = json_text(json_member(parameters, SETTINGS[i].parameter));
        postgres.settings[i] = value == NULL ? -1 : leading_number(value, -1);
    }
    return postgres;
}

void postgres_add_controldata(struct postgres *postgres, const char *controldata)
{
    for (size_t i = 0; controldata != NULL && i < POSTGRES_SETTING_COUNT; i++) {
        const char *line = strstr(controldata, SETTINGS[i].line);
        if (line != NULL) {
            line += strlen(SETTINGS[i].line);
            postgres->settings[i] = leading_number(line + strspn(line, " \t"), -1);
        }
    }
}

const char *postgres_setting_name(enum postgres_setting setting)
{
    assert(setting < POSTGRES_SETTING_COUNT);
    return SETTINGS[setting].parameter;
}

int64_t postgres_setting_default(enum postgres_setting setting)
{
    assert(setting < POSTGRES_SETTING_COUNT);
    return SETTINGS[setting].value_default;
}
