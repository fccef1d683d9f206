/* SPDX-License-Identifier: Apache-2.0 */
/* What a Cluster has beside its instance: credentials and Services. The certificates' Secrets are
   not kept, only the time that making them takes. */
#include "base/base64.h"
#include "base/text.h"
#include "sim/cnpg_admission.h"
#include "sim/cnpg_ward.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PASSWORD_BYTES = 64, CERTIFICATES_MS = 150, SECRET_TEXT_BYTES_MAX = 4096 };

enum verdict cnpg_step_begin(struct ward *ward)
{
    const struct record *cluster =
        view_get(ward->cnpg->view, &resource_clusters, ward->namespace, ward->name);
    if (cluster == NULL || value_is_deleting(cluster->value) ||
        text_equal(value_annotation(cluster->value, "cnpg.io/reconciliationLoop"), "disabled")) {
        return DONE;
    }
    ward->cluster = record_keep(cluster);
    return GO_ON;
}

enum verdict cnpg_step_defaults(struct ward *ward)
{
    cJSON *patch = cnpg_defaults(ward->cluster->value);
    return patch == NULL ? GO_ON : ward_patch(ward, ward->cluster, NULL, patch, NULL);
}

/* ---- errors of these objects show as a phase ---- */

static enum verdict judge_failure(struct ward *ward, const struct outcome *outcome)
{
    (void)ward;
    (void)outcome;
    return FAILED;
}

static enum verdict fail(struct ward *ward, const char *reason)
{
    enum verdict verdict = ward_register_phase(ward, CNPG_PHASE_OBJECTS, reason, judge_failure);
    return verdict == GO_ON ? FAILED : verdict;
}

static enum verdict judge_object(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) || text_equal(outcome->reason, "AlreadyExists")
               ? AGAIN
               : fail(ward, outcome->message);
}

/* ---- the application's credentials ---- */

static const cJSON *bootstrap_of(const struct ward *ward)
{
    const cJSON *bootstrap = value_at(ward->cluster->value, "spec", "bootstrap", NULL);
    return bootstrap == NULL ? NULL : bootstrap->child;
}

static const char *text_or(const cJSON *object, const char *member, const char *fallback)
{
    const char *text = object == NULL ? NULL : value_text(object, member, NULL);
    return text == NULL || text[0] == '\0' ? fallback : text;
}

static void add_data(cJSON *secret, const char *key, const char *plain)
{
    cleanup_text struct text text;
    text_init(&text, SECRET_TEXT_BYTES_MAX);
    base64_append(&text, plain, strlen(plain));
    value_set_text(value_make(secret, "data", NULL), key, text.bytes);
}

static void add_formatted(cJSON *secret, const char *key, const char *format, ...)
    PRINTF_LIKE(3, 4);

static void add_formatted(cJSON *secret, const char *key, const char *format, ...)
{
    char plain[SECRET_TEXT_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(plain, sizeof(plain), format, arguments);
    va_end(arguments);
    add_data(secret, key, plain);
}

static void make_password(struct world *world, char out[PASSWORD_BYTES + 1])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (size_t i = 0; i < PASSWORD_BYTES; i++) {
        out[i] = letters[world_between(world, "cnpg password", 0, sizeof(letters) - 2)];
    }
    out[PASSWORD_BYTES] = '\0';
}

static cJSON *make_secret(const struct ward *ward, const char *name)
{
    const cJSON *method = bootstrap_of(ward);
    const char *database = text_or(method, "database", "app");
    const char *owner = text_or(method, "owner", database);
    char password[PASSWORD_BYTES + 1];
    make_password(ward->cnpg->world, password);
    cJSON *secret = draft("{'apiVersion':'v1','kind':'Secret','metadata':{'name':'$1','labels':{"
                          "'cnpg.io/userType':'app','cnpg.io/reload':'true'}},"
                          "'type':'kubernetes.io/basic-auth'}",
                          name, NULL);
    ward_mark(ward, secret);
    add_data(secret, "username", owner);
    add_data(secret, "user", owner);
    add_data(secret, "password", password);
    add_data(secret, "dbname", database);
    add_data(secret, "port", "5432");
    add_formatted(secret, "host", "%s-rw", ward->name);
    add_formatted(secret, "pgpass", "%s-rw:5432:%s:%s:%s\n", ward->name, database, owner, password);
    add_formatted(secret, "uri", "postgresql://%s:%s@%s-rw.%s:5432/%s", owner, password, ward->name,
                  ward->namespace, database);
    add_formatted(secret, "jdbc-uri", "jdbc:postgresql://%s-rw.%s:5432/%s?password=%s&user=%s",
                  ward->name, ward->namespace, database, password, owner);
    return secret;
}

static const struct record *app_secret(const struct ward *ward, char out_name[CNPG_NAME_BYTES_MAX])
{
    (void)snprintf(out_name, CNPG_NAME_BYTES_MAX, "%s-app", ward->name);
    return view_get(ward->cnpg->view, &resource_secrets, ward->namespace, out_name);
}

/* The Cluster brings its own (bootstrap.<method>.secret.name). */
static bool has_own_secret(const struct ward *ward)
{
    const cJSON *method = bootstrap_of(ward);
    return method != NULL && value_text(method, "secret", "name", NULL) != NULL;
}

/* CA, server's and client's: made in the first look, before the first Service. */
enum verdict cnpg_step_certificates(struct ward *ward)
{
    char name[CNPG_NAME_BYTES_MAX];
    (void)snprintf(name, sizeof(name), "%s-rw", ward->name);
    bool are_there = view_get(ward->cnpg->view, &resource_services, ward->namespace, name) != NULL;
    return are_there ? GO_ON : ward_pause(ward, CERTIFICATES_MS);
}

enum verdict cnpg_step_secret(struct ward *ward)
{
    char name[CNPG_NAME_BYTES_MAX];
    if (ward->round > 0 || has_own_secret(ward) || app_secret(ward, name) != NULL) {
        return GO_ON;
    }
    return ward_create(ward, &resource_secrets, make_secret(ward, name), judge_object);
}

/* enableSuperuserAccess makes a Secret, and its end removes it (reconcileSuperuserSecret). */
enum verdict cnpg_step_superuser(struct ward *ward)
{
    char name[CNPG_NAME_BYTES_MAX];
    (void)snprintf(name, sizeof(name), "%s-superuser", ward->name);
    const cJSON *spec = value_at(ward->cluster->value, "spec", NULL);
    bool is_wanted = value_true(spec, "enableSuperuserAccess", NULL) &&
                     value_text(spec, "superuserSecret", "name", NULL) == NULL;
    const struct record *secret =
        view_get(ward->cnpg->view, &resource_secrets, ward->namespace, name);
    if (ward->round > 0 || is_wanted == (secret != NULL)) {
        return GO_ON;
    }
    if (!is_wanted) {
        return ward_owns(ward, secret->value) ? ward_delete(ward, secret, ward_judge_again) : GO_ON;
    }
    char password[PASSWORD_BYTES + 1];
    make_password(ward->cnpg->world, password);
    cJSON *value = draft("{'apiVersion':'v1','kind':'Secret','metadata':{'name':'$1'},"
                         "'type':'kubernetes.io/basic-auth'}",
                         name, NULL);
    ward_mark(ward, value);
    add_data(value, "username", "postgres");
    add_data(value, "password", password);
    return ward_create(ward, &resource_secrets, value, judge_object);
}

/* ---- Services ---- */

enum verdict cnpg_step_services(struct ward *ward)
{
    static const struct service {
        const char *suffix, *selector;
    } services[] = {
        {"-rw", CNPG_LABEL_OF_ROLE}, {"-ro", CNPG_LABEL_OF_ROLE}, {"-r", "cnpg.io/podRole"}};
    static const char *const roles[] = {"primary", "replica", "instance"};
    size_t round = ward->round;
    if (round == sizeof services / sizeof *services) {
        return GO_ON;
    }
    char name[CNPG_NAME_BYTES_MAX];
    (void)snprintf(name, sizeof(name), "%s%s", ward->name, services[round].suffix);
    const struct record *service =
        view_get(ward->cnpg->view, &resource_services, ward->namespace, name);
    if (service != NULL && ward_owns(ward, service->value)) {
        return AGAIN;
    }
    if (service != NULL) {
        return fail(ward, "refusing to reconcile service, not owned by the cluster");
    }
    cJSON *value = draft("{'apiVersion':'v1','kind':'Service','metadata':{'name':'$1'},"
                         "'spec':{'type':'ClusterIP','selector':{'cnpg.io/cluster':'$2',"
                         "'$3':'$4'},'ports':[{'name':'postgres','port':5432,'targetPort':5432,"
                         "'protocol':'TCP'}]}}",
                         name, ward->name, services[round].selector, roles[round], NULL);
    ward_mark(ward, value);
    return ward_create(ward, &resource_services, value, judge_object);
}
