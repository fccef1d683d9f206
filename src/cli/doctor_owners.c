/* SPDX-License-Identifier: Apache-2.0 */
/* What nobody owns is what the operator's sweep finds (plan/sweep.h): it is run here on what was
   read, and where it asks whether an owner is really gone, that is read, too, and it is run again.
   Nothing of what it plans is done. */
#include "api/names.h"
#include "base/memory.h"
#include "cli/doctor.h"

#include <string.h>

enum { PATH_BYTES_MAX = 2048, ROUNDS_MAX = 3 };

struct sweep_seen {
    struct plan plan;
    struct volume_finding finding;
};

/* The plan's question whether an owner is there; NULL: it has none. */
static const struct action *question_of(const struct plan *plan)
{
    for (size_t i = 0; i < plan->action_count; i++) {
        if (plan->actions[i].kind == ACTION_READ && plan->actions[i].purpose == PURPOSE_CONFIRM) {
            return &plan->actions[i];
        }
    }
    return NULL;
}

/* false: it is there after all, or nobody knows. */
static bool is_gone(struct doctor *doctor, const struct action *action)
{
    cleanup_text struct text path;
    cleanup_json struct json_document *document = NULL;
    struct error error;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(action->object), action->namespace, action->name, NULL, &path);
    if (!fetch_json(doctor->cli, path.bytes, &document, &error)) {
        return error.class == ERROR_NOT_FOUND;
    }
    const struct json *uid = json_path(json_root(document), "metadata", "uid", NULL);
    return action->uid != NULL && !text_equal(json_text(uid), action->uid);
}

/* false: its owner is there. */
static bool sweep(struct doctor *doctor, const struct key *key, const char *text,
                  struct sweep_seen *out)
{
    for (int round = 0; round < ROUNDS_MAX; round++) {
        plan_init(&out->plan, &doctor->arena, doctor->seen.now);
        if (!observe_and_plan(&doctor->seen, key, &out->plan, &out->finding)) {
            return false;
        }
        const struct action *question = question_of(&out->plan);
        if (question == NULL) {
            return true;
        }
        if (!is_gone(doctor, question)) {
            return false;
        }
        struct memo *memo = memos_get(&doctor->memos, text);
        if (question->uid == NULL) { /* of whatever uid: see observe_remnant */
            memo->trouble_purpose = question->purpose;
            memo->trouble_class = ERROR_NOT_FOUND;
            continue;
        }
        memory_free(memo->gone_owner_uid);
        memo->gone_owner_uid = memory_copy_text(question->uid);
    }
    return false;
}

static void look_at(struct doctor *doctor, const struct object *object)
{
    char text[KEY_BYTES];
    struct key key;
    struct sweep_seen seen;
    key_write(object->kind, object->meta.namespace, object->meta.name, text);
    if (!key_read(text, &key) || !sweep(doctor, &key, text, &seen)) {
        return;
    }
    const char *subject = doctor_name(doctor, object);
    if (seen.finding.reason != NULL) {
        doctor_find(doctor, seen.finding.leaked ? FINDING_FAIL : FINDING_WARN, subject, "%s: %s",
                    seen.finding.reason, seen.finding.message);
    } else if (seen.plan.action_count > 0) {
        doctor_find(doctor, FINDING_WARN, subject,
                    "%s: the operator puts that right; if it stays so, see the check \"operator\"",
                    seen.plan.actions[0].reason);
    }
}

void doctor_owners(struct doctor *doctor)
{
    static const enum object_kind kinds[] = {KIND_VOLUME, KIND_VOLUME_CLAIM, KIND_CLUSTER};
    size_t looked_at_count = 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t count = 0;
        const struct object *const *objects = doctor_objects(doctor, kinds[i], &count);
        for (size_t j = 0; j < count; j++) {
            look_at(doctor, objects[j]);
        }
        looked_at_count += count;
    }
    doctor_all_well(doctor,
                    looked_at_count == 0
                        ? "nothing is there that could lack one"
                        : "all %zu volumes, PVCs and Clusters belong to a Pool or an Instance",
                    looked_at_count);
}
