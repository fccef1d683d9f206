/* SPDX-License-Identifier: Apache-2.0 */
/* What client-go's validation refuses is refused here too: two ways to log in at once mean that
   somebody edited the file half way, and picking one of them hides it. */
#include "kube/kubeconfig_fields.h"

#include "kube/bearer_token.h"

#include <string.h>

static const char *read_token(struct kubeconfig_fields *fields)
{
    const char *text = kubeconfig_fields_text(fields, "token");
    if (text == NULL) {
        return NULL;
    }
    size_t bytes = strlen(text); /* a block scalar ends in a line break */
    while (bytes > 0 && strchr(" \t\r\n", text[bytes - 1]) != NULL) {
        bytes--;
    }
    const char *token = arena_copy_bytes(fields->arena, text, bytes);
    const char *problem = bearer_token_problem(token);
    if (problem != NULL) {
        kubeconfig_fields_refuse(fields, "token", "%s", problem);
    }
    return token;
}

static void refuse_auth_provider(struct kubeconfig_fields *fields)
{
    const struct json *provider = json_member(fields->object, "auth-provider");
    if (provider == NULL) {
        return;
    }
    const struct json *name = json_is_object(provider) ? json_member(provider, "name") : NULL;
    const char *text = name != NULL && json_text(name) != NULL ? json_text(name) : "";
    const char *instead = text_equal(text, "gcp")     ? "the exec plugin gke-gcloud-auth-plugin"
                          : text_equal(text, "azure") ? "the exec plugin kubelogin"
                          : text_equal(text, "oidc")  ? "the exec plugin kubectl-oidc_login"
                                                      : "an exec plugin";
    kubeconfig_fields_refuse(fields, "auth-provider", "is not supported; use %s instead", instead);
}

static void refuse_impersonation(struct kubeconfig_fields *fields)
{
    static const char *const keys[] = {"as", "as-uid", "as-groups", "as-user-extra"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        const struct json *value = json_member(fields->object, keys[i]);
        bool is_empty = value == NULL || text_equal(json_text(value), "") ||
                        ((json_is_array(value) || json_is_object(value)) && json_count(value) == 0);
        if (!is_empty) {
            kubeconfig_fields_refuse(fields, keys[i], "is set; impersonation is not supported");
        }
    }
}

static void read_certificate(struct kubeconfig_fields *fields, struct kubeconfig *out)
{
    out->certificate_pem = kubeconfig_fields_data(fields, "client-certificate-data");
    out->certificate_file = kubeconfig_fields_path(fields, "client-certificate");
    out->key_pem = kubeconfig_fields_data(fields, "client-key-data");
    out->key_file = kubeconfig_fields_path(fields, "client-key");
    if (out->certificate_pem != NULL) {
        out->certificate_file = NULL;
    }
    if (out->key_pem != NULL) {
        out->key_file = NULL;
    }
    bool has_certificate = out->certificate_pem != NULL || out->certificate_file != NULL;
    bool has_key = out->key_pem != NULL || out->key_file != NULL;
    if (has_certificate && !has_key) {
        kubeconfig_fields_refuse(fields, "client-certificate", "is set, but no client-key");
    }
    if (has_key && !has_certificate) {
        kubeconfig_fields_refuse(fields, "client-key", "is set, but no client-certificate");
    }
}

static void refuse_two_ways(struct kubeconfig_fields *fields, const struct kubeconfig *config)
{
    bool has_token = config->token != NULL || config->token_file != NULL;
    bool has_password = config->username != NULL || config->password != NULL;
    if (has_token && has_password) {
        kubeconfig_fields_refuse(fields, NULL, "has a token and a password; leave one out");
    }
    if (config->username == NULL && config->password != NULL) {
        kubeconfig_fields_refuse(fields, "password", "is set, but no username");
    }
}

void kubeconfig_read_user(struct kubeconfig_fields *fields, struct kubeconfig *out)
{
    refuse_auth_provider(fields);
    refuse_impersonation(fields);
    out->token = read_token(fields);
    out->token_file = kubeconfig_fields_path(fields, "tokenFile");
    out->username = kubeconfig_fields_text(fields, "username");
    out->password = kubeconfig_fields_text(fields, "password");
    read_certificate(fields, out);
    refuse_two_ways(fields, out);

    /* client-go does not run the plugin either when there is something to log in with. */
    bool has_static = out->token != NULL || out->token_file != NULL || out->username != NULL ||
                      out->certificate_pem != NULL || out->certificate_file != NULL;
    out->exec = has_static ? NULL : kubeconfig_read_exec(fields);
}
