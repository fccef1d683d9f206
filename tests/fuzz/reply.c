/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a server answers: no failure is taken for a success, a write that may have been done is
   not called undone, Retry-After stays within minutes, and there is one line for people. The first
   bytes are method, status and Retry-After, then the body. */
#include "kube/client.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

#include <string.h>

enum { RETRY_AFTER_MS_MAX = 5 * 60 * 1000 };

static void require_right(enum method method, int http_status, const struct error *error)
{
    bool is_success = http_status >= 200 && http_status < 300;
    fuzz_require((error->class == ERROR_NONE) == is_success, "2xx and only that is success");
    if (is_success) {
        return;
    }
    fuzz_require(error->http_status == http_status, "the status is kept");
    fuzz_require(error->retry_after_ms >= 0 && error->retry_after_ms <= RETRY_AFTER_MS_MAX,
                 "Retry-After has bounds");
    fuzz_require(error->message[0] != '\0', "there are words");
    for (const char *at = error->message; *at != '\0'; at++) {
        fuzz_require((unsigned char)*at >= ' ' && *at != 0x7F, "the words are one line");
    }
    fuzz_require(error->class != ERROR_UNKNOWN || method != METHOD_GET, "a GET changes nothing");
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    enum method method = (enum method)(fuzz_input_byte(&input) % (METHOD_DELETE + 1));
    int http_status = (int)(200 + 2 * fuzz_input_byte(&input) + byte_count % 2);
    int64_t retry_after_ms = (int64_t)fuzz_input_byte(&input) * 2000;
    cleanup_memory char *body = fuzz_input_text(&input);
    struct error error;
    reply_classify(method, http_status, retry_after_ms, body, strlen(body), false, &error);
    require_right(method, http_status, &error);
    enum error_class class = error.class;
    reply_classify(method, http_status, retry_after_ms, body, strlen(body), true, &error);
    require_right(method, http_status, &error);
    fuzz_require(class == error.class || (error.class == ERROR_TEST_FAILED && http_status == 422),
                 "tests of a JSON patch can only be lost");
    return 0;
}
