/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/wait_report.h"

#include "cli/how_to_connect.h"
#include "cli/output.h"
#include "cli/standing.h"

#include <inttypes.h>

enum { TEXT_BYTES_MAX = 64 * 1024 };

static enum exit_code report_ready(const struct wait *wait, int64_t took_ms)
{
    struct cli *cli = wait->cli;
    const struct object *object = wait->instance;
    struct error error;
    if (!output_is_text(cli)) {
        cleanup_fetched struct fetched ready;
        fetched_init(&ready, KIND_INSTANCE);
        return fetch_one(cli, object->meta.namespace, wait->name, &ready, &error)
                   ? output_fetched(cli, &ready, false)
                   : cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    text_print(&out, "Instance %s/%s is ready", object->meta.namespace, wait->name);
    if (took_ms != 0) {
        text_print(&out, " after %" PRId64 ".%" PRId64 " s", took_ms / 1000, took_ms % 1000 / 100);
    }
    text_append(&out, ".\n\n");
    if (object->instance->connection_host != NULL && object->instance->connection_secret != NULL) {
        how_to_connect(cli, object, &out);
    }
    cli_print(cli, out.bytes);
    return CLI_OK;
}

static enum exit_code report_hopeless(const struct wait *wait)
{
    struct cli *cli = wait->cli;
    const struct object *object = wait->instance;
    const struct condition *obstacle = standing_obstacle(object);
    bool told = obstacle != NULL;
    return cli_fail(cli, CLI_INSTANCE_FAILED,
                    "Instance %s/%s: %s: %s (it stays: `%s why %s%s` says more)",
                    object->meta.namespace, wait->name,
                    told ? obstacle->reason : instance_phase_name(object->instance->phase),
                    told ? obstacle->message : "its conditions do not say why", cli->program,
                    wait->name, cli->namespace_option);
}

static enum exit_code report(const struct wait *wait, bool timed, const char *hint)
{
    struct cli *cli = wait->cli;
    switch (wait->outcome) {
    case WAIT_REACHED:
        return report_ready(wait, timed ? wait->elapsed_ms : 0);
    case WAIT_HOPELESS:
        return report_hopeless(wait);
    case WAIT_VANISHED:
        return cli_fail(cli, CLI_INSTANCE_FAILED,
                        "Instance %s/%s was deleted by somebody before it was ready",
                        cli_namespace(cli), wait->name);
    case WAIT_TIMED_OUT:
        return cli_fail(cli, CLI_TIMED_OUT,
                        "Instance %s/%s is not ready after %" PRId64
                        " s. %s; `%s get %s%s` and `%s why %s%s` say where it stands",
                        cli_namespace(cli), wait->name, wait->elapsed_ms / 1000, hint, cli->program,
                        wait->name, cli->namespace_option, cli->program, wait->name,
                        cli->namespace_option);
    case WAIT_REFUSED:
        return cli_fail_with(cli, KIND_INSTANCE, &wait->error);
    case WAIT_GOES_ON:
        break;
    }
    return CLI_ERROR;
}

enum exit_code wait_until_ready(struct cli *cli, const struct object *instance, int64_t reset_count,
                                bool timed, const char *hint)
{
    cleanup_wait struct wait wait;
    wait_init(&wait, cli, WAIT_UNTIL_READY, instance->meta.name, instance->meta.uid);
    wait.reset_count = reset_count;
    (void)wait_run(&wait);
    return report(&wait, timed, hint);
}
