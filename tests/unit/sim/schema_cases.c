/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of tests/crds, which a real API server has judged, judged by crds/ here. What they
   say is in the `# expect:`, `# before:` and `# becomes:` lines; see tests/crds/run. */
#include "sim/schema.h"

#include "base/limits.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/yaml.h"
#include "sim/schema_json_path.h"
#include "sim/value.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct file {
    char *bytes;
    cJSON *value;
};

struct schemas {
    struct schema *pools, *instances;
};

static bool keep_document(void *self, const char *json, struct error *error)
{
    return value_parse(json, self, error);
}

static struct file file_of(const char *folder, const char *name)
{
    char path[512];
    struct file file = {0};
    struct error error;
    size_t byte_count = 0;
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (!file_read(path, LIMIT_FILE_BYTES, &file.bytes, &byte_count, &error) ||
        !yaml_to_json(file.bytes, byte_count, keep_document, &file.value, &error)) {
        fail_msg("%s: %s", path, error.message);
    }
    return file;
}

static void file_release(struct file *file)
{
    memory_free(file->bytes);
    cJSON_Delete(file->value);
}
#define cleanup_file __attribute__((cleanup(file_release)))

/* The value of a `# key: value` line from `from` on, which is moved behind it; NULL: no more. The
   caller's. */
static char *header(const char **from, const char *key)
{
    char start[64];
    (void)snprintf(start, sizeof(start), "# %s: ", key);
    const char *at = *from != NULL ? strstr(*from, start) : NULL;
    if (at == NULL) {
        return NULL;
    }
    at += strlen(start);
    cleanup_text struct text value;
    text_init(&value, 4096);
    text_append_bytes(&value, at, strcspn(at, "\n"));
    *from = at;
    return text_take(&value);
}

static struct schema *schema_of(const char *name)
{
    struct file file cleanup_file = file_of("crds", name);
    cleanup_violations struct violations violations;
    cleanup_text struct text said;
    violations_init(&violations);
    text_init(&said, 65536);
    struct schema *schema = schema_new(value_at(file.value, "spec", "versions", NULL)->child,
                                       "spec.versions[0]", &violations);
    violations_say(&violations, &said);
    if (schema == NULL) {
        fail_msg("%s: %s", name, said.bytes);
    }
    return schema;
}

static int set_up(void **state)
{
    static struct schemas schemas;
    schemas.pools = schema_of("pools.adjoint.dev.yaml");
    schemas.instances = schema_of("instances.adjoint.dev.yaml");
    *state = &schemas;
    return 0;
}

static int tear_down(void **state)
{
    struct schemas *schemas = *state;
    schema_free(schemas->pools);
    schema_free(schemas->instances);
    return 0;
}

/* What a server would say, unknown fields included; "" when it takes it. */
static void judge(const struct schemas *schemas, cJSON *value, cJSON *before, struct text *said)
{
    bool is_pool = value_equal_text(value, "Pool", "kind", NULL);
    const struct schema *schema = is_pool ? schemas->pools : schemas->instances;
    cleanup_violations struct violations violations;
    violations_init(&violations);
    if (before != NULL) {
        schema_default(schema, before);
    }
    schema_prune(schema, value, said);
    schema_default(schema, value);
    schema_validate(schema, value, before, &violations);
    violations_say(&violations, said);
}

/* Calls test with each file's name; returns how many there were. */
static int each(const char *folder,
                void (*test)(const struct schemas *schemas, const char *folder, const char *name),
                const struct schemas *schemas)
{
    int count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (text_ends_with(entry->d_name, ".yaml")) {
            test(schemas, folder, entry->d_name);
            count++;
        }
    }
    (void)closedir(directory);
    return count;
}

static void assert_becomes(const struct file *file, const char *name)
{
    const char *at = file->bytes;
    for (char *line = header(&at, "becomes"); line != NULL; line = header(&at, "becomes")) {
        char path[256] = "";
        size_t path_bytes = strcspn(line, "}");
        assert_true(path_bytes < sizeof(path));
        (void)memcpy(path, line + 1, path_bytes - 1);
        const cJSON *found = json_path_first(file->value, path);
        if (found == NULL) {
            fail_msg("%s: nothing at %s", name, path);
        }
        char *printed cleanup_memory = value_print(found);
        const char *expected = line + path_bytes + 2;
        if (!text_equal(cJSON_IsString(found) ? found->valuestring : printed, expected)) {
            fail_msg("%s: %s is %s", name, path, printed);
        }
        memory_free(line);
    }
}

static void is_taken(const struct schemas *schemas, const char *folder, const char *name)
{
    struct file file cleanup_file = file_of(folder, name);
    cleanup_text struct text said;
    text_init(&said, 65536);
    judge(schemas, file.value, NULL, &said);
    if (said.length_bytes > 0) {
        fail_msg("%s: %s", name, said.bytes);
    }
    assert_becomes(&file, name);
}

static void is_refused(const struct schemas *schemas, const char *folder, const char *name)
{
    struct file file cleanup_file = file_of(folder, name);
    struct file before cleanup_file = {0};
    const char *at = file.bytes;
    char *expected cleanup_memory = header(&at, "expect");
    at = file.bytes;
    char *before_name cleanup_memory = header(&at, "before");
    if (before_name != NULL) {
        char full[256];
        (void)snprintf(full, sizeof(full), "%s.yaml", before_name);
        before = file_of("tests/crds/good", full);
    }
    cleanup_text struct text said;
    text_init(&said, 65536);
    judge(schemas, file.value, before.value, &said);
    assert_non_null(expected);
    if (strstr(said.bytes, expected) == NULL) {
        fail_msg("%s: %s", name, said.bytes);
    }
}

static void good_objects_are_taken(void **state)
{
    assert_true(each("tests/crds/good", is_taken, *state) > 0);
}

static void bad_objects_are_refused_for_what_is_bad(void **state)
{
    assert_true(each("tests/crds/bad", is_refused, *state) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_objects_are_taken),
        cmocka_unit_test(bad_objects_are_refused_for_what_is_bad),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
