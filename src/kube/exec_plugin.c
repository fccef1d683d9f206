/* SPDX-License-Identifier: Apache-2.0 */
/* What a plugin prints is all secret, so the errors here name fields and never show values, and
   those of the JSON parser are replaced. */
#include "kube/exec_plugin.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/timestamp.h"
#include "kube/bearer_token.h"
#include "kube/kubeconfig.h"

#include <assert.h>
#include <string.h>

bool exec_plugin_equal(const struct exec_plugin *one, const struct exec_plugin *other)
{
    if (one == NULL || other == NULL) {
        return one == other;
    }
    if (one->argument_count != other->argument_count ||
        one->variable_count != other->variable_count ||
        one->provide_cluster_info != other->provide_cluster_info ||
        one->interactive != other->interactive ||
        !text_equal(one->api_version, other->api_version) ||
        !text_equal(one->command, other->command) ||
        !text_equal(one->install_hint, other->install_hint)) {
        return false;
    }
    for (size_t i = 0; i < one->argument_count; i++) {
        if (!text_equal(one->arguments[i], other->arguments[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < one->variable_count; i++) {
        if (!text_equal(one->variables[i].name, other->variables[i].name) ||
            !text_equal(one->variables[i].value, other->variables[i].value)) {
            return false;
        }
    }
    return true;
}

static void write_authority(struct json_writer *writer, const char *pem)
{
    if (pem == NULL) {
        return;
    }
    cleanup_text struct text base64;
    text_init(&base64, strlen(pem) * 2 + 4);
    base64_append(&base64, pem, strlen(pem));
    json_member_string(writer, "certificate-authority-data", base64.bytes);
}

static void write_cluster(struct json_writer *writer, const struct kubeconfig *config)
{
    json_member_object(writer, "cluster");
    json_member_string(writer, "server", config->server);
    json_member_optional(writer, "tls-server-name", config->tls_server_name);
    if (config->insecure_skip_tls_verify) {
        json_member_bool(writer, "insecure-skip-tls-verify", true);
    }
    write_authority(writer, config->authority_pem);
    json_member_optional(writer, "proxy-url", config->proxy_url);
    if (config->exec_extension_json != NULL) {
        json_member_raw(writer, "config", config->exec_extension_json);
    }
    json_end_object(writer);
}

void exec_plugin_write_info(const struct exec_plugin *plugin, const struct kubeconfig *config,
                            bool interactive, struct text *out)
{
    assert(plugin != NULL && config != NULL);

    struct json_writer writer;
    json_writer_init(&writer, out);
    json_begin_object(&writer);
    json_member_string(&writer, "kind", "ExecCredential");
    json_member_string(&writer, "apiVersion", plugin->api_version);
    json_member_object(&writer, "spec");
    if (plugin->provide_cluster_info) {
        write_cluster(&writer, config);
    }
    json_member_bool(&writer, "interactive", interactive);
    json_end_object(&writer);
    json_end_object(&writer);
}

static bool read_expiry(const char *timestamp, int64_t *out_ms, struct error *error)
{
    if (timestamp == NULL || *timestamp == '\0') {
        *out_ms = 0;
        return true;
    }
    struct error ignored;
    return timestamp_parse(timestamp, out_ms, &ignored) ||
           error_set(error, ERROR_INVALID, "status.expirationTimestamp is no RFC 3339 time");
}

static bool check_credential(const struct exec_credential *credential, struct error *error)
{
    bool has_certificate = credential->certificate_pem != NULL;
    if (has_certificate != (credential->key_pem != NULL)) {
        return error_set(error, ERROR_INVALID,
                         "status has only one of clientCertificateData and clientKeyData");
    }
    if (!has_certificate && credential->token == NULL) {
        return error_set(error, ERROR_INVALID, "status has no token and no client certificate");
    }
    const char *problem =
        credential->token == NULL ? NULL : bearer_token_problem(credential->token);
    return problem == NULL || error_set(error, ERROR_INVALID, "status.token %s", problem);
}

static const char *string_if_any(struct json_reader *reader, const struct json *object,
                                 const char *key)
{
    const char *string = json_string(reader, object, key);
    return string == NULL || *string == '\0' ? NULL : string;
}

static bool read_credential(const struct json *root, const struct exec_plugin *plugin,
                            struct arena *arena, struct exec_credential *out, struct error *error)
{
    if (!json_is_object(root)) {
        return error_set(error, ERROR_INVALID, "no ExecCredential, but a list or a single value");
    }
    struct json_reader reader;
    json_reader_init(&reader, arena);
    const char *kind = json_string(&reader, root, "kind");
    const char *version = json_string(&reader, root, "apiVersion");
    const struct json *status = json_member(root, "status");
    if (!json_reader_check(&reader, "its head", error)) {
        return false;
    }
    if (!text_equal(kind, "ExecCredential")) {
        return error_set(error, ERROR_INVALID, "something else than an ExecCredential");
    }
    if (!text_equal(version, plugin->api_version)) {
        return error_set(error, ERROR_INVALID, "another apiVersion than the configured %s",
                         plugin->api_version);
    }
    if (status == NULL || !json_is_object(status)) {
        return error_set(error, ERROR_INVALID, "an ExecCredential without a status");
    }
    out->token = string_if_any(&reader, status, "token");
    out->certificate_pem = string_if_any(&reader, status, "clientCertificateData");
    out->key_pem = string_if_any(&reader, status, "clientKeyData");
    const char *expiry = json_string(&reader, status, "expirationTimestamp");
    return json_reader_check(&reader, "status", error) &&
           read_expiry(expiry, &out->expiry_ms, error) && check_credential(out, error);
}

bool exec_credential_read(const char *json, const struct exec_plugin *plugin, struct arena *arena,
                          struct exec_credential *out, struct error *error)
{
    assert(json != NULL);

    cleanup_json struct json_document *document = NULL;
    struct error ignored;
    if (!json_parse(json, strlen(json), &document, &ignored)) {
        return error_set(error, ERROR_INVALID, "something else than JSON");
    }
    struct exec_credential credential = {0};
    if (!read_credential(json_root(document), plugin, arena, &credential, error)) {
        return false;
    }
    *out = credential;
    return true;
}
