/* SPDX-License-Identifier: Apache-2.0 */
/* The password stays in its Secret: the lines fetch it when they are run, so that it is in nobody's
   terminal or log. Two of them, because a Service's name means nothing outside the cluster. The
   kubectl in them goes where this command went. */
#include "cli/how_to_connect.h"

#include "api/instance.h"
#include "api/names.h"

#include <assert.h>
#include <string.h>

#define WORD_BYTES_SAFE "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/:=@%+,"

enum { KUBECTL_BYTES_MAX = 8 * 1024 };

void shell_word(const char *word, struct text *out)
{
    if (*word != '\0' && strspn(word, WORD_BYTES_SAFE) == strlen(word)) {
        text_append(out, word);
        return;
    }
    text_append_char(out, '\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            text_append(out, "'\\''");
        } else {
            text_append_char(out, *word);
        }
    }
    text_append_char(out, '\'');
}

static void append_option(const char *option, const char *value, struct text *out)
{
    if (value != NULL) {
        text_print(out, " %s ", option);
        shell_word(value, out);
    }
}

static void append_kubectl(const struct cli *cli, const char *namespace, struct text *out)
{
    text_append(out, "kubectl");
    append_option("--kubeconfig", cli->options.kubeconfig, out);
    append_option("--context", cli->options.context, out);
    append_option("-n", namespace, out);
}

static void append_psql(const char *kubectl, const struct instance *instance, const char *host,
                        struct text *out)
{
    text_print(out, "PGPASSWORD=\"$(%s get secret ", kubectl);
    shell_word(instance->connection_secret, out);
    text_append(out, " -o go-template='{{.data.password | base64decode}}')\" psql");
    append_option("-h", host, out);
    append_option("-U", instance->connection_user, out);
    append_option("-d", instance->connection_database, out);
}

void how_to_forward(const struct cli *cli, const struct object *object, struct text *out)
{
    cleanup_text struct text kubectl;
    text_init(&kubectl, KUBECTL_BYTES_MAX);
    append_kubectl(cli, object->meta.namespace, &kubectl);
    text_print(out, "  %s port-forward service/%s-rw %d &\n  ", kubectl.bytes, object->meta.name,
               CNPG_PORT);
    append_psql(kubectl.bytes, object->instance, "127.0.0.1", out);
    text_append(out, "\n");
}

void how_to_execute(const struct cli *cli, const struct object *object, const char *pod,
                    struct text *out)
{
    text_append(out, "  ");
    append_kubectl(cli, object->meta.namespace, out);
    text_append(out, " exec -it ");
    shell_word(pod, out);
    text_append(out, " -c postgres -- psql");
    append_option("-d", object->instance->connection_database, out);
    text_append(out, "\n");
}

void how_to_connect(const struct cli *cli, const struct object *object, struct text *out)
{
    const struct instance *instance = object->instance;
    assert(instance->connection_host != NULL && instance->connection_secret != NULL);

    cleanup_text struct text kubectl;
    text_init(&kubectl, KUBECTL_BYTES_MAX);
    append_kubectl(cli, object->meta.namespace, &kubectl);
    const char *database = instance->connection_database;
    const char *user = instance->connection_user;
    text_print(out,
               "  host      %s\n"
               "  port      %d\n"
               "  database  %s\n"
               "  user      %s\n"
               "  secret    %s/%s\n\n",
               instance->connection_host, CNPG_PORT, database == NULL ? "-" : database,
               user == NULL ? "-" : user, object->meta.namespace, instance->connection_secret);
    text_append(out, "Inside the cluster:\n\n  ");
    append_psql(kubectl.bytes, instance, instance->connection_host, out);
    text_print(
        out, "\n\nFrom here, through the API server:\n\n  %s connect %s%s\n\nThe same by hand:\n\n",
        cli->program, object->meta.name, cli->namespace_option);
    how_to_forward(cli, object, out);
}
