/* SPDX-License-Identifier: Apache-2.0 */
/* A Lease says when it was renewed by its holder's clock, and this machine's may differ from that;
   hence some seconds of grace. */
#include "base/duration.h"
#include "base/timestamp.h"
#include "cli/doctor.h"

enum { GRACE_MS = 15 * 1000, MS_PER_SECOND = 1000, AGE_BYTES_MAX = 32 };

struct lease_seen {
    const char *namespace, *holder; /* holder "": nobody */
    int64_t age_ms, duration_ms;
};

static bool is_fresh(const struct lease_seen *lease)
{
    return lease->holder[0] != '\0' && lease->age_ms <= lease->duration_ms + GRACE_MS;
}

static struct lease_seen read_lease(struct doctor *doctor, const struct json *item)
{
    struct json_reader reader;
    json_reader_init(&reader, &doctor->arena);
    const struct json *spec = json_member(item, "spec");
    const char *holder = json_string(&reader, spec, "holderIdentity");
    const char *renewed = json_string(&reader, spec, "renewTime");
    int64_t renewed_ms = 0;
    struct error ignored;
    if (renewed != NULL && !timestamp_parse(renewed, &renewed_ms, &ignored)) {
        renewed_ms = 0;
    }
    return (struct lease_seen){
        .namespace = json_string(&reader, json_member(item, "metadata"), "namespace"),
        .holder = holder == NULL ? "" : holder,
        .age_ms = doctor->cli->now.wall_ms - renewed_ms,
        .duration_ms = json_int64(&reader, spec, "leaseDurationSeconds", 0) * MS_PER_SECOND,
    };
}

static bool get_leases(struct doctor *doctor, struct json_document **out, struct error *error)
{
    const struct cli_options *options = &doctor->cli->options;
    bool one = options->lease_namespace != NULL;
    return fetch_json(doctor->cli,
                      arena_print(&doctor->arena,
                                  "/apis/coordination.k8s.io/v1%s%s/leases"
                                  "?fieldSelector=metadata.name%%3D%s",
                                  one ? "/namespaces/" : "", one ? options->lease_namespace : "",
                                  options->lease_name),
                      out, error);
}

bool doctor_leader(struct doctor *doctor, const char **out_holder, struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    if (!get_leases(doctor, &document, error)) {
        return false;
    }
    *out_holder = NULL;
    const struct json *items = json_member(json_root(document), "items");
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        struct lease_seen lease = read_lease(doctor, at);
        if (is_fresh(&lease)) {
            *out_holder = lease.holder;
        }
    }
    return true;
}

static void judge(struct doctor *doctor, const struct lease_seen *lease)
{
    cleanup_text struct text age;
    text_init(&age, AGE_BYTES_MAX);
    duration_print_age(lease->age_ms, &age);
    const char *subject = arena_print(&doctor->arena, "Lease %s/%s", lease->namespace,
                                      doctor->cli->options.lease_name);
    if (lease->holder[0] == '\0') {
        doctor_find(doctor, FINDING_FAIL, subject,
                    "nobody leads: the operator was stopped; start it again");
    } else if (is_fresh(lease)) {
        doctor_find(doctor, FINDING_OK, subject, "%s leads, renewed %s ago", lease->holder,
                    age.bytes);
    } else {
        doctor_find(doctor, FINDING_FAIL, subject,
                    "%s led and has not renewed it for %s (by the clock here): look at the "
                    "operator's pods and log",
                    lease->holder, age.bytes);
    }
}

void doctor_operator(struct doctor *doctor)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!get_leases(doctor, &document, &error)) {
        doctor_cannot_see(doctor, "Lease", &error);
        return;
    }
    size_t fresh_count = 0;
    const struct json *items = json_member(json_root(document), "items");
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        struct lease_seen lease = read_lease(doctor, at);
        judge(doctor, &lease);
        fresh_count += is_fresh(&lease) ? 1 : 0;
    }
    if (json_count(items) == 0) {
        doctor_find(doctor, FINDING_FAIL, NULL,
                    "there is no Lease %s: the operator has never run here; start it, or name "
                    "its Lease with --lease-name and --lease-namespace",
                    doctor->cli->options.lease_name);
    }
    if (fresh_count > 1) {
        doctor_find(doctor, FINDING_FAIL, NULL,
                    "%zu operators lead at once, each by a Lease in another namespace, and do the "
                    "same work: stop all but one",
                    fresh_count);
    }
}
