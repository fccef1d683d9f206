/* SPDX-License-Identifier: Apache-2.0 */
/* The Lease is ours alone, hence the one object that is written whole; its resourceVersion is what
   makes two candidates' writes exclude each other. */
#include "kube/lease_record.h"

bool lease_record_read(const char *json, size_t byte_count, struct arena *arena,
                       struct lease_record *out, struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    if (!json_parse(json, byte_count, &document, error)) {
        return error_wrap(error, "Lease");
    }
    const struct json *root = json_root(document);
    const struct json *spec = json_member(root, "spec");
    struct json_reader reader;
    json_reader_init(&reader, arena);
    struct lease_record record = {
        .resource_version = json_string(&reader, json_member(root, "metadata"), "resourceVersion"),
        .holder = json_string(&reader, spec, "holderIdentity"),
        .duration_seconds = json_int64(&reader, spec, "leaseDurationSeconds", 0),
        .acquire_time = json_string(&reader, spec, "acquireTime"),
        .renew_time = json_string(&reader, spec, "renewTime"),
        .transitions = json_int64(&reader, spec, "leaseTransitions", 0),
    };
    if (!json_reader_check(&reader, "Lease", error)) {
        return false;
    }
    if (record.resource_version == NULL) {
        return error_set(error, ERROR_INVALID, "Lease: metadata.resourceVersion is missing");
    }
    record.holder = record.holder == NULL ? "" : record.holder;
    *out = record;
    return true;
}

void lease_record_write(const struct lease_record *record, const char *namespace, const char *name,
                        struct text *out)
{
    struct json_writer writer;
    json_writer_init(&writer, out);
    json_begin_object(&writer);
    json_member_string(&writer, "apiVersion", "coordination.k8s.io/v1");
    json_member_string(&writer, "kind", "Lease");
    json_member_object(&writer, "metadata");
    json_member_string(&writer, "namespace", namespace);
    json_member_string(&writer, "name", name);
    json_member_optional(&writer, "resourceVersion", record->resource_version);
    json_end_object(&writer);
    json_member_object(&writer, "spec");
    json_member_string(&writer, "holderIdentity", record->holder);
    json_member_int64(&writer, "leaseDurationSeconds", record->duration_seconds);
    json_member_optional(&writer, "acquireTime", record->acquire_time);
    json_member_optional(&writer, "renewTime", record->renew_time);
    json_member_int64(&writer, "leaseTransitions", record->transitions);
    json_end_object(&writer);
    json_end_object(&writer);
}
