/* SPDX-License-Identifier: Apache-2.0 */
/* That a Job has its pod is read from the Job's own status, which is written along with it: a
   stale view of pods makes no second one. */
#include "sim/jobs.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/caller.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/pod.h"
#include "sim/value.h"

#define API_VERSION "batch/v1"

struct jobs {
    struct apiserver *server;
    struct world *world;
    struct view *view;
    struct caller *caller;
};

static void start(struct jobs *jobs, const struct record *job)
{
    const cJSON *template = value_at(job->value, "spec", "template", NULL);
    cJSON *pod = template == NULL ? cJSON_CreateObject() : cJSON_Duplicate(template, true);
    value_set_text(pod, "apiVersion", "v1");
    value_set_text(pod, "kind", "Pod");
    cJSON *metadata = value_make(pod, "metadata", NULL);
    cJSON *more = draft("{'generateName':'$1-','ownerReferences':[{'apiVersion':'" API_VERSION
                        "','kind':'Job','name':'$1','uid':'$2','controller':true,"
                        "'blockOwnerDeletion':true}]}",
                        job->name, job->uid, NULL);
    while (more->child != NULL) {
        cJSON *member = cJSON_DetachItemViaPointer(more, more->child);
        value_set(metadata, member->string, member);
    }
    cJSON_Delete(more);
    caller_create(jobs->caller, &resource_pods, job->namespace, pod, (struct answer){0});
    caller_patch(jobs->caller, job, "status", PATCH_MERGE, draft("{'status':{'active':1}}", NULL),
                 (struct answer){0});
}

static void tell(struct jobs *jobs, const struct record *job, bool succeeded)
{
    cJSON *patch = cJSON_CreateObject();
    cJSON *status = value_make(patch, "status", NULL);
    value_set_int64(status, "active", 0);
    value_set_int64(status, succeeded ? "succeeded" : "failed", 1);
    const struct condition_of condition = {.type = succeeded ? "Complete" : "Failed",
                                           .is_true = true};
    condition_set(status, &condition, world_now(jobs->world).wall_ms);
    caller_patch(jobs->caller, job, "status", PATCH_MERGE, patch, (struct answer){0});
}

static void job_changed(struct jobs *jobs, const struct record *job)
{
    if (!value_is_deleting(job->value) && value_at(job->value, "status", "active", NULL) == NULL) {
        start(jobs, job);
    }
}

static void pod_changed(struct jobs *jobs, const struct record *pod)
{
    const cJSON *owner = value_controller(pod->value);
    if (!value_equal_text(owner, "Job", "kind", NULL) || !pod_is_finished(pod->value)) {
        return;
    }
    const char *name = value_text(owner, "name", NULL);
    const struct record *job =
        name == NULL ? NULL : view_get(jobs->view, &resource_jobs, pod->namespace, name);
    if (job != NULL && value_equal_text(owner, job->uid, "uid", NULL) &&
        value_int64(job->value, 1, "status", "active", NULL) == 1) {
        tell(jobs, job, value_equal_text(pod->value, "Succeeded", "status", "phase", NULL));
    }
}

static void changed(void *self, const struct record *before, const struct record *after)
{
    struct jobs *jobs = self;
    if (after != NULL && after->resource == &resource_pods) {
        pod_changed(jobs, after);
    } else if (after != NULL && (before == NULL || !text_equal(before->uid, after->uid))) {
        job_changed(jobs, after);
    }
}

struct jobs *jobs_new(struct apiserver *server, const struct pace *pace)
{
    static const struct resource *const watched[] = {&resource_jobs, &resource_pods, NULL};
    const struct caller_options options = {.actor = "job-controller",
                                           .latency = &pace->api_latency};
    struct jobs *jobs = memory_new(1, sizeof(*jobs));
    *jobs = (struct jobs){
        .server = server, .world = apiserver_world(server), .caller = caller_new(server, &options)};
    jobs->view = view_new(server, "job-controller", watched, changed, jobs);
    return jobs;
}

void jobs_free(struct jobs *jobs)
{
    if (jobs == NULL) {
        return;
    }
    view_free(jobs->view);
    caller_free(jobs->caller);
    memory_free(jobs);
}

struct view *jobs_view(struct jobs *jobs)
{
    return jobs->view;
}
