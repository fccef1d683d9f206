/* SPDX-License-Identifier: Apache-2.0 */
/* By discovery, which everybody may read, and not by the CustomResourceDefinitions, which few may:
   what is served is what counts. */
#include "api/names.h"
#include "cli/doctor.h"

#define CRDS_REMEDY "kubectl apply -f crds/"
#define SNAPSHOT_REMEDY "install the CRDs and the controller of kubernetes-csi/external-snapshotter"
#define CNPG_REMEDY "install CloudNativePG"

static const struct group {
    const char *name, *version;
    const char *resources[6]; /* end with NULL */
    const char *remedy;
} GROUPS[] = {
    {.name = NAME_GROUP,
     .version = "v1alpha1",
     .resources = {"pools", "pools/status", "pools/scale", "instances", "instances/status"},
     .remedy = CRDS_REMEDY},
    {.name = "snapshot.storage.k8s.io",
     .version = "v1",
     .resources = {"volumesnapshots", "volumesnapshotcontents", "volumesnapshotclasses"},
     .remedy = SNAPSHOT_REMEDY},
    {.name = "postgresql.cnpg.io",
     .version = "v1",
     .resources = {"clusters", "clusters/status"},
     .remedy = CNPG_REMEDY},
};

static bool lists(const struct json *array, const char *key, const char *value)
{
    for (const struct json *at = json_first(array); at != NULL; at = json_next(at)) {
        if (text_equal(json_text(json_member(at, key)), value)) {
            return true;
        }
    }
    return false;
}

static bool is_served(struct doctor *doctor, const struct group *group)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!fetch_json(doctor->cli, arena_print(&doctor->arena, "/apis/%s", group->name), &document,
                    &error)) {
        if (error.class == ERROR_NOT_FOUND) {
            doctor_find(doctor, FINDING_FAIL, group->name, "is not installed: %s", group->remedy);
        } else {
            doctor_cannot_see(doctor, group->name, &error);
        }
        return false;
    }
    const struct json *versions = json_member(json_root(document), "versions");
    if (!lists(versions, "version", group->version)) {
        const char *other = json_text(json_member(json_first(versions), "version"));
        doctor_find(doctor, FINDING_FAIL, group->name,
                    "is served as %s and not as %s, which this adj and its operator speak: %s",
                    other == NULL ? "nothing" : other, group->version, group->remedy);
        return false;
    }
    return true;
}

static void look_at(struct doctor *doctor, const struct group *group)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!is_served(doctor, group)) {
        return;
    }
    const char *path = arena_print(&doctor->arena, "/apis/%s/%s", group->name, group->version);
    if (!fetch_json(doctor->cli, path, &document, &error)) {
        doctor_cannot_see(doctor, group->name, &error);
        return;
    }
    const struct json *resources = json_member(json_root(document), "resources");
    bool is_whole = true;
    for (const char *const *at = group->resources; *at != NULL; at++) {
        if (!lists(resources, "name", *at)) {
            is_whole = false;
            doctor_find(doctor, FINDING_FAIL, group->name, "%s has no %s: %s", group->version, *at,
                        group->remedy);
        }
    }
    if (is_whole) {
        doctor_find(doctor, FINDING_OK, group->name, "is served as %s", group->version);
    }
}

void doctor_kinds(struct doctor *doctor)
{
    for (size_t i = 0; i < sizeof(GROUPS) / sizeof(GROUPS[0]); i++) {
        look_at(doctor, &GROUPS[i]);
    }
}
