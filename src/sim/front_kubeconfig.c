/* SPDX-License-Identifier: Apache-2.0 */
/* A kubeconfig is where people keep the way to their clusters, so a file that is not known to be
   of a run like this one is never written over: its first line tells. */
#include "sim/front_state.h"

#include "base/base64.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "io/file.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static const char first_line[] = "# Written by adjoint-sim, and written over by the next one.\n";

static bool may_write(const char *path, struct error *error)
{
    struct error unread;
    char *bytes cleanup_memory = NULL;
    if (access(path, F_OK) != 0) {
        return true;
    }
    if (file_read(path, LIMIT_FILE_BYTES, &bytes, NULL, &unread) &&
        (bytes[0] == '\0' || text_starts_with(bytes, first_line))) {
        return true;
    }
    return error_set(error, ERROR_INVALID, "%s is not adjoint-sim's: it is left as it is", path);
}

static void print_clock(const struct front *front, struct text *out)
{
    char from[TIMESTAMP_BYTES];
    timestamp_format_millis(front->from_wall_ms, from);
    text_print(out,
               "      extensions:\n"
               "        - name: adjoint.dev/clock\n"
               "          extension: {speed: %" PRId64 ", from: \"%s\"}\n",
               front->speed, from);
}

static void print(const struct front *front, struct text *out)
{
    text_append(out, first_line);
    text_print(out,
               "apiVersion: v1\n"
               "kind: Config\n"
               "current-context: adjoint-sim\n"
               "contexts:\n"
               "  - name: adjoint-sim\n"
               "    context:\n"
               "      cluster: adjoint-sim\n"
               "      user: adjoint-sim\n"
               "clusters:\n"
               "  - name: adjoint-sim\n"
               "    cluster:\n"
               "      server: %s\n"
               "      certificate-authority-data: ",
               front->url);
    const char *pem = front->certificate.certificate_pem;
    base64_append(out, pem, strlen(pem));
    text_append(out, "\n");
    print_clock(front, out);
    text_print(out,
               "users:\n"
               "  - name: adjoint-sim\n"
               "    user:\n"
               "      token: %s\n",
               front->token);
}

bool front_write_kubeconfig(const struct front *front, const char *path, struct error *error)
{
    cleanup_text struct text text;
    text_init(&text, LIMIT_FILE_BYTES);
    print(front, &text);
    return text_check(&text, "the kubeconfig", error) && may_write(path, error) &&
           file_write(path, S_IRUSR | S_IWUSR, text.bytes, text.length_bytes, error);
}
