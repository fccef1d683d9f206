/* SPDX-License-Identifier: Apache-2.0 */
/* One bad file must not keep a good one from being taken: a token that expires in a minute does
   not wait until somebody has repaired the CA bundle. So all are read, and the first error is kept
   for whoever wants to warn about it. */
#include "io/access_identity.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/pem.h"

#include <assert.h>

struct access_identity *access_identity_new(void)
{
    struct access_identity *identity = memory_new(1, sizeof(*identity));
    arena_init(&identity->arena, 0);
    return identity;
}

void access_identity_free(struct access_identity *identity)
{
    if (identity == NULL) {
        return;
    }
    access_plugin_free(identity->plugin);
    access_file_release(&identity->token);
    access_file_release(&identity->authority);
    access_file_release(&identity->certificate);
    access_file_release(&identity->key);
    arena_release(&identity->arena);
    memory_free(identity);
}

static void keep_first(struct error *first, const struct error *error)
{
    if (first->class == ERROR_NONE) {
        *first = *error;
    }
}

static bool reread(struct access_file *file, struct error *first)
{
    char *bytes = NULL;
    struct error error;
    if (!access_file_read(file, &bytes, &error)) {
        keep_first(first, &error);
    }
    return access_file_take(file, bytes);
}

static const char *first_of(const char *one, const char *two, const char *three)
{
    return one != NULL ? one : two != NULL ? two : three;
}

/* Certificate and key as they would be with what was read now; both are taken or none. */
static bool reread_pair(struct access_identity *identity, struct error *first)
{
    const struct kubeconfig *config = &identity->config;
    cleanup_memory char *certificate = NULL;
    cleanup_memory char *key = NULL;
    struct error error;
    if (!access_file_read(&identity->certificate, &certificate, &error) ||
        !access_file_read(&identity->key, &key, &error)) {
        keep_first(first, &error);
        return false;
    }
    if (certificate == NULL && key == NULL) {
        return false;
    }
    if (!pem_check_pair(first_of(certificate, identity->certificate.bytes, config->certificate_pem),
                        first_of(key, identity->key.bytes, config->key_pem), &error)) {
        error_wrap(&error, "%s",
                   first_of(config->certificate_file, config->key_file, "the kubeconfig"));
        keep_first(first, &error);
        return false;
    }
    bool certificate_changed = access_file_take(&identity->certificate, certificate);
    bool key_changed = access_file_take(&identity->key, key);
    certificate = NULL;
    key = NULL;
    return certificate_changed || key_changed;
}

bool access_identity_read(struct access_identity *identity, bool *changed, struct error *error)
{
    struct error first = {.class = ERROR_NONE};
    bool token_changed = reread(&identity->token, &first);
    bool authority_changed = reread(&identity->authority, &first);
    bool pair_changed = reread_pair(identity, &first);
    *changed = token_changed || authority_changed || pair_changed;
    if (first.class != ERROR_NONE) {
        *error = first;
        return false;
    }
    return true;
}

static bool check_inline(const struct kubeconfig *config, struct error *error)
{
    if (config->authority_pem != NULL && !pem_check_certificates(config->authority_pem, error)) {
        return error_wrap(error, "certificate-authority-data of the cluster %s", config->cluster);
    }
    if (config->certificate_pem != NULL && config->key_pem != NULL &&
        !pem_check_pair(config->certificate_pem, config->key_pem, error)) {
        return error_wrap(error, "client-certificate-data of the user %s", config->user);
    }
    return true;
}

static bool is_usable(const struct access_identity *identity)
{
    const struct kubeconfig *config = &identity->config;
    return (config->authority_file == NULL || identity->authority.bytes != NULL) &&
           (config->certificate_file == NULL || identity->certificate.bytes != NULL) &&
           (config->key_file == NULL || identity->key.bytes != NULL) &&
           (config->token_file == NULL || identity->token.bytes != NULL || config->token != NULL);
}

bool access_identity_open(struct access_identity *identity, struct loop *loop,
                          const struct access_plugin_options *options, struct error *error)
{
    const struct kubeconfig *config = &identity->config;
    assert(config->server != NULL);

    identity->token = (struct access_file){ACCESS_FILE_TOKEN, config->token_file, NULL};
    identity->authority =
        (struct access_file){ACCESS_FILE_CERTIFICATES, config->authority_file, NULL};
    identity->certificate =
        (struct access_file){ACCESS_FILE_CERTIFICATES, config->certificate_file, NULL};
    identity->key = (struct access_file){ACCESS_FILE_KEY, config->key_file, NULL};

    bool ignored = false;
    if (!check_inline(config, error) ||
        (!access_identity_read(identity, &ignored, error) && !is_usable(identity))) {
        return false;
    }
    if (config->exec == NULL || identity->plugin != NULL) {
        return true;
    }
    return access_plugin_new(loop, options, config, &identity->plugin, error);
}

const char *access_identity_authority(const struct access_identity *identity)
{
    return first_of(identity->authority.bytes, identity->config.authority_pem, NULL);
}

void access_identity_fill(const struct access_identity *identity, struct credential_set *out)
{
    const struct kubeconfig *config = &identity->config;
    *out = (struct credential_set){
        .server = config->server,
        .token = first_of(identity->token.bytes, config->token, NULL),
        .username = config->username,
        .password = config->password,
        .certificate_pem = first_of(identity->certificate.bytes, config->certificate_pem, NULL),
        .key_pem = first_of(identity->key.bytes, config->key_pem, NULL),
        .authority_pem = access_identity_authority(identity),
        .insecure_skip_tls_verify = config->insecure_skip_tls_verify,
        .tls_server_name = config->tls_server_name,
        .proxy_url = config->proxy_url,
    };
}
