/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong in an open-addressed table goes wrong among neighbours, so the keys here are
   chosen to share a slot, at the table's end too, and a table is compared with a plain array. */
#include "base/map.h"

#include "base/digest.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { KEY_BYTES = 16, FIRST_CAPACITY = 16 };

static int values[2000];

/* Keys whose home in the first table is `slot`. */
static void find_keys_of_slot(size_t slot, size_t key_count, char out_keys[][KEY_BYTES])
{
    size_t found = 0;
    for (int i = 0; found < key_count; i++) {
        (void)snprintf(out_keys[found], KEY_BYTES, "slot-%d", i);
        found += digest_hash(out_keys[found]) % FIRST_CAPACITY == slot ? 1 : 0;
    }
}

static void an_empty_map_has_nothing(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    size_t at = 0;
    struct map_entry entry;
    assert_null(map_get(&map, "a"));
    assert_null(map_remove(&map, "a"));
    assert_false(map_next(&map, &at, &entry));
    assert_int_equal(map.count, 0);
    map_release(&map);
    map_release(&map);
}

static void put_adds_and_replaces(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    char first_key[] = "pool/warm";
    char second_key[] = "pool/warm";
    assert_null(map_put(&map, first_key, &values[0]));
    assert_ptr_equal(map_put(&map, second_key, &values[1]), &values[0]);
    assert_int_equal(map.count, 1);
    memset(first_key, 'x', sizeof(first_key) - 1); /* the caller's again once it is replaced */
    assert_ptr_equal(map_get(&map, "pool/warm"), &values[1]);
    assert_null(map_get(&map, "pool/war"));
    assert_null(map_get(&map, ""));
    map_release(&map);
}

static void the_empty_string_is_a_key(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    map_put(&map, "", &values[0]);
    assert_ptr_equal(map_get(&map, ""), &values[0]);
    assert_ptr_equal(map_remove(&map, ""), &values[0]);
    assert_null(map_get(&map, ""));
    map_release(&map);
}

static void a_value_may_be_null(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    map_put(&map, "seen", NULL);
    assert_int_equal(map.count, 1);
    size_t at = 0;
    struct map_entry entry;
    assert_true(map_next(&map, &at, &entry));
    assert_string_equal(entry.key, "seen");
    assert_null(map_remove(&map, "seen"));
    assert_int_equal(map.count, 0);
    map_release(&map);
}

static void growth_keeps_everything(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static char keys[COUNT][KEY_BYTES];
    struct map map;
    map_init(&map);
    for (size_t i = 0; i < COUNT; i++) {
        (void)snprintf(keys[i], KEY_BYTES, "pv-%zu", i);
        assert_null(map_put(&map, keys[i], &values[i]));
    }
    assert_int_equal(map.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(map_get(&map, keys[i]), &values[i]);
    }
    assert_null(map_get(&map, "pv-2000"));
    map_release(&map);
}

static void assert_only_kept(const struct map *map, char keys[][KEY_BYTES], size_t key_count,
                             unsigned kept)
{
    for (size_t i = 0; i < key_count; i++) {
        void *expected = (kept >> i & 1) != 0 ? &values[i] : NULL;
        assert_ptr_equal(map_get(map, keys[i]), expected);
    }
}

/* Every subset of colliding neighbours removed, in both orders: the rest must still be found. */
static void removal_among_colliding_keys(size_t slot)
{
    enum { COUNT = 7 };
    char keys[COUNT][KEY_BYTES];
    find_keys_of_slot(slot, 3, keys);
    find_keys_of_slot((slot + 1) % FIRST_CAPACITY, 2, keys + 3);
    find_keys_of_slot((slot + 3) % FIRST_CAPACITY, 2, keys + 5);
    const unsigned all = (1U << COUNT) - 1;
    for (unsigned removed = 0; removed <= all; removed++) {
        struct map map;
        map_init(&map);
        for (size_t i = 0; i < COUNT; i++) {
            map_put(&map, keys[(i * 3 + removed) % COUNT], &values[(i * 3 + removed) % COUNT]);
        }
        assert_int_equal(map.capacity, FIRST_CAPACITY);
        unsigned kept = all;
        for (size_t step = 0; step < COUNT; step++) {
            size_t i = removed % 2 == 0 ? step : COUNT - 1 - step;
            if ((removed >> i & 1) != 0) {
                assert_ptr_equal(map_remove(&map, keys[i]), &values[i]);
                assert_null(map_remove(&map, keys[i]));
                kept &= ~(1U << i);
                assert_only_kept(&map, keys, COUNT, kept);
            }
        }
        assert_int_equal(map.count, __builtin_popcount(kept));
        map_release(&map);
    }
}

static void removal_keeps_colliding_keys(void **state)
{
    (void)state;
    removal_among_colliding_keys(4);
}

static void removal_keeps_colliding_keys_around_the_end(void **state)
{
    (void)state;
    removal_among_colliding_keys(FIRST_CAPACITY - 1);
    removal_among_colliding_keys(FIRST_CAPACITY - 3);
}

static void adding_and_removing_for_long_does_not_grow_the_table(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    char keys[8][KEY_BYTES];
    for (size_t i = 0; i < 10000; i++) {
        char *key = keys[i % 8];
        if (i >= 8) {
            assert_non_null(map_remove(&map, key));
        }
        (void)snprintf(key, KEY_BYTES, "pvc-%zu", i);
        map_put(&map, key, &values[i % 8]);
    }
    assert_int_equal(map.count, 8);
    assert_int_equal(map.capacity, FIRST_CAPACITY);
    map_release(&map);
}

static void removal_gives_the_table_back_and_keeps_what_is_left(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static char keys[COUNT][KEY_BYTES];
    struct map map;
    map_init(&map);
    for (size_t i = 0; i < COUNT; i++) {
        (void)snprintf(keys[i], KEY_BYTES, "pvc-%zu", i);
        map_put(&map, keys[i], &values[i]);
    }
    for (size_t left = COUNT; left > 0; left--) {
        assert_ptr_equal(map_get(&map, keys[0]), &values[0]);
        assert_ptr_equal(map_remove(&map, keys[left - 1]), &values[left - 1]);
        assert_true(map.capacity == FIRST_CAPACITY || map.capacity <= map.count * 8);
    }
    assert_int_equal(map.count, 0);
    assert_int_equal(map.capacity, FIRST_CAPACITY);
    map_release(&map);
}

static void next_gives_every_entry_once(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    char keys[COUNT][KEY_BYTES];
    bool seen[COUNT] = {false};
    struct map map;
    map_init(&map);
    for (size_t i = 0; i < COUNT; i++) {
        (void)snprintf(keys[i], KEY_BYTES, "%zu", i);
        map_put(&map, keys[i], &values[i]);
    }
    size_t at = 0;
    size_t entry_count = 0;
    struct map_entry entry;
    while (map_next(&map, &at, &entry)) {
        size_t i = (size_t)((int *)entry.value - values);
        assert_ptr_equal(entry.key, keys[i]);
        assert_false(seen[i]);
        seen[i] = true;
        entry_count++;
    }
    assert_int_equal(entry_count, COUNT);
    map_release(&map);
}

static void behaves_as_an_array_would(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    char keys[COUNT][KEY_BYTES];
    void *model[COUNT] = {NULL};
    for (size_t i = 0; i < COUNT; i++) {
        (void)snprintf(keys[i], KEY_BYTES, "key-%zu", i);
    }
    struct random random;
    random_init(&random, 11);
    struct map map;
    map_init(&map);
    for (int i = 0; i < 20000; i++) {
        size_t key = (size_t)random_below(&random, COUNT);
        void *value = &values[random_below(&random, 2000)];
        if (random_below(&random, 2) == 0) {
            assert_ptr_equal(map_put(&map, keys[key], value), model[key]);
            model[key] = value;
        } else {
            assert_ptr_equal(map_remove(&map, keys[key]), model[key]);
            model[key] = NULL;
        }
    }
    size_t count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(map_get(&map, keys[i]), model[i]);
        count += model[i] != NULL ? 1 : 0;
    }
    assert_int_equal(map.count, count);
    map_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_nothing),
        cmocka_unit_test(put_adds_and_replaces),
        cmocka_unit_test(the_empty_string_is_a_key),
        cmocka_unit_test(a_value_may_be_null),
        cmocka_unit_test(growth_keeps_everything),
        cmocka_unit_test(removal_keeps_colliding_keys),
        cmocka_unit_test(removal_keeps_colliding_keys_around_the_end),
        cmocka_unit_test(adding_and_removing_for_long_does_not_grow_the_table),
        cmocka_unit_test(removal_gives_the_table_back_and_keeps_what_is_left),
        cmocka_unit_test(next_gives_every_entry_once),
        cmocka_unit_test(behaves_as_an_array_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
