/* SPDX-License-Identifier: Apache-2.0 */
/* The files themselves, not a copy: what they refuse is refused here, too. */
#include "simulation/crds.h"

#include "base/limits.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/yaml.h"
#include "sim/value.h"

#include <stdio.h>

enum { FILE_COUNT = 2 };

struct crds {
    cJSON *values[FILE_COUNT];
    size_t count;
};

static bool take(void *self, const char *json, struct error *error)
{
    struct crds *crds = self;
    if (crds->count == FILE_COUNT) {
        return error_set(error, ERROR_INVALID, "there are more definitions than expected");
    }
    return value_parse(json, &crds->values[crds->count], error) && ++crds->count > 0;
}

static bool read_one(struct crds *crds, const char *folder, const char *name, struct error *error)
{
    char path[512];
    cleanup_memory char *text = NULL;
    size_t byte_count = 0;
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    return file_read(path, LIMIT_FILE_BYTES, &text, &byte_count, error) &&
           yaml_to_json(text, byte_count, take, crds, error);
}

bool crds_read(const char *folder, struct crds **out, struct error *error)
{
    static const char *const names[FILE_COUNT] = {"pools.adjoint.dev.yaml",
                                                  "instances.adjoint.dev.yaml"};
    struct crds *crds = memory_new(1, sizeof(*crds));
    for (size_t i = 0; i < FILE_COUNT; i++) {
        if (!read_one(crds, folder, names[i], error)) {
            crds_free(crds);
            return error_wrap(error, "%s", names[i]);
        }
    }
    *out = crds;
    return true;
}

void crds_free(struct crds *crds)
{
    if (crds != NULL) {
        for (size_t i = 0; i < crds->count; i++) {
            cJSON_Delete(crds->values[i]);
        }
        memory_free(crds);
    }
}

bool crds_post(const struct crds *crds, struct apiserver *server, struct error *error)
{
    const struct verb_options options = {.actor = "admin"};
    for (size_t i = 0; i < crds->count; i++) {
        cleanup_outcome struct outcome outcome = apiserver_create(
            server, &resource_definitions, NULL, cJSON_Duplicate(crds->values[i], true), &options);
        if (!outcome_ok(&outcome)) {
            return error_set(error, ERROR_INVALID, "%s", outcome.message);
        }
    }
    return true;
}
