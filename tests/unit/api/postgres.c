/* SPDX-License-Identifier: Apache-2.0 */
#include "api/postgres.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct postgres read(const char *spec)
{
    cleanup_json struct json_document *document = NULL;
    cleanup_arena struct arena arena;
    struct json_reader reader;
    struct error error;
    arena_init(&arena, 0);
    json_reader_init(&reader, &arena);
    assert_true(json_parse(spec, strlen(spec), &document, &error));
    struct postgres postgres = postgres_of_cluster(&reader, json_root(document));
    assert_true(json_reader_check(&reader, "spec", &error));
    postgres.image = NULL; /* its arena goes */
    return postgres;
}

static void an_images_tag_begins_with_the_major_version(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int64_t major;
    } rows[] = {
        {"{\"imageName\":\"ghcr.io/cloudnative-pg/postgresql:15\"}", 15},
        {"{\"imageName\":\"registry:5000/postgresql:16.4-12-bookworm@sha256:ab\"}", 16},
        {"{\"imageName\":\"registry:5000/postgresql\"}", 0},
        {"{\"imageName\":\"postgresql:17\"}", 17},
        {"{\"imageName\":\"postgresql:latest\"}", 0},
        {"{\"imageName\":\"postgresql@sha256:15\"}", 0},
        {"{\"imageName\":7}", 0},
        {"{\"imageCatalogRef\":{\"name\":\"c\",\"major\":16}}", 16},
        {"{\"imageCatalogRef\":{\"name\":\"c\",\"major\":\"x\"}}", 0},
        {"{\"imageCatalogRef\":[]}", 0},
        {"{}", 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        assert_int_equal(read(rows[i].spec).major, rows[i].major);
    }
}

static void parameters_are_read_as_far_as_they_are_numbers(void **state)
{
    (void)state;
    struct postgres postgres =
        read("{\"postgresql\":{\"parameters\":{\"max_connections\":\"200\","
             "\"max_wal_senders\":\"many\",\"max_locks_per_transaction\":64}}}");
    assert_int_equal(postgres.settings[POSTGRES_CONNECTIONS], 200);
    assert_int_equal(postgres.settings[POSTGRES_WAL_SENDERS], -1);
    assert_int_equal(postgres.settings[POSTGRES_LOCKS], -1);
    assert_int_equal(postgres.settings[POSTGRES_WORKER_PROCESSES], -1);
}

static void controldata_has_them_in_words_of_its_own(void **state)
{
    (void)state;
    struct postgres postgres = read("{}");
    postgres_add_controldata(&postgres, NULL);
    assert_int_equal(postgres.settings[POSTGRES_CONNECTIONS], -1);
    postgres_add_controldata(&postgres, "max_connections setting:              300\n"
                                        "max_prepared_xacts setting:           5\n"
                                        "max_locks_per_xact setting:\n");
    assert_int_equal(postgres.settings[POSTGRES_CONNECTIONS], 300);
    assert_int_equal(postgres.settings[POSTGRES_PREPARED_TRANSACTIONS], 5);
    assert_int_equal(postgres.settings[POSTGRES_LOCKS], -1);
    assert_string_equal(postgres_setting_name(POSTGRES_PREPARED_TRANSACTIONS),
                        "max_prepared_transactions");
    assert_int_equal(postgres_setting_default(POSTGRES_CONNECTIONS), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_images_tag_begins_with_the_major_version),
        cmocka_unit_test(parameters_are_read_as_far_as_they_are_numbers),
        cmocka_unit_test(controldata_has_them_in_words_of_its_own),
    };
    return cmocka_run_group_tests_name("postgres", tests, NULL, NULL);
}
