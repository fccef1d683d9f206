/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG has no version in its API; its Deployment's image has. Both its manifest and its
   chart label that app.kubernetes.io/name=cloudnative-pg, and give the namespaces it watches as
   WATCH_NAMESPACE, in the environment or in the ConfigMap that --config-map-name names. (its
   internal/configuration) */
#include "cli/doctor.h"

#include <string.h>

#define DEPLOYMENTS                                                                                \
    "/apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fname%3Dcloudnative-pg"
#define CONFIG_MAP_OPTION "--config-map-name="

/* Whose ways of adoption plan/adoption.c follows. */
static const char *const KNOWN_VERSIONS[] = {"1.28", "1.29", "1.30"};

struct deployment {
    struct doctor *doctor;
    const char *namespace, *name, *subject;
    const struct json *container;
};

static bool is_known(const char *tag)
{
    tag += tag[0] == 'v' ? 1 : 0;
    for (size_t i = 0; i < sizeof(KNOWN_VERSIONS) / sizeof(KNOWN_VERSIONS[0]); i++) {
        const char *version = KNOWN_VERSIONS[i];
        size_t length = strlen(version);
        if (text_starts_with(tag, version) && strchr(".-+", tag[length]) != NULL) {
            return true;
        }
    }
    return false;
}

/* NULL: it has none, or a digest alone. */
static const char *tag_of(struct doctor *doctor, const char *image)
{
    const char *slash = strrchr(image, '/');
    const char *name = slash == NULL ? image : slash;
    size_t length = strcspn(name, "@");
    const char *colon = memchr(name, ':', length);
    return colon == NULL
               ? NULL
               : arena_copy_bytes(&doctor->arena, colon + 1, length - (size_t)(colon + 1 - name));
}

static void judge_version(const struct deployment *deployment)
{
    struct doctor *doctor = deployment->doctor;
    const char *image = json_text(json_member(deployment->container, "image"));
    const char *tag = image == NULL ? NULL : tag_of(doctor, image);
    if (tag == NULL) {
        doctor_find(doctor, FINDING_WARN, deployment->subject,
                    "its image %s does not say its version; Adjoint is known to work with %s to %s",
                    image == NULL ? "(none)" : image, KNOWN_VERSIONS[0],
                    KNOWN_VERSIONS[sizeof(KNOWN_VERSIONS) / sizeof(KNOWN_VERSIONS[0]) - 1]);
    } else if (is_known(tag)) {
        doctor_find(doctor, FINDING_OK, deployment->subject, "is version %s", tag);
    } else {
        doctor_find(doctor, FINDING_WARN, deployment->subject,
                    "is version %s; Adjoint is known to work with %s to %s: try a claim before "
                    "others do",
                    tag, KNOWN_VERSIONS[0],
                    KNOWN_VERSIONS[sizeof(KNOWN_VERSIONS) / sizeof(KNOWN_VERSIONS[0]) - 1]);
    }
}

/* ---- where it watches ---- */

static const char *of_environment(const struct deployment *deployment)
{
    const struct json *list = json_member(deployment->container, "env");
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        if (!text_equal(json_text(json_member(at, "name")), "WATCH_NAMESPACE")) {
            continue;
        }
        const struct json *field = json_path(at, "valueFrom", "fieldRef", "fieldPath", NULL);
        return text_equal(json_text(field), "metadata.namespace")
                   ? deployment->namespace
                   : json_text(json_member(at, "value"));
    }
    return NULL;
}

static const char *of_config_map(const struct deployment *deployment)
{
    struct doctor *doctor = deployment->doctor;
    const char *name = NULL;
    const struct json *list = json_member(deployment->container, "args");
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        const char *argument = json_text(at);
        if (argument != NULL && text_starts_with(argument, CONFIG_MAP_OPTION)) {
            name = argument + strlen(CONFIG_MAP_OPTION);
        }
    }
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (name == NULL ||
        !fetch_json(doctor->cli,
                    arena_print(&doctor->arena, "/api/v1/namespaces/%s/configmaps/%s",
                                deployment->namespace, name),
                    &document, &error)) {
        return NULL; /* it need not be there */
    }
    const struct json *value = json_path(json_root(document), "data", "WATCH_NAMESPACE", NULL);
    return arena_copy(&doctor->arena, json_text(value));
}

static bool is_listed(const char *names, const char *wanted)
{
    size_t length = strlen(wanted);
    while (*names != '\0') {
        names += strspn(names, ", ");
        size_t name_bytes = strcspn(names, ", ");
        if (name_bytes == length && strncmp(names, wanted, length) == 0) {
            return true;
        }
        names += name_bytes;
    }
    return false;
}

static void judge_namespaces(const struct deployment *deployment)
{
    struct doctor *doctor = deployment->doctor;
    const char *names = of_environment(deployment);
    names = names == NULL ? of_config_map(deployment) : names;
    if (names == NULL || names[0] == '\0') {
        return;
    }
    size_t count = 0;
    const char *told = NULL;
    const struct object *const *instances = doctor_objects(doctor, KIND_INSTANCE, &count);
    for (size_t i = 0; i < count; i++) {
        const char *namespace = instances[i]->meta.namespace;
        if (!is_listed(names, namespace) && !text_equal(told, namespace)) {
            told = namespace;
            doctor_find(doctor, FINDING_FAIL, deployment->subject,
                        "does not watch namespace %s, where Instances are: their Postgres is "
                        "never started; add it to WATCH_NAMESPACE",
                        namespace);
        }
    }
    if (told == NULL) {
        doctor_find(doctor, FINDING_WARN, deployment->subject,
                    "watches %s alone: in another namespace no Instance becomes Ready", names);
    }
}

static void judge(struct doctor *doctor, const struct json *item)
{
    struct json_reader reader;
    json_reader_init(&reader, &doctor->arena);
    const struct json *meta = json_member(item, "metadata");
    const struct json *containers = json_path(item, "spec", "template", "spec", "containers", NULL);
    struct deployment deployment = {.doctor = doctor,
                                    .namespace = json_string(&reader, meta, "namespace"),
                                    .name = json_string(&reader, meta, "name"),
                                    .container = json_first(containers)};
    const struct json *label = json_path(meta, "labels", "app.kubernetes.io/name", NULL);
    if (!text_equal(json_text(label), "cloudnative-pg") || deployment.namespace == NULL ||
        deployment.name == NULL) {
        return;
    }
    deployment.subject =
        arena_print(&doctor->arena, "Deployment %s/%s", deployment.namespace, deployment.name);
    judge_version(&deployment);
    if (json_int64(&reader, json_member(item, "status"), "readyReplicas", 0) == 0) {
        doctor_find(doctor, FINDING_FAIL, deployment.subject,
                    "no pod of it is ready: nobody starts Postgres; look at its pods and log");
    }
    judge_namespaces(&deployment);
}

void doctor_cloudnativepg(struct doctor *doctor)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!fetch_json(doctor->cli, DEPLOYMENTS, &document, &error)) {
        doctor_cannot_see(doctor, "its Deployment", &error);
        return;
    }
    const struct json *items = json_member(json_root(document), "items");
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        judge(doctor, at);
    }
    if (json_count(items) == 0) {
        doctor_find(doctor, FINDING_WARN, NULL,
                    "no Deployment has the label app.kubernetes.io/name=cloudnative-pg: its "
                    "version, and whether it runs, are not known");
    }
}
