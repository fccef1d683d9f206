/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a kubeconfig says: what is resolved can be used as it is (an address with a scheme and
   nothing secret in it, a token that fits into a header, JSON for a plugin), and is the same each
   time. */
#include "kube/kubeconfig.h"

#include "base/json.h"
#include "base/memory.h"
#include "io/yaml.h"
#include "kube/bearer_token.h"
#include "kube/exec_plugin.h"
#include "support/fuzz_input.h"

#include <string.h>

enum { DOCUMENTS_MAX = 3 };

struct documents {
    size_t count;
    struct kubeconfig_document items[DOCUMENTS_MAX];
    struct arena arena;
};

static bool keep_document(void *self, const char *json, struct error *error)
{
    struct documents *documents = self;
    if (documents->count == DOCUMENTS_MAX) {
        return error_set(error, ERROR_LIMIT, "too many");
    }
    documents->items[documents->count++] = (struct kubeconfig_document){
        .json = arena_copy(&documents->arena, json), .folder = "/folder", .path = "/folder/config"};
    return true;
}

static void require_usable(const struct kubeconfig *config)
{
    const char *server = config->server;
    fuzz_require(text_starts_with(server, "https://") || text_starts_with(server, "http://"),
                 "the server has a scheme");
    fuzz_require(strpbrk(server, " \r\n@?#") == NULL && !text_ends_with(server, "/"),
                 "a path can be put behind the server");
    fuzz_require(config->token == NULL || bearer_token_problem(config->token) == NULL,
                 "the token fits into a header");
    fuzz_require(config->namespace != NULL && config->context != NULL, "there is a namespace");
    fuzz_require(config->token_file == NULL || config->token_file[0] == '/',
                 "files have absolute paths");
    fuzz_require(config->clock_speed >= 0, "no clock goes backwards");
}

static void require_info_is_json(const struct kubeconfig *config)
{
    if (config->exec == NULL) {
        return;
    }
    cleanup_text struct text info;
    text_init(&info, FUZZ_TEXT_BYTES_MAX);
    exec_plugin_write_info(config->exec, config, false, &info);
    cleanup_json struct json_document *document = NULL;
    struct error error;
    fuzz_require(json_parse(info.bytes, info.length_bytes, &document, &error),
                 "what a plugin is told is JSON");
    fuzz_require(config->exec->command[0] != '\0', "a plugin has a command");
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct documents documents = {0};
    arena_init(&documents.arena, 0);
    struct kubeconfig config;
    struct kubeconfig again;
    struct error error;
    if (yaml_to_json((const char *)bytes, byte_count, keep_document, &documents, &error) &&
        kubeconfig_resolve(documents.items, documents.count, NULL, &arena, &config, &error)) {
        require_usable(&config);
        require_info_is_json(&config);
        fuzz_require(kubeconfig_resolve(documents.items, documents.count, config.context, &arena,
                                        &again, &error) &&
                         kubeconfig_equal(&config, &again),
                     "it is the same each time");
    }
    arena_release(&documents.arena);
    return 0;
}
