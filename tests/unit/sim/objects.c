/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/objects.h"

#include "base/text.h"
#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct resource *const PVC = &resource_persistent_volume_claims;
static const struct resource *const PV = &resource_persistent_volumes;

struct fixture {
    struct world *world;
    struct objects *objects;
    struct text text;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture.world = world_new(1, 0);
    fixture.objects = objects_new(fixture.world);
    text_init(&fixture.text, 4096);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    objects_free(fixture->objects);
    world_free(fixture->world);
    text_release(&fixture->text);
    return 0;
}

static const struct record *put(struct objects *objects, const struct resource *resource,
                                const char *namespace, const char *name)
{
    cJSON *value = cJSON_CreateObject();
    cJSON *metadata = value_make(value, "metadata", NULL);
    value_set_text(metadata, "name", name);
    value_set_text(metadata, "namespace", namespace);
    value_set_text(metadata, "uid", "u");
    return objects_put(objects, resource, value);
}

/* ---- the present ---- */

static void an_object_is_found_under_its_names(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture->objects, PVC, "dev", "a");
    (void)put(fixture->objects, PV, NULL, "a");
    const struct record *claim = objects_get(fixture->objects, PVC, "dev", "a");
    assert_string_equal(claim->namespace, "dev");
    assert_string_equal(claim->name, "a");
    assert_string_equal(claim->uid, "u");
    assert_ptr_equal(claim->resource, PVC);
    assert_ptr_equal(objects_get(fixture->objects, PV, NULL, "a"),
                     objects_get(fixture->objects, PV, "", "a"));
    assert_ptr_not_equal(objects_get(fixture->objects, PV, "", "a"), claim);
    assert_null(objects_get(fixture->objects, PVC, "dev", "b"));
    assert_null(objects_get(fixture->objects, PVC, "other", "a"));
    assert_null(objects_get(fixture->objects, &resource_pods, "dev", "a"));
}

static void each_change_has_the_next_revision(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(objects_revision(fixture->objects), 1);
    const struct record *record = put(fixture->objects, PVC, "dev", "a");
    assert_int_equal(record->revision, 2);
    assert_string_equal(value_text(record->value, "metadata", "resourceVersion", NULL), "2");
    assert_int_equal(put(fixture->objects, PV, NULL, "a")->revision, 3);
    assert_int_equal(put(fixture->objects, PVC, "dev", "a")->revision, 4);
    objects_remove(fixture->objects, PVC, "dev", "a");
    assert_int_equal(objects_revision(fixture->objects), 5);
    assert_null(objects_get(fixture->objects, PVC, "dev", "a"));
}

static void a_text_is_the_versions_own(void **state)
{
    struct fixture *fixture = *state;
    struct record *first = record_keep(put(fixture->objects, PV, NULL, "a"));
    const struct record *second = put(fixture->objects, PV, NULL, "a");
    const char *text = record_text(first);
    assert_string_equal(text,
                        "{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"2\"}}");
    assert_ptr_equal(record_text(first), text);
    assert_string_not_equal(record_text(second), text);
    assert_null(record_text(NULL));
    record_release(first);
}

static void a_kept_version_outlives_its_object_and_the_store(void **state)
{
    (void)state;
    struct world *world = world_new(1, 0);
    struct objects *objects = objects_new(world);
    struct record *kept = record_keep(put(objects, PVC, "dev", "a"));
    objects_remove(objects, PVC, "dev", "a");
    objects_free(objects);
    world_free(world);
    assert_string_equal(kept->name, "a");
    record_release(kept);
    assert_null(record_keep(NULL));
    record_release(NULL);
}

static void a_namespace_means_nothing_where_there_is_none(void **state)
{
    struct fixture *fixture = *state;
    assert_string_equal(put(fixture->objects, PV, "dev", "a")->namespace, "");
    assert_non_null(objects_get(fixture->objects, PV, NULL, "a"));
}

/* ---- lists ---- */

static void list(struct fixture *fixture, const char *namespace)
{
    text_clear(&fixture->text);
    const struct record *at = NULL;
    while ((at = objects_next(fixture->objects, PVC, namespace, at)) != NULL) {
        text_print(&fixture->text, "%s/%s ", at->namespace, at->name);
    }
}

static void lists_come_in_order_of_namespace_and_name(void **state)
{
    struct fixture *fixture = *state;
    list(fixture, NULL);
    assert_string_equal(fixture->text.bytes, "");
    static const char *const NAMES[][2] = {{"b", "2"}, {"a", "9"}, {"b", "10"}, {"a-b", "1"},
                                           {"c", "1"}, {"a", "1"}, {"b", "1"}};
    for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
        (void)put(fixture->objects, PVC, NAMES[i][0], NAMES[i][1]);
    }
    list(fixture, NULL);
    assert_string_equal(fixture->text.bytes, "a/1 a/9 a-b/1 b/1 b/10 b/2 c/1 ");
    list(fixture, "b");
    assert_string_equal(fixture->text.bytes, "b/1 b/10 b/2 ");
    list(fixture, "a");
    assert_string_equal(fixture->text.bytes, "a/1 a/9 ");
    list(fixture, "bb");
    assert_string_equal(fixture->text.bytes, "");
}

static void a_list_goes_on_when_its_place_was_removed_or_changed(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture->objects, PVC, "a", "1");
    struct record *second = record_keep(put(fixture->objects, PVC, "a", "2"));
    (void)put(fixture->objects, PVC, "a", "3");
    const struct record *at = objects_next(fixture->objects, PVC, NULL, NULL);
    assert_ptr_equal(objects_next(fixture->objects, PVC, NULL, at), second);

    (void)put(fixture->objects, PVC, "a", "0");
    (void)put(fixture->objects, PVC, "a", "2");
    assert_string_equal(objects_next(fixture->objects, PVC, NULL, second)->name, "3");
    objects_remove(fixture->objects, PVC, "a", "2");
    assert_string_equal(objects_next(fixture->objects, PVC, NULL, second)->name, "3");
    objects_remove(fixture->objects, PVC, "a", "3");
    assert_null(objects_next(fixture->objects, PVC, NULL, second));
    record_release(second);
}

static void hundreds_of_objects_stay_sorted(void **state)
{
    struct fixture *fixture = *state;
    enum { COUNT = 500 };
    char name[16];
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(name, sizeof(name), "n%03d", i * 37 % COUNT);
        (void)put(fixture->objects, PV, NULL, name);
    }
    for (int i = 0; i < COUNT; i += 2) {
        (void)snprintf(name, sizeof(name), "n%03d", i);
        objects_remove(fixture->objects, PV, NULL, name);
    }
    int next = 1;
    const struct record *at = NULL;
    while ((at = objects_next(fixture->objects, PV, NULL, at)) != NULL) {
        (void)snprintf(name, sizeof(name), "n%03d", next);
        assert_string_equal(at->name, name);
        assert_ptr_equal(objects_get(fixture->objects, PV, NULL, name), at);
        next += 2;
    }
    assert_int_equal(next, COUNT + 1);
}

/* ---- history ---- */

static void history_has_every_change_with_what_was_before(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture->objects, PVC, "dev", "a");
    (void)world_run_next(fixture->world, 70);
    (void)put(fixture->objects, PVC, "dev", "a");
    objects_remove(fixture->objects, PVC, "dev", "a");

    const struct change *added = objects_change_after(fixture->objects, 1);
    assert_int_equal(added->type, CHANGE_ADDED);
    assert_int_equal(added->revision, 2);
    assert_int_equal(added->at_ms, 0);
    assert_null(added->before);
    const struct change *modified = objects_change_after(fixture->objects, 2);
    assert_int_equal(modified->type, CHANGE_MODIFIED);
    assert_int_equal(modified->at_ms, 70);
    assert_ptr_equal(modified->before, added->record);
    const struct change *deleted = objects_change_after(fixture->objects, 3);
    assert_int_equal(deleted->type, CHANGE_DELETED);
    assert_ptr_equal(deleted->before, modified->record);
    assert_int_equal(deleted->record->revision, 4);
    assert_string_equal(value_text(deleted->record->value, "metadata", "resourceVersion", NULL),
                        "4");
    assert_string_equal(value_text(deleted->before->value, "metadata", "resourceVersion", NULL),
                        "3");
    assert_null(objects_change_after(fixture->objects, 4));
}

static void what_comes_after_a_deletion_is_a_new_object(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture->objects, PVC, "dev", "a");
    objects_remove(fixture->objects, PVC, "dev", "a");
    (void)put(fixture->objects, PVC, "dev", "a");
    assert_int_equal(objects_change_after(fixture->objects, 3)->type, CHANGE_ADDED);
    assert_null(objects_change_after(fixture->objects, 3)->before);
}

static void compaction_forgets_up_to_a_revision(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 10; i++) {
        (void)put(fixture->objects, PV, NULL, "a");
    }
    assert_int_equal(objects_compacted(fixture->objects), 1);
    objects_compact(fixture->objects, 5);
    assert_int_equal(objects_compacted(fixture->objects), 5);
    objects_compact(fixture->objects, 3);
    assert_int_equal(objects_compacted(fixture->objects), 5);
    assert_int_equal(objects_change_after(fixture->objects, 5)->revision, 6);
    assert_int_equal(objects_get(fixture->objects, PV, NULL, "a")->revision, 11);
    objects_compact(fixture->objects, 11);
    assert_null(objects_change_after(fixture->objects, 11));
}

static void history_is_bounded_and_says_from_where(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 2 * OBJECTS_CHANGES_MAX; i++) {
        (void)put(fixture->objects, PV, NULL, "a");
    }
    uint64_t compacted = objects_compacted(fixture->objects);
    uint64_t revision = objects_revision(fixture->objects);
    assert_int_equal(revision - compacted, OBJECTS_CHANGES_MAX);
    while (compacted < revision) {
        assert_int_equal(objects_change_after(fixture->objects, compacted)->revision,
                         compacted + 1);
        compacted++;
    }
}

/* ---- listeners ---- */

struct ear {
    struct fixture *fixture;
    char letter;
};

static void hear(void *self, const struct change *change)
{
    struct ear *ear = self;
    text_print(&ear->fixture->text, "%c%d ", ear->letter, (int)change->revision);
    assert_int_equal(objects_revision(ear->fixture->objects), change->revision);
    const struct record *present = objects_get(ear->fixture->objects, change->record->resource,
                                               change->record->namespace, change->record->name);
    assert_ptr_equal(present, change->type == CHANGE_DELETED ? NULL : change->record);
}

static void listeners_hear_each_change_in_the_order_they_came(void **state)
{
    struct fixture *fixture = *state;
    struct ear first = {fixture, 'a'};
    struct ear second = {fixture, 'b'};
    struct objects_listener *one = objects_listen(fixture->objects, hear, &first);
    struct objects_listener *other = objects_listen(fixture->objects, hear, &second);
    (void)put(fixture->objects, PV, NULL, "x");
    objects_remove(fixture->objects, PV, NULL, "x");
    assert_string_equal(fixture->text.bytes, "a2 b2 a3 b3 ");
    objects_unlisten(fixture->objects, one);
    (void)put(fixture->objects, PV, NULL, "x");
    assert_string_equal(fixture->text.bytes, "a2 b2 a3 b3 b4 ");
    objects_unlisten(fixture->objects, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(an_object_is_found_under_its_names),
        TEST(each_change_has_the_next_revision),
        TEST(a_text_is_the_versions_own),
        TEST(a_kept_version_outlives_its_object_and_the_store),
        TEST(a_namespace_means_nothing_where_there_is_none),
        TEST(lists_come_in_order_of_namespace_and_name),
        TEST(a_list_goes_on_when_its_place_was_removed_or_changed),
        TEST(hundreds_of_objects_stay_sorted),
        TEST(history_has_every_change_with_what_was_before),
        TEST(what_comes_after_a_deletion_is_a_new_object),
        TEST(compaction_forgets_up_to_a_revision),
        TEST(history_is_bounded_and_says_from_where),
        TEST(listeners_hear_each_change_in_the_order_they_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
