/* SPDX-License-Identifier: Apache-2.0 */
/* Only what a lease's safety rests on is checked as the API server does: that it is there or not,
   and the resourceVersion. */
#include "support/fake_leases.h"

#include "base/json.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SPEC_BYTES_MAX = 4096 };

void fake_leases_init(struct fake_leases *leases)
{
    *leases = (struct fake_leases){.version = 100};
    text_init(&leases->spec, SPEC_BYTES_MAX);
}

void fake_leases_release(struct fake_leases *leases)
{
    text_release(&leases->spec);
}

void fake_leases_write(struct fake_leases *leases, const char *spec)
{
    leases->exists = true;
    leases->version++;
    text_clear(&leases->spec);
    for (const char *at = spec; *at != '\0'; at++) {
        text_append_char(&leases->spec, *at == '\'' ? '"' : *at);
    }
}

void fake_leases_delete(struct fake_leases *leases)
{
    leases->exists = false;
    leases->version++;
}

static int refuse(struct text *out_body, int http_status, const char *reason)
{
    text_print(out_body, "{\"kind\":\"Status\",\"reason\":\"%s\",\"message\":\"%s\"}", reason,
               reason);
    return http_status;
}

static int show(const struct fake_leases *leases, struct text *out_body, int http_status)
{
    text_print(out_body,
               "{\"kind\":\"Lease\",\"metadata\":{\"name\":\"operator\",\"resourceVersion\":\"%d\","
               "\"managedFields\":[{\"manager\":\"m\"}]},\"spec\":%s}",
               leases->version, leases->spec.bytes);
    return http_status;
}

static int take_body(struct fake_leases *leases, const struct request *request,
                     struct text *out_body)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(request->body, request->body_bytes, &document, &error));
    const struct json *root = json_root(document);
    const char *version = json_text(json_path(root, "metadata", "resourceVersion", NULL));
    char current[16];
    snprintf(current, sizeof(current), "%d", leases->version);
    assert_true((version == NULL) == (request->method == METHOD_POST));
    if (version != NULL && !text_equal(version, current)) {
        return refuse(out_body, 409, "Conflict");
    }
    leases->exists = true;
    leases->version++;
    leases->write_count++;
    text_clear(&leases->spec);
    json_append(&leases->spec, json_member(root, "spec"));
    return show(leases, out_body, request->method == METHOD_POST ? 201 : 200);
}

int fake_leases_answer(struct fake_leases *leases, const struct request *request,
                       struct text *out_body)
{
    bool create = request->method == METHOD_POST;
    assert_string_equal(request->path,
                        create ? "/apis/coordination.k8s.io/v1/namespaces/system/leases"
                               : "/apis/coordination.k8s.io/v1/namespaces/system/leases/operator");
    if (!create && !leases->exists) {
        return refuse(out_body, 404, "NotFound");
    }
    if (request->method == METHOD_GET) {
        return show(leases, out_body, 200);
    }
    if (create && leases->exists) {
        return refuse(out_body, 409, "AlreadyExists");
    }
    return take_body(leases, request, out_body);
}

const char *fake_leases_spec(struct fake_leases *leases, const char *key)
{
    static char value[64];
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(leases->spec.bytes, leases->spec.length_bytes, &document, &error));
    cleanup_text struct text text;
    text_init(&text, sizeof(value) - 1);
    const struct json *member = json_member(json_root(document), key);
    if (json_text(member) != NULL) {
        text_append(&text, json_text(member));
    } else if (member != NULL) {
        json_append(&text, member);
    }
    snprintf(value, sizeof(value), "%s", text.bytes);
    return value;
}
