/* SPDX-License-Identifier: Apache-2.0 */
/* What a Pool's golden is judged by (plan/golden.h) is not judged again here: the check of goldens
   shows it. These are the parameters that only show when Postgres runs, and the class of the hand
   over. The values are JSON inside of strings: that is how the driver wants them. */
#include "api/names.h"
#include "api/pool.h"
#include "api/volume.h"
#include "cli/doctor.h"
#include "plan/golden.h"

#include <string.h>

#define NFS_REMEDY                                                                                 \
    "NfsExports: '[{\"ClientConfigurations\": [{\"Clients\": \"*\", \"Options\": [\"rw\", "        \
    "\"crossmnt\", \"no_root_squash\"]}]}]'"

struct class_seen {
    struct doctor *doctor;
    const char *subject;
    const struct json *parameters;
};

/* A parameter's own JSON; NULL: it is not there, or none. */
static bool parse_parameter(const struct class_seen *class, const char *name,
                            struct json_document **out)
{
    const char *text = json_text(json_member(class->parameters, name));
    struct error error;
    if (text == NULL) {
        return false;
    }
    if (!json_parse(text, strlen(text), out, &error)) {
        doctor_find(class->doctor, FINDING_FAIL, class->subject,
                    "its parameter %s is no JSON, so the driver refuses every clone: %s", name,
                    error.message);
        return false;
    }
    return true;
}

/* Each is true when it has nothing against it. */

static bool judge_origin(const struct class_seen *class)
{
    cleanup_json struct json_document *document = NULL;
    if (!parse_parameter(class, "OriginSnapshot", &document)) {
        return false;
    }
    const char *strategy = json_text(json_member(json_root(document), "CopyStrategy"));
    if (text_equal(strategy, "CLONE")) {
        return true;
    }
    doctor_find(class->doctor, FINDING_FAIL, class->subject,
                "OriginSnapshot has the CopyStrategy %s: a copy takes its time and all its room; "
                "make a class with '{\"CopyStrategy\": \"CLONE\"}'",
                strategy == NULL ? "(none)" : strategy);
    return false;
}

static bool has_text(const struct json *array, const char *text)
{
    for (const struct json *at = json_first(array); at != NULL; at = json_next(at)) {
        if (text_equal(json_text(at), text)) {
            return true;
        }
    }
    return false;
}

static bool is_granted(const struct json *clients, const char *option)
{
    for (const struct json *at = json_first(clients); at != NULL; at = json_next(at)) {
        if (has_text(json_member(at, "Options"), option)) {
            return true;
        }
    }
    return false;
}

static bool any_has(const struct json *exports, const char *option)
{
    for (const struct json *at = json_first(exports); at != NULL; at = json_next(at)) {
        if (is_granted(json_member(at, "ClientConfigurations"), option)) {
            return true;
        }
    }
    return false;
}

static bool judge_exports(const struct class_seen *class)
{
    cleanup_json struct json_document *document = NULL;
    if (json_member(class->parameters, "NfsExports") == NULL) {
        doctor_find(class->doctor, FINDING_WARN, class->subject,
                    "has no NfsExports, so clones are exported as their parent volume is: FSx' "
                    "own default squashes root, with which a fresh volume cannot be given to "
                    "Postgres; set " NFS_REMEDY);
        return false;
    }
    if (!parse_parameter(class, "NfsExports", &document)) {
        return false;
    }
    const struct json *exports = json_root(document);
    if (!any_has(exports, "rw")) {
        doctor_find(class->doctor, FINDING_FAIL, class->subject,
                    "NfsExports lets nobody write, and Postgres has to: set " NFS_REMEDY);
    } else if (any_has(exports, "all_squash")) {
        doctor_find(class->doctor, FINDING_FAIL, class->subject,
                    "NfsExports has all_squash: every user becomes another, to whom Postgres' "
                    "files do not belong; set " NFS_REMEDY);
    } else if (!any_has(exports, "no_root_squash")) {
        doctor_find(class->doctor, FINDING_WARN, class->subject,
                    "NfsExports has no no_root_squash: a clone keeps its golden's owner, and what "
                    "changes an owner fails (fsGroup, an init container); set " NFS_REMEDY);
    } else {
        return true;
    }
    return false;
}

/* With a file system's type the kubelet gives the files to the pod's group, one by one, before each
   start (CSIDriver's fsGroupPolicy ReadWriteOnceWithFSType). */
static bool judge_type(const struct class_seen *class)
{
    if (json_member(class->parameters, "csi.storage.k8s.io/fstype") == NULL) {
        return true;
    }
    doctor_find(class->doctor, FINDING_WARN, class->subject,
                "sets csi.storage.k8s.io/fstype, with which the kubelet changes the owner of every "
                "file before Postgres starts: make a class without it");
    return false;
}

static void look_at(struct doctor *doctor, const char *name)
{
    const struct object *known = store_get(doctor->cluster.store, KIND_STORAGE_CLASS, NULL, name);
    if (known == NULL) {
        return; /* the check of goldens says so */
    }
    struct class_seen class = {.doctor = doctor, .subject = doctor_name(doctor, known)};
    cleanup_json struct json_document *document = NULL;
    cleanup_text struct text path;
    struct error error;
    text_init(&path, 1024);
    kind_path(kind_of(KIND_STORAGE_CLASS), NULL, name, NULL, &path);
    if (!text_equal(known->storage_class->provisioner, DRIVER_FSX_OPENZFS)) {
        doctor_find(doctor, FINDING_OK, class.subject, "is of %s, of which no rules are known",
                    known->storage_class->provisioner);
        return;
    }
    if (!fetch_json(doctor->cli, path.bytes, &document, &error)) {
        doctor_cannot_see(doctor, class.subject, &error);
        return;
    }
    class.parameters = json_member(json_root(document), "parameters");
    bool clones = judge_origin(&class);
    bool is_writable = judge_exports(&class);
    bool keeps_owners = judge_type(&class);
    if (clones && is_writable && keeps_owners) {
        doctor_find(doctor, FINDING_OK, class.subject, "clones, and Postgres can write there");
    }
}

#define BRING_BACK                                                                                 \
    "upgrade the chart, or without Helm kubectl apply --server-side -f deploy/adjoint.yaml"

static void look_at_hand_over(struct doctor *doctor)
{
    const char *subject = "StorageClass " NAME_INERT_CLASS;
    const struct object *class =
        store_get(doctor->cluster.store, KIND_STORAGE_CLASS, NULL, NAME_INERT_CLASS);
    if (class == NULL) {
        doctor_find(doctor, FINDING_FAIL, subject,
                    "is not there, and Pools with claim.order Swap need it: " BRING_BACK);
    } else if (!class->storage_class->waits_for_consumer ||
               !text_equal(class->storage_class->provisioner, PROVISIONER_NONE)) {
        doctor_find(doctor, FINDING_FAIL, subject,
                    "is not the inert one: a developer's claim could get another volume; delete "
                    "it, then " BRING_BACK);
    } else {
        doctor_find(doctor, FINDING_OK, subject, "is there, and inert");
    }
}

/* ---- before there is a Pool ---- */

/* What the operator would say of a Pool with this class and a golden that is as it should be. */
static void judge_as_of_a_pool(struct doctor *doctor, const struct object *class)
{
    const struct pool pool = {.golden_snapshot = "golden",
                              .storage_class = class->meta.name,
                              .storage_size = "1Gi",
                              .system_id = "0",
                              .database = "app",
                              .owner = "app"};
    const struct snapshot snapshot = {.ready = true};
    const struct snapshot_content content = {.driver = class->storage_class->provisioner};
    const struct object of_pool = {.kind = KIND_POOL, .pool = &pool};
    const struct object of_snapshot = {.kind = KIND_SNAPSHOT, .snapshot = &snapshot};
    const struct object of_content = {.kind = KIND_SNAPSHOT_CONTENT, .snapshot_content = &content};
    const struct golden_observation seen = {
        .snapshot = &of_snapshot, .content = &of_content, .storage_class = class};
    struct golden golden = golden_judge(&of_pool, &seen, &doctor->arena);
    if (!golden.ready) {
        doctor_find(doctor, FINDING_FAIL, doctor_name(doctor, class), "%s: %s", golden.reason,
                    golden.message);
    }
}

/* Those that look as if they were made for clones. */
static void look_at_candidates(struct doctor *doctor)
{
    size_t count = 0;
    const struct object *const *classes = doctor_objects(doctor, KIND_STORAGE_CLASS, &count);
    for (size_t i = 0; i < count; i++) {
        if (classes[i]->storage_class->origin_snapshot) {
            judge_as_of_a_pool(doctor, classes[i]);
            look_at(doctor, classes[i]->meta.name);
        }
    }
}

void doctor_classes(struct doctor *doctor)
{
    size_t count = 0;
    bool swaps = false;
    const struct object *const *pools = doctor_objects(doctor, KIND_POOL, &count);
    for (size_t i = 0; i < count; i++) {
        const char *class = pools[i]->pool->storage_class;
        bool is_new = class != NULL;
        for (size_t j = 0; j < i && is_new; j++) {
            is_new = !text_equal(pools[j]->pool->storage_class, class);
        }
        if (is_new) {
            look_at(doctor, class);
        }
        swaps = swaps || pools[i]->pool->order == CLAIM_ORDER_SWAP;
    }
    if (count == 0) {
        look_at_candidates(doctor);
    }
    if (swaps || count == 0) {
        look_at_hand_over(doctor);
    }
}
