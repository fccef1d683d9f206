/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong parameters are Internal to the driver, not InvalidArgument, unless it looks at them before
   it hands them to the SDK's strict decoder: hence the two lists. */
#include "sim/fsx_parameters.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

static const char *const KNOWN[] = {
    "CopyTagsToSnapshots",
    "DataCompressionType",
    "NfsExports",
    "OptionsOnDeletion",
    "OriginSnapshot",
    "ParentVolumeId",
    "ReadOnly",
    "RecordSizeKiB",
    "ResourceType",
    "StorageCapacityQuotaGiB",
    "StorageCapacityReservationGiB",
    "Tags",
    "UserAndGroupQuotas",
    NULL,
};

/* The driver sets these itself. */
static const char *const OF_THE_DRIVER[] = {
    "ClientRequestToken", "FileSystemType", "Name",       "OpenZFSConfiguration",
    "StorageCapacity",    "VolumeId",       "VolumeType", NULL,
};

static bool is_one_of(const char *word, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_reserved(const char *key)
{
    return text_starts_with(key, "csi.storage.k8s.io/");
}

/* Owned by the caller; NULL: absent, or no JSON. */
static cJSON *raw_json(const cJSON *parameters, const char *key)
{
    const char *text = value_text(parameters, key, NULL);
    return text == NULL ? NULL : cJSON_ParseWithOpts(text, NULL, 1);
}

static enum csi_code refuse(enum csi_code code, char *message, size_t message_bytes,
                            const char *what, const char *key)
{
    (void)snprintf(message, message_bytes, "%s%s", what, key);
    return code;
}

static enum csi_code check_keys(const cJSON *parameters, char *message, size_t message_bytes)
{
    const char *type = value_text(parameters, "ResourceType", NULL);
    if (type == NULL || strcmp(type, "volume") != 0) {
        return refuse(CSI_INVALID_ARGUMENT, message, message_bytes,
                      "resourceType must be volume, is ", type == NULL ? "not set" : type);
    }
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, parameters)
    {
        if (is_one_of(item->string, OF_THE_DRIVER)) {
            return refuse(CSI_INVALID_ARGUMENT, message, message_bytes,
                          "the driver provides this parameter: ", item->string);
        }
        if (!is_reserved(item->string) && !is_one_of(item->string, KNOWN)) {
            return refuse(CSI_INTERNAL, message, message_bytes,
                          "unknown parameter: ", item->string);
        }
    }
    return CSI_OK;
}

static enum csi_code read_origin(const cJSON *parameters, struct fsx_parameters *out_parameters,
                                 char *message, size_t message_bytes)
{
    if (value_text(parameters, "OriginSnapshot", NULL) == NULL) {
        return CSI_OK;
    }
    cJSON *origin = raw_json(parameters, "OriginSnapshot");
    const char *strategy = value_text(origin, "CopyStrategy", NULL);
    enum csi_code code = CSI_OK;
    if (value_at(origin, "SnapshotARN", NULL) != NULL) {
        code = refuse(CSI_INVALID_ARGUMENT, message, message_bytes,
                      "the driver provides this parameter: ", "SnapshotARN");
    } else if (strategy == NULL) {
        code =
            refuse(CSI_INTERNAL, message, message_bytes, "no CopyStrategy in ", "OriginSnapshot");
    } else {
        out_parameters->has_origin_snapshot = true;
        out_parameters->is_full_copy = strcmp(strategy, "FULL_COPY") == 0;
    }
    cJSON_Delete(origin);
    return code;
}

enum csi_code fsx_parameters_read(const cJSON *parameters, struct fsx_parameters *out_parameters,
                                  char *message, size_t message_bytes)
{
    *out_parameters = (struct fsx_parameters){0};
    enum csi_code code = check_keys(parameters, message, message_bytes);
    if (code != CSI_OK) {
        return code;
    }
    cJSON *parent = raw_json(parameters, "ParentVolumeId");
    if (!cJSON_IsString(parent)) {
        cJSON_Delete(parent);
        return refuse(CSI_INTERNAL, message, message_bytes, "no JSON string: ", "ParentVolumeId");
    }
    out_parameters->parent = memory_copy_text(parent->valuestring);
    cJSON_Delete(parent);
    code = read_origin(parameters, out_parameters, message, message_bytes);
    cJSON *options = raw_json(parameters, "OptionsOnDeletion");
    out_parameters->deletes_children =
        value_list_has(options, "DELETE_CHILD_VOLUMES_AND_SNAPSHOTS");
    cJSON_Delete(options);
    out_parameters->text = value_print(parameters);
    return code;
}

void fsx_parameters_release(struct fsx_parameters *parameters)
{
    memory_free(parameters->parent);
    memory_free(parameters->text);
    *parameters = (struct fsx_parameters){0};
}
