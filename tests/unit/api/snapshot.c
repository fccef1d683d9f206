/* SPDX-License-Identifier: Apache-2.0 */
#include "api/volume.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CONTROLDATA                                                                                \
    "pg_control version number:            1300\\n"                                                \
    "Catalog version number:               202209061\\n"                                           \
    "Database system identifier:           7423456789012345678\\n"                                 \
    "Database cluster state:               in production\\n"

/* A snapshot whose manifest is this JSON, with ` for ". */
static struct object *snapshot_of(const char *manifest)
{
    cleanup_text struct text json;
    text_init(&json, 8192);
    text_append(&json, "{'metadata':{'name':'golden-1','annotations':{'cnpg.io/clusterManifest':'");
    for (const char *at = manifest; *at != '\0'; at++) {
        text_append(&json, *at == '`' ? "\\\"" : (char[]){*at, '\0'});
    }
    text_append(&json, "'}}}");
    return object_from(KIND_SNAPSHOT, json.bytes);
}

static void reads_what_cloudnativepg_wrote(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_SNAPSHOT,
        "{'metadata':{'name':'golden-1','namespace':'adjoint-pools',"
        "'labels':{'cnpg.io/pvcRole':'PG_DATA','cnpg.io/majorVersion':'15'},"
        "'annotations':{'cnpg.io/pgControldata':'" CONTROLDATA "',"
        "'cnpg.io/clusterManifest':'{\\'kind\\':\\'Cluster\\',\\'spec\\':{\\'bootstrap\\':"
        "{\\'initdb\\':{\\'database\\':\\'shop\\',\\'owner\\':\\'clerk\\'}}}}'}},"
        "'status':{'readyToUse':true,'boundVolumeSnapshotContentName':'snapcontent-1'}}");
    const struct snapshot *snapshot = object->snapshot;
    assert_true(snapshot->ready);
    assert_string_equal(snapshot->content, "snapcontent-1");
    assert_null(snapshot->failure);
    assert_string_equal(snapshot->pvc_role, "PG_DATA");
    assert_int_equal(snapshot->postgres.major, 15);
    assert_string_equal(snapshot->system_id, "7423456789012345678");
    assert_string_equal(snapshot->database, "shop");
    assert_string_equal(snapshot->owner, "clerk");
    assert_false(snapshot->more_volumes);
}

static void the_manifest_is_not_kept(void **state)
{
    (void)state;
    cleanup_text struct text json;
    text_init(&json, 100 * 1000);
    text_append(&json, "{'metadata':{'name':'a','annotations':{'cnpg.io/clusterManifest':'");
    for (int i = 0; i < 50000; i++) {
        text_append_char(&json, 'x');
    }
    text_append(&json, "'}}}");
    cleanup_object struct object *object = object_from(KIND_SNAPSHOT, json.bytes);
    assert_true(object->arena.used_bytes < 1000);
}

static void a_snapshot_of_others_is_unknown(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_SNAPSHOT, "{'metadata':{'name':'a'},'status':{'readyToUse':false,"
                                   "'error':{'message':'no such file system'}}}");
    const struct snapshot *snapshot = object->snapshot;
    assert_false(snapshot->ready);
    assert_string_equal(snapshot->failure, "no such file system");
    assert_null(snapshot->pvc_role);
    assert_null(snapshot->system_id);
    assert_null(snapshot->database);
    assert_null(snapshot->owner);
}

static void controldata_without_the_line_is_unknown(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "Database system identifier:", "nonsense",
                                        "Database system identifier: none"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cleanup_text struct text json;
        text_init(&json, 1000);
        text_print(&json, "{'metadata':{'name':'a','annotations':{'cnpg.io/pgControldata':'%s'}}}",
                   texts[i]);
        cleanup_object struct object *object = object_from(KIND_SNAPSHOT, json.bytes);
        assert_null(object->snapshot->system_id);
    }
}

static void database_and_owner_follow_cloudnativepgs_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *manifest, *database, *owner;
    } rows[] = {
        {"{`spec`:{}}", "app", "app"},
        {"{`spec`:{`bootstrap`:{}}}", "app", "app"},
        {"{`spec`:{`bootstrap`:{`initdb`:{}}}}", "app", "app"},
        {"{`spec`:{`bootstrap`:{`initdb`:{`database`:`shop`}}}}", "shop", "shop"},
        {"{`spec`:{`bootstrap`:{`initdb`:{`owner`:`clerk`}}}}", "app", "clerk"},
        {"{`spec`:{`bootstrap`:{`initdb`:{`database`:``,`owner`:``}}}}", "app", "app"},
        {"{`spec`:{`bootstrap`:{`recovery`:{`database`:`shop`,`owner`:`clerk`}}}}", "shop",
         "clerk"},
        {"{`spec`:{`bootstrap`:{`recovery`:{}}}}", "app", "app"},
        {"{`spec`:{`bootstrap`:{`pg_basebackup`:{`database`:`shop`}}}}", "shop", "shop"},
        {"{`spec`:{`bootstrap`:{`initdb`:{`database`:`no`},`recovery`:{`database`:`yes`}}}}", "yes",
         "yes"},
        {"{`spec`:{`bootstrap`:{`initdb`:{`import`:{`type`:`microservice`}}}}}", "app", "app"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cleanup_object struct object *object = snapshot_of(rows[i].manifest);
        assert_string_equal(object->snapshot->database, rows[i].database);
        assert_string_equal(object->snapshot->owner, rows[i].owner);
    }
}

static void a_monolithic_import_has_no_database_of_its_own(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        snapshot_of("{`spec`:{`bootstrap`:{`initdb`:{`import`:{`type`:`monolith`}}}}}");
    assert_null(object->snapshot->database);
    assert_null(object->snapshot->owner);
}

static void a_manifest_that_cannot_be_read_is_unknown(void **state)
{
    (void)state;
    static const char *const manifests[] = {
        "", "{", "[]", "7", "{`spec`:7}", "{`spec`:null}", "{`kind`:`Cluster`}"};
    for (size_t i = 0; i < sizeof(manifests) / sizeof(manifests[0]); i++) {
        cleanup_object struct object *object = snapshot_of(manifests[i]);
        assert_null(object->snapshot->database);
        assert_false(object->snapshot->more_volumes);
    }
}

static void wrong_types_in_a_manifest_do_not_make_the_snapshot_unreadable(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        snapshot_of("{`spec`:{`bootstrap`:{`initdb`:{`database`:7}},`tablespaces`:7}}");
    assert_string_equal(object->snapshot->database, "app");
    assert_false(object->snapshot->more_volumes);
}

static void more_volumes_are_seen(void **state)
{
    (void)state;
    cleanup_object struct object *wal = snapshot_of("{`spec`:{`walStorage`:{`size`:`1Gi`}}}");
    assert_true(wal->snapshot->more_volumes);
    cleanup_object struct object *tablespaces =
        snapshot_of("{`spec`:{`tablespaces`:[{`name`:`fast`}]}}");
    assert_true(tablespaces->snapshot->more_volumes);
    cleanup_object struct object *none = snapshot_of("{`spec`:{`tablespaces`:[]}}");
    assert_false(none->snapshot->more_volumes);
}

static void a_content_names_its_handle_in_status_or_spec(void **state)
{
    (void)state;
    cleanup_object struct object *made = object_from(
        KIND_SNAPSHOT_CONTENT,
        "{'metadata':{'name':'a'},'spec':{'driver':'fsx.openzfs.csi.aws.com',"
        "'source':{'volumeHandle':'fsvol-1'}},'status':{'snapshotHandle':'fsvolsnap-1'}}");
    assert_string_equal(made->snapshot_content->driver, "fsx.openzfs.csi.aws.com");
    assert_string_equal(made->snapshot_content->handle, "fsvolsnap-1");
    cleanup_object struct object *given =
        object_from(KIND_SNAPSHOT_CONTENT,
                    "{'metadata':{'name':'a'},'spec':{'source':{'snapshotHandle':'fsvolsnap-2'}}}");
    assert_string_equal(given->snapshot_content->handle, "fsvolsnap-2");
    cleanup_object struct object *new =
        object_from(KIND_SNAPSHOT_CONTENT, "{'metadata':{'name':'a'},'spec':{}}");
    assert_null(new->snapshot_content->handle);
}

/* As each Cluster has it that CloudNativePG's webhook has filled in, and with what its owner adds.
 */
static void slots_are_a_hazard_when_they_are_subscribers(void **state)
{
    (void)state;
    cleanup_object struct object *ordinary = snapshot_of(
        "{`spec`:{`replicationSlots`:{`highAvailability`:{`enabled`:true,`slotPrefix`:`_cnpg_`},"
        "`synchronizeReplicas`:{`enabled`:true},`updateInterval`:30}}}");
    assert_false(ordinary->snapshot->logical_slots);
    cleanup_object struct object *subscribed = snapshot_of(
        "{`spec`:{`replicationSlots`:{`highAvailability`:{`synchronizeLogicalDecoding`:true}}}}");
    assert_true(subscribed->snapshot->logical_slots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_cloudnativepg_wrote),
        cmocka_unit_test(the_manifest_is_not_kept),
        cmocka_unit_test(a_snapshot_of_others_is_unknown),
        cmocka_unit_test(controldata_without_the_line_is_unknown),
        cmocka_unit_test(database_and_owner_follow_cloudnativepgs_defaults),
        cmocka_unit_test(a_monolithic_import_has_no_database_of_its_own),
        cmocka_unit_test(a_manifest_that_cannot_be_read_is_unknown),
        cmocka_unit_test(wrong_types_in_a_manifest_do_not_make_the_snapshot_unreadable),
        cmocka_unit_test(more_volumes_are_seen),
        cmocka_unit_test(a_content_names_its_handle_in_status_or_spec),
        cmocka_unit_test(slots_are_a_hazard_when_they_are_subscribers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
