/* SPDX-License-Identifier: Apache-2.0 */
/* Everything a command prints goes through here, so that nothing below needs to look at a stream:
   whether it could be written is asked in cli_flush. */
#include "cli/cli.h"

#include "cli/explain.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum {
    REQUEST_DEADLINE_MS = 30 * 1000,
    HURRIED_DEADLINE_MS = 3 * 1000,
    THROTTLED_TRIES_MAX = 5,
    THROTTLED_WAIT_MS_MIN = 1000,
    LINE_BYTES_MAX = 8 * 1024,
};

/* ---- what people see ---- */

void cli_print(struct cli *cli, const char *text)
{
    (void)fputs(text, cli->out);
}

static void say_list(struct cli *cli, const char *prefix, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static void say_list(struct cli *cli, const char *prefix, const char *format, va_list arguments)
{
    (void)fflush(cli->out); /* the two streams are often one terminal */
    (void)fputs(prefix, cli->err);
    (void)vfprintf(cli->err, format, arguments);
    (void)fputs("\n", cli->err);
}

void cli_say(struct cli *cli, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_list(cli, "", format, arguments);
    va_end(arguments);
}

enum exit_code cli_flush(struct cli *cli)
{
    if (fflush(cli->out) == 0) {
        return CLI_OK;
    }
    int reason = errno;
    return reason == EPIPE ? CLI_ERROR
                           : cli_fail(cli, CLI_ERROR, "cannot write: %s", strerror(reason));
}

enum exit_code cli_fail(struct cli *cli, enum exit_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_list(cli, "adj: ", format, arguments);
    va_end(arguments);
    return code;
}

enum exit_code cli_fail_with(struct cli *cli, enum object_kind kind, const struct error *error)
{
    cleanup_text struct text line;
    text_init(&line, LINE_BYTES_MAX);
    explain_error(error, kind, cli->session.description, &line);
    return cli_fail(cli, CLI_ERROR, "%s", line.bytes);
}

/* ---- the API server ---- */

bool cli_connect(struct cli *cli, struct error *error)
{
    if (cli->session.self != NULL) {
        return true;
    }
    struct access_options options = {.kubeconfig = cli->options.kubeconfig,
                                     .context = cli->options.context};
    if (!cli->open_session(cli->opener, &options, &cli->session, error)) {
        return false;
    }
    cli->client = client_new(cli->session.transport, CLI_BODY_BYTES_MAX);
    if (cli->options.verbose) {
        cli_say(cli, "%s", cli->session.description);
    }
    return true;
}

const char *cli_namespace(const struct cli *cli)
{
    assert(cli->session.self != NULL);
    return cli->options.namespace != NULL ? cli->options.namespace : cli->session.namespace;
}

bool cli_waits(const struct cli *cli)
{
    return cli->options.wait == SWITCH_UNSET ? cli->out_is_terminal
                                             : cli->options.wait == SWITCH_ON;
}

struct cli_request {
    struct cli *cli;
    struct client *client;
    const struct request *request;
    struct text *out_body;
    struct error *error;
    int try_count;
    int64_t send_at_ms; /* mono; NOW_NEVER: it is sent */
    bool replied;
};

static void log_reply(const struct cli_request *call, const struct reply *reply)
{
    if (!call->cli->options.verbose) {
        return;
    }
    cli_say(call->cli, "%s %s: %d in %" PRId64 " ms", method_name(call->request->method),
            call->request->path, reply->http_status, reply->elapsed_ms);
}

static void take_reply(void *self, const struct reply *reply)
{
    struct cli_request *call = self;
    log_reply(call, reply);
    int tries_max = call->cli->hurries ? 1 : THROTTLED_TRIES_MAX;
    if (reply->error.class == ERROR_THROTTLED && call->try_count < tries_max) {
        int64_t wait_ms = reply->error.retry_after_ms;
        wait_ms = wait_ms < THROTTLED_WAIT_MS_MIN ? THROTTLED_WAIT_MS_MIN : wait_ms;
        call->send_at_ms = call->cli->now.mono_ms + wait_ms;
        return;
    }
    *call->error = reply->error;
    if (reply->error.class == ERROR_NONE && call->out_body != NULL) {
        text_append_bytes(call->out_body, reply->body, reply->body_bytes);
    }
    call->replied = true;
}

static int64_t call_step(void *self, struct now now)
{
    struct cli_request *call = self;
    struct client *client = call->client;
    call->cli->now = now;
    client_step(client, now);
    if (!call->replied && call->send_at_ms <= now.mono_ms) {
        call->send_at_ms = NOW_NEVER;
        call->try_count++;
        client_send(client, call->request, CLIENT_NORMAL, false, take_reply, call);
        client_step(client, now);
    }
    return call->replied ? SESSION_DONE : call->send_at_ms;
}

static bool call_with(struct cli *cli, struct client *client, const struct request *request,
                      struct text *out_body, struct error *error)
{
    struct request bounded = *request;
    bounded.deadline_ms = cli->hurries ? HURRIED_DEADLINE_MS : REQUEST_DEADLINE_MS;
    struct error outcome = {.class = ERROR_NONE};
    struct cli_request call = {.cli = cli,
                               .client = client,
                               .request = &bounded,
                               .out_body = out_body,
                               .error = &outcome,
                               .send_at_ms = INT64_MIN};
    cli->session.run(cli->session.self, call_step, &call);
    if (outcome.class != ERROR_NONE) {
        *error = outcome;
        return false;
    }
    return out_body == NULL || text_check(out_body, "the reply", error);
}

bool cli_call(struct cli *cli, const struct request *request, struct text *out_body,
              struct error *error)
{
    return cli_connect(cli, error) && call_with(cli, cli->client, request, out_body, error);
}

bool cli_call_elsewhere(struct cli *cli, const char *url, const struct request *request,
                        struct text *out_body, struct error *error)
{
    if (!cli_connect(cli, error)) {
        return false;
    }
    struct client *client =
        client_new(cli->session.elsewhere(cli->session.self, url), CLI_BODY_BYTES_MAX);
    bool called = call_with(cli, client, request, out_body, error);
    client_free(client);
    return called;
}
