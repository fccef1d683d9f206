/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/preparation.h"

#include "base/limits.h"
#include "base/memory.h"
#include "conformance/exchange.h"
#include "io/file.h"
#include "io/yaml.h"

#include <string.h>

#define DEFINITIONS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

enum { LOOKS_MAX = 600, LOOK_EACH_MS = 50, CREATED = 201, FINE = 200, THERE_ALREADY = 409 };

struct posting {
    const struct subject *subject;
    struct exchange exchange;
};

static bool post(void *self, const char *json, struct error *error)
{
    struct posting *posting = self;
    exchange_run(&posting->exchange, posting->subject,
                 &(struct request){.method = METHOD_POST, .path = DEFINITIONS, .body = json});
    int http_status = posting->exchange.http_status;
    return http_status == CREATED || http_status == THERE_ALREADY ||
           error_set(error, ERROR_INVALID, "%d %s", http_status, posting->exchange.body.bytes);
}

/* Its objects can be listed: it is established, and served. */
static bool await_served(struct posting *posting, const char *path, struct error *error)
{
    for (int look = 0; look < LOOKS_MAX; look++) {
        exchange_run(&posting->exchange, posting->subject,
                     &(struct request){.method = METHOD_GET, .path = path});
        if (posting->exchange.http_status == FINE) {
            return true;
        }
        subject_rest(posting->subject, LOOK_EACH_MS);
    }
    return error_set(error, ERROR_SYSTEM, "%s is not served: %d", path,
                     posting->exchange.http_status);
}

static bool post_file(struct posting *posting, const char *path, struct error *error)
{
    cleanup_memory char *bytes = NULL;
    size_t byte_count = 0;
    return file_read(path, LIMIT_FILE_BYTES, &bytes, &byte_count, error) &&
           (yaml_to_json(bytes, byte_count, post, posting, error) || error_wrap(error, "%s", path));
}

bool preparation_make(const struct subject *subject, struct error *error)
{
    struct posting posting = {.subject = subject, .exchange = exchange_none()};
    bool made = post_file(&posting, "crds/pools.adjoint.dev.yaml", error) &&
                post_file(&posting, "crds/instances.adjoint.dev.yaml", error) &&
                await_served(&posting, "/apis/adjoint.dev/v1alpha1/pools", error) &&
                await_served(&posting, "/apis/adjoint.dev/v1alpha1/instances", error);
    exchange_release(&posting.exchange);
    return made;
}
