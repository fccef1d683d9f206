/* SPDX-License-Identifier: Apache-2.0 */
/* The process' own figures are added here, where the system may be asked. */
#include "cli/telemetry.h"

#include "base/text.h"
#include "cli/version.h"
#include "io/own_use.h"
#include "operator/telemetry.h"

#include <inttypes.h>

enum { OK = 200, UNAVAILABLE = 503, MS_PER_SECOND = 1000 };

static void write_process(struct text *out)
{
    struct own_use use = own_use_read();
    text_append(out, "# HELP adjoint_build_info 1, with the version as a label.\n"
                     "# TYPE adjoint_build_info gauge\n"
                     "adjoint_build_info{version=\"" ADJOINT_VERSION "\"} 1\n");
    text_print(out,
               "# HELP process_resident_memory_bytes Resident memory size.\n"
               "# TYPE process_resident_memory_bytes gauge\n"
               "process_resident_memory_bytes %" PRId64 "\n",
               use.resident_bytes);
    text_print(out,
               "# HELP process_cpu_seconds_total User and system time spent.\n"
               "# TYPE process_cpu_seconds_total counter\n"
               "process_cpu_seconds_total %.2f\n",
               (double)use.cpu_ms / MS_PER_SECOND);
}

void telemetry_answer(void *self, const char *path, struct http_answer *answer)
{
    const struct telemetry *telemetry = self;
    struct now now = clock_now(telemetry->clock, loop_now(telemetry->loop));
    struct text *body = answer->body;
    if (text_equal(path, "/metrics")) {
        answer->http_status = OK;
        answer->content_type = "text/plain; version=0.0.4; charset=utf-8";
        operator_write_metrics(telemetry->op, now, body);
        write_process(body);
    } else if (text_equal(path, "/healthz")) {
        bool healthy = operator_write_health(telemetry->op, now, body);
        answer->http_status = healthy ? OK : UNAVAILABLE;
    } else if (text_equal(path, "/readyz")) {
        bool ready = operator_write_readiness(telemetry->op, body);
        answer->http_status = ready ? OK : UNAVAILABLE;
    } else if (text_equal(path, "/debug/state")) {
        answer->http_status = OK;
        answer->content_type = "application/json";
        operator_write_state(telemetry->op, now, body);
    }
}
