/* SPDX-License-Identifier: Apache-2.0 */
/* The process' own figures are added here, where the system may be asked. */
#include "cli/telemetry.h"

#include "base/text.h"
#include "cli/version.h"
#include "io/own_use.h"
#include "operator/exposition.h"
#include "operator/telemetry.h"

enum { OK = 200, UNAVAILABLE = 503 };

static void write_process(struct text *out)
{
    struct own_use use = own_use_read();
    static const struct exposition_label version[] = {{"version", ADJOINT_VERSION}, {NULL, NULL}};
    exposition_family(out, "adjoint_build_info", EXPOSITION_GAUGE,
                      "1, with the version as a label.");
    exposition_int(out, "adjoint_build_info", version, 1);
    exposition_family(out, "process_resident_memory_bytes", EXPOSITION_GAUGE,
                      "Resident memory size.");
    exposition_int(out, "process_resident_memory_bytes", NULL, use.resident_bytes);
    exposition_family(out, "process_cpu_seconds_total", EXPOSITION_COUNTER,
                      "User and system time spent.");
    exposition_seconds(out, "process_cpu_seconds_total", NULL, use.cpu_ms);
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
