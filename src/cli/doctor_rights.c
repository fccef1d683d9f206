/* SPDX-License-Identifier: Apache-2.0 */
/* The rows follow from what plans do (plan/plan.h): what reads, needs get; a dry run needs what the
   write does. A test compares them with every plan of tests/plans. Kinds that are watched need get,
   list and watch, and have no row for that. */
#include "api/names.h"
#include "cli/doctor.h"

#include <string.h>

enum { BODY_BYTES_MAX = 2 * 1024 };

#define SELF_REVIEWS "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
#define REVIEWS "/apis/authorization.k8s.io/v1/subjectaccessreviews"
/* As the chart labels it. */
#define DEPLOYMENTS "/apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fname%3Dadjoint"

static const struct right {
    enum object_kind kind;
    const char *subresource; /* NULL: the object */
    const char *verbs[4];    /* end with NULL */
} RIGHTS[] = {
    {KIND_POOL, NULL, {"patch"}},
    {KIND_POOL, "status", {"patch"}},
    {KIND_INSTANCE, NULL, {"patch", "delete"}},
    {KIND_INSTANCE, "status", {"patch"}},
    {KIND_VOLUME, NULL, {"patch"}},
    {KIND_VOLUME_CLAIM, NULL, {"create", "patch", "delete"}},
    {KIND_CLUSTER, NULL, {"create", "patch", "delete"}},
    {KIND_NETWORK_POLICY, NULL, {"create", "patch", "delete"}},
    {KIND_SERVICE, NULL, {"get"}},
    {KIND_SECRET, NULL, {"create"}},
    {KIND_POD, NULL, {"create", "delete"}},
    {KIND_CONFIG_MAP, NULL, {"create"}},
    {KIND_SERVICE_ACCOUNT, NULL, {"create"}},
    {KIND_EVENT, NULL, {"list"}},
};
static const char *const WATCH_VERBS[] = {"get", "list", "watch", NULL};

/* What it writes besides its plans. */
static const struct other_right {
    const char *group, *resource;
    bool beside_the_lease; /* in its namespace alone */
    const char *verbs[4];
} OTHER_RIGHTS[] = {
    {"coordination.k8s.io", "leases", true, {"get", "create", "update"}},
    {"events.k8s.io", "events", false, {"create", "patch"}},
};

struct asking {
    struct doctor *doctor;
    const char *user; /* NULL: who asks */
    const char *service_account_namespace;
    bool failed;
};

struct question {
    const char *group, *resource, *subresource, *verb, *namespace;
    const char *name; /* of the one object it is about; NULL: any. Nothing is created by name */
};

static void write_review(const struct asking *asking, const struct question *question,
                         struct text *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_string(&json, "apiVersion", "authorization.k8s.io/v1");
    json_member_string(&json, "kind",
                       asking->user == NULL ? "SelfSubjectAccessReview" : "SubjectAccessReview");
    json_member_object(&json, "spec");
    json_member_object(&json, "resourceAttributes");
    json_member_optional(&json, "namespace", question->namespace);
    json_member_string(&json, "verb", question->verb);
    json_member_string(&json, "group", question->group);
    json_member_string(&json, "resource", question->resource);
    json_member_optional(&json, "subresource", question->subresource);
    json_member_optional(&json, "name",
                         text_equal(question->verb, "create") ? NULL : question->name);
    json_end_object(&json);
    if (asking->user != NULL) {
        json_member_string(&json, "user", asking->user);
        json_member_array(&json, "groups");
        json_write_string(&json, "system:serviceaccounts");
        json_write_string(&json, arena_print(&asking->doctor->arena, "system:serviceaccounts:%s",
                                             asking->service_account_namespace));
        json_write_string(&json, "system:authenticated");
        json_end_array(&json);
    }
    json_end_object(&json);
    json_end_object(&json);
}

static void tell(struct asking *asking, const struct question *question, const char *reason)
{
    struct doctor *doctor = asking->doctor;
    const char *what = arena_print(&doctor->arena, "%s %s%s%s%s%s%s%s", question->verb,
                                   question->resource, question->subresource == NULL ? "" : "/",
                                   question->subresource == NULL ? "" : question->subresource,
                                   question->group[0] == '\0' ? "" : ".", question->group,
                                   question->namespace == NULL ? "" : " in namespace ",
                                   question->namespace == NULL ? "" : question->namespace);
    const char *words = reason == NULL || reason[0] == '\0' ? "" : reason;
    if (asking->user != NULL) {
        doctor_find(doctor, FINDING_FAIL, what,
                    "%s may not, and the operator has to: give it that right%s%s", asking->user,
                    words[0] == '\0' ? "" : "; ", words);
    } else {
        doctor_find(doctor, FINDING_WARN, what,
                    "you may not, and the operator has to: if it runs as another user than you, "
                    "name that with --service-account NAMESPACE/NAME%s%s",
                    words[0] == '\0' ? "" : "; ", words);
    }
}

static void ask(struct asking *asking, const struct question *question)
{
    if (asking->failed) {
        return;
    }
    struct doctor *doctor = asking->doctor;
    cleanup_text struct text body;
    text_init(&body, BODY_BYTES_MAX);
    write_review(asking, question, &body);
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!doctor_post(doctor, asking->user == NULL ? SELF_REVIEWS : REVIEWS, body.bytes, &document,
                     &error)) {
        asking->failed = true;
        doctor_cannot_see(doctor, "what the operator may do", &error);
        return;
    }
    struct json_reader reader;
    json_reader_init(&reader, &doctor->arena);
    const struct json *status = json_member(json_root(document), "status");
    if (!json_bool(&reader, status, "allowed", false)) {
        tell(asking, question, json_string(&reader, status, "reason"));
    }
}

static void ask_verbs(struct asking *asking, struct question question, const char *const *verbs)
{
    for (; *verbs != NULL; verbs++) {
        question.verb = *verbs;
        ask(asking, &question);
    }
}

static struct question of_kind(const struct asking *asking, enum object_kind kind,
                               const char *subresource)
{
    const struct kind *row = kind_of(kind);
    const char *slash = strchr(row->api_version, '/');
    size_t group_bytes = slash == NULL ? 0 : (size_t)(slash - row->api_version);
    return (struct question){
        .group = arena_copy_bytes(&asking->doctor->arena, row->api_version, group_bytes),
        .resource = row->plural,
        .subresource = subresource,
    };
}

static void ask_all(struct asking *asking)
{
    const char *lease_name = asking->doctor->cli->options.lease_name;
    const char *lease_namespace = asking->doctor->cli->options.lease_namespace;
    if (lease_namespace == NULL) { /* where an operator's Lease is that was told nothing else */
        lease_namespace = asking->service_account_namespace;
    }
    for (size_t kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        ask_verbs(asking, of_kind(asking, (enum object_kind)kind, NULL), WATCH_VERBS);
    }
    for (size_t i = 0; i < sizeof(RIGHTS) / sizeof(RIGHTS[0]); i++) {
        const struct right *right = &RIGHTS[i];
        ask_verbs(asking, of_kind(asking, right->kind, right->subresource), right->verbs);
    }
    for (size_t i = 0; i < sizeof(OTHER_RIGHTS) / sizeof(OTHER_RIGHTS[0]); i++) {
        const struct other_right *right = &OTHER_RIGHTS[i];
        struct question question = {.group = right->group,
                                    .resource = right->resource,
                                    .namespace = right->beside_the_lease ? lease_namespace : NULL,
                                    .name = right->beside_the_lease ? lease_name : NULL};
        ask_verbs(asking, question, right->verbs);
    }
}

/* ---- whose rights ---- */

static void set_service_account(struct asking *asking, const char *namespace, const char *name)
{
    struct arena *arena = &asking->doctor->arena;
    asking->service_account_namespace = arena_copy(arena, namespace);
    asking->user = arena_print(arena, "system:serviceaccount:%s:%s", namespace, name);
}

/* Of the chart's Deployment; false: it is not seen. */
static bool find_service_account(struct asking *asking)
{
    cleanup_json struct json_document *document = NULL;
    struct error ignored;
    if (!fetch_json(asking->doctor->cli, DEPLOYMENTS, &document, &ignored)) {
        return false;
    }
    const struct json *items = json_member(json_root(document), "items");
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        const struct json *meta = json_member(at, "metadata");
        const struct json *label = json_path(meta, "labels", "app.kubernetes.io/name", NULL);
        const char *namespace = json_text(json_member(meta, "namespace"));
        const char *name =
            json_text(json_path(at, "spec", "template", "spec", "serviceAccountName", NULL));
        if (text_equal(json_text(label), "adjoint") && namespace != NULL && name != NULL) {
            set_service_account(asking, namespace, name);
            return true;
        }
    }
    return false;
}

/* Who may not ask about another can ask about themselves. */
static bool may_ask(const struct asking *asking)
{
    cleanup_text struct text body;
    cleanup_json struct json_document *document = NULL;
    struct error error;
    struct question question = of_kind(asking, KIND_POOL, NULL);
    question.verb = "get";
    text_init(&body, BODY_BYTES_MAX);
    write_review(asking, &question, &body);
    return doctor_post(asking->doctor, REVIEWS, body.bytes, &document, &error);
}

void doctor_rights(struct doctor *doctor)
{
    struct asking asking = {.doctor = doctor};
    const char *named = doctor->cli->options.service_account;
    if (named != NULL) {
        const char *namespace = arena_copy_bytes(&doctor->arena, named, strcspn(named, "/"));
        set_service_account(&asking, namespace, strchr(named, '/') + 1);
    } else if (find_service_account(&asking) && !may_ask(&asking)) {
        asking = (struct asking){.doctor = doctor};
    }
    ask_all(&asking);
    doctor_all_well(doctor, "%s may do all that the operator does",
                    asking.user == NULL ? "you" : asking.user);
}
