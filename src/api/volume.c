/* SPDX-License-Identifier: Apache-2.0 */
/* Phases and policies are Kubernetes' and may grow: an unknown phase reads as Pending, with which
   nothing is done, and an unknown policy as one that is neither Delete nor Retain. */
#include "api/volume.h"

#include "api/field.h"
#include "api/names.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

static const char *const VOLUME_PHASES[] = {
    [VOLUME_PENDING] = "Pending",   [VOLUME_AVAILABLE] = "Available", [VOLUME_BOUND] = "Bound",
    [VOLUME_RELEASED] = "Released", [VOLUME_FAILED] = "Failed",       NULL,
};

static const char *const CLAIM_PHASES[] = {
    [CLAIM_PENDING] = "Pending", [CLAIM_BOUND] = "Bound", [CLAIM_LOST] = "Lost", NULL};

static const char *const RECLAIM_POLICIES[] = {
    [RECLAIM_DELETE] = "Delete", [RECLAIM_RETAIN] = "Retain", NULL};

static const struct {
    const char *label;
    enum volume_state state;
} STATES[] = {
    {STATE_WARM, VOLUME_STATE_WARM},           {STATE_RESERVED, VOLUME_STATE_RESERVED},
    {STATE_CLAIMED, VOLUME_STATE_CLAIMED},     {STATE_RETIRING, VOLUME_STATE_RETIRING},
    {STATE_DISPOSING, VOLUME_STATE_DISPOSING},
};

static enum volume_state state_of(const struct object *object)
{
    const char *label = object_label(object, LABEL_STATE);
    if (label == NULL) {
        return VOLUME_STATE_NONE;
    }
    for (size_t i = 0; i < sizeof(STATES) / sizeof(STATES[0]); i++) {
        if (text_equal(label, STATES[i].label)) {
            return STATES[i].state;
        }
    }
    return VOLUME_STATE_STRANGE;
}

static enum reclaim_policy read_policy(struct json_reader *reader, const struct json *parent,
                                       const char *key)
{
    return (enum reclaim_policy)field_choice_or(reader, parent, key, RECLAIM_POLICIES,
                                                RECLAIM_OTHER);
}

static void read_spec(struct json_reader *reader, const struct json *spec, struct volume *volume)
{
    volume->policy = read_policy(reader, spec, "persistentVolumeReclaimPolicy");
    volume->storage_class = field_word(reader, spec, "storageClassName");
    volume->capacity = json_word(reader, field_object(reader, spec, "capacity"), "storage");
    volume->access_modes = field_strings(reader, spec, "accessModes", &volume->access_mode_count);

    const struct json *claim = field_object(reader, spec, "claimRef");
    volume->claim_namespace = json_string(reader, claim, "namespace");
    volume->claim_name = json_string(reader, claim, "name");
    volume->claim_uid = json_string(reader, claim, "uid");

    const struct json *csi = field_object(reader, spec, "csi");
    volume->driver = json_word(reader, csi, "driver");
    volume->handle = json_string(reader, csi, "volumeHandle");
    volume->file_system =
        json_word(reader, field_object(reader, csi, "volumeAttributes"), "DNSName");
}

void volume_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct volume *volume = arena_new(reader->arena, 1, sizeof(*volume));
    const struct json *status = field_object(reader, root, "status");
    volume->phase =
        (enum volume_phase)field_choice_or(reader, status, "phase", VOLUME_PHASES, VOLUME_PENDING);
    volume->state = state_of(object);
    read_spec(reader, field_object(reader, root, "spec"), volume);
    object->volume = volume;
}

const char *volume_phase_name(enum volume_phase phase)
{
    assert(phase <= VOLUME_FAILED);
    return VOLUME_PHASES[phase];
}

void volume_claim_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct volume_claim *claim = arena_new(reader->arena, 1, sizeof(*claim));
    const struct json *spec = field_object(reader, root, "spec");
    const struct json *status = field_object(reader, root, "status");
    claim->phase = (enum volume_claim_phase)field_choice_or(reader, status, "phase", CLAIM_PHASES,
                                                            CLAIM_PENDING);
    claim->volume = json_string(reader, spec, "volumeName");
    claim->storage_class = field_word(reader, spec, "storageClassName");
    const struct json *source = field_object(reader, spec, "dataSource");
    claim->source_kind = json_word(reader, source, "kind");
    claim->source_name = json_word(reader, source, "name");
    object->volume_claim = claim;
}

/* The driver reads JSON in these strings: a number has no quotes in them, a text has. */
static int64_t read_parameter_number(const struct json *parameters, const char *key)
{
    const char *text = json_text(json_member(parameters, key));
    int64_t number = 0;
    struct error error;
    return text != NULL && text_parse_int64(text, &number, &error) ? number : 0;
}

static const char *read_parameter_text(struct json_reader *reader, const struct json *parameters,
                                       const char *key)
{
    const char *text = json_text(json_member(parameters, key));
    if (text == NULL) {
        return NULL;
    }
    text += strspn(text, "\"");
    return arena_copy_bytes(reader->arena, text, strcspn(text, "\""));
}

void storage_class_decode(struct json_reader *reader, const struct json *root,
                          struct object *object)
{
    struct storage_class *class = arena_new(reader->arena, 1, sizeof(*class));
    const struct json *parameters = field_object(reader, root, "parameters");
    const struct json *mode = json_member(root, "volumeBindingMode");
    class->provisioner = field_string(reader, root, "provisioner");
    class->policy = read_policy(reader, root, "reclaimPolicy");
    class->waits_for_consumer = text_equal(json_text(mode), "WaitForFirstConsumer");
    class->options_on_deletion = json_member(parameters, "OptionsOnDeletion") != NULL;
    class->origin_snapshot = json_member(parameters, "OriginSnapshot") != NULL;
    class->resource_type = json_string(reader, parameters, "ResourceType");
    class->record_size_kib = read_parameter_number(parameters, "RecordSizeKiB");
    class->compression = read_parameter_text(reader, parameters, "DataCompressionType");
    object->storage_class = class;
}
