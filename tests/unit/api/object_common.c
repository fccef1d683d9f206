/* SPDX-License-Identifier: Apache-2.0 */
#include "base/common.h"

#include "api/names.h"
#include "api/object.h"
#include "api/volume.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    *state = commons_new();
    return 0;
}

static int tear_down(void **state)
{
    commons_free(*state); /* which sees that nobody has any left */
    return 0;
}

/* A PV of a Pool, claimed by the Instance of its own name. */
static struct object *volume_from(struct commons *commons, const char *name, const char *pool,
                                  const char *note)
{
    char json[1000];
    int byte_count =
        snprintf(json, sizeof(json),
                 "{\"metadata\":{\"name\":\"%s\",\"uid\":\"uid-%s\",\"labels\":{"
                 "\"adjoint.dev/state\":\"claimed\",\"adjoint.dev/instance\":\"%s\","
                 "\"adjoint.dev/pool\":\"%s\"},\"annotations\":{\"adjoint.dev/golden\":\"%s\"},"
                 "\"finalizers\":[\"kubernetes.io/pv-protection\"]},"
                 "\"spec\":{\"storageClassName\":\"fsx-clone\"}}",
                 name, name, name, pool, note);
    struct object *object = NULL;
    struct error error;
    assert_true(object_decode(KIND_VOLUME, json, (size_t)byte_count, commons, &object, &error));
    return object;
}

static void assert_is(const struct object *volume, const char *name, const char *pool,
                      const char *note)
{
    assert_string_equal(volume->meta.name, name);
    assert_string_equal(object_label(volume, LABEL_INSTANCE), name);
    assert_string_equal(object_label(volume, LABEL_STATE), STATE_CLAIMED);
    assert_string_equal(object_label(volume, LABEL_POOL), pool);
    assert_string_equal(object_annotation(volume, ANNOTATION_GOLDEN), note);
    assert_null(object_label(volume, ANNOTATION_GOLDEN));
    assert_null(object_annotation(volume, LABEL_POOL));
    assert_int_equal(volume->volume->state, VOLUME_STATE_CLAIMED);
    assert_string_equal(volume->volume->storage_class, "fsx-clone");
    assert_true(object_has_finalizer(volume, "kubernetes.io/pv-protection"));
    assert_int_equal(object_label_count(volume), 3);
    size_t at = 0;
    size_t count = 0;
    while (object_next_label(volume, &at) != NULL) {
        count++;
    }
    assert_int_equal(count, 3);
}

/* Of keys that many other objects have alike, too. */
static void what_a_pool_selects_by_is_the_objects_own(void **state)
{
    static const char json[] = "{\"metadata\":{\"name\":\"golden\",\"namespace\":\"pools\","
                               "\"labels\":{\"cnpg.io/majorVersion\":\"16\",\"tier\":\"gold\"}}}";
    for (int i = 0; i < 2; i++) {
        cleanup_object struct object *snapshot = NULL;
        struct error error;
        assert_true(
            object_decode(KIND_SNAPSHOT, json, sizeof(json) - 1, *state, &snapshot, &error));
        assert_int_equal(snapshot->meta.label_count, 2);
        assert_string_equal(snapshot->meta.labels[0].key, "cnpg.io/majorVersion");
        assert_string_equal(snapshot->meta.labels[0].value, "16");
        assert_string_equal(object_label(snapshot, "cnpg.io/majorVersion"), "16");
    }
}

static void objects_alike_have_their_words_once(void **state)
{
    cleanup_object struct object *one = volume_from(*state, "a", "orders", "g");
    cleanup_object struct object *other = volume_from(*state, "b", "orders", "g");
    cleanup_object struct object *alone = volume_from(NULL, "a", "orders", "g");
    assert_is(one, "a", "orders", "g");
    assert_is(other, "b", "orders", "g");
    assert_is(alone, "a", "orders", "g");
    assert_int_equal(commons_count(*state), 1);
    assert_ptr_equal(object_label(one, LABEL_POOL), object_label(other, LABEL_POOL));
    assert_ptr_equal(one->volume->storage_class, other->volume->storage_class);
    assert_ptr_equal(one->meta.alike, other->meta.alike);
    assert_ptr_not_equal(one->meta.name, other->meta.name);
    assert_true(one->arena.used_bytes < alone->arena.used_bytes);
}

static void the_last_one_takes_the_words_along(void **state)
{
    struct object *one = volume_from(*state, "a", "orders", "g");
    struct object *other = volume_from(*state, "b", "orders", "g");
    cleanup_object struct object *third = volume_from(*state, "c", "users", "g");
    assert_int_equal(commons_count(*state), 2);
    object_free(one);
    assert_is(other, "b", "orders", "g");
    assert_int_equal(commons_count(*state), 2);
    object_free(other);
    assert_int_equal(commons_count(*state), 1);
    assert_is(third, "c", "users", "g");
}

/* A word that is somebody's name, too, or in another place, or holds what ends words. */
static void words_mean_nothing_by_themselves(void **state)
{
    static const struct {
        const char *name, *pool, *note;
    } rows[] = {
        {"orders", "orders", "orders"},
        {"a", "orders", "g"},
        {"a", "g", "orders"},
        {"a", "two\\nlines", "g"},
        {"a", "g", "\\n"},
        {"claimed", "fsx-clone", ""},
        {"a", "", ""},
        {"clone", "a", "fsx-"},
    };
    enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };
    struct object *objects[ROW_COUNT];
    for (size_t i = 0; i < ROW_COUNT; i++) {
        objects[i] = volume_from(*state, rows[i].name, rows[i].pool, rows[i].note);
    }
    for (size_t i = 0; i < ROW_COUNT; i++) {
        bool has_end = strchr(rows[i].pool, '\\') != NULL || strchr(rows[i].note, '\\') != NULL;
        if (!has_end) {
            assert_is(objects[i], rows[i].name, rows[i].pool, rows[i].note);
        }
    }
    assert_is(objects[3], "a", "two\nlines", "g");
    assert_is(objects[4], "a", "g", "\n");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        object_free(objects[i]);
    }
    assert_int_equal(commons_count(*state), 0);
}

static void one_object_is_one_allocation_of_its_size(void **state)
{
    cleanup_object struct object *object = volume_from(*state, "a", "orders", "g");
    const void *first_block = object->arena.blocks;
    (void)arena_new(&object->arena, 1, 1);
    assert_ptr_not_equal(object->arena.blocks, first_block);
}

static void what_cannot_be_decoded_leaves_nothing(void **state)
{
    static const char json[] = "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"f\"]},"
                               "\"spec\":{\"storageClassName\":7}}";
    struct object *object = NULL;
    struct error error;
    assert_false(object_decode(KIND_VOLUME, json, sizeof(json) - 1, *state, &object, &error));
    assert_null(object);
    assert_int_equal(commons_count(*state), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_alike_have_their_words_once),
        cmocka_unit_test(what_a_pool_selects_by_is_the_objects_own),
        cmocka_unit_test(the_last_one_takes_the_words_along),
        cmocka_unit_test(words_mean_nothing_by_themselves),
        cmocka_unit_test(one_object_is_one_allocation_of_its_size),
        cmocka_unit_test(what_cannot_be_decoded_leaves_nothing),
    };
    return cmocka_run_group_tests_name("api/object_common", tests, set_up, tear_down);
}
