/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/webhook.h"

#include "base/memory.h"

enum { MESSAGE_BYTES_MAX = 256 };

void apiserver_add_webhook(struct apiserver *server, const struct webhook *webhook)
{
    server->webhooks =
        memory_resize(server->webhooks, server->webhook_count + 1, sizeof(*server->webhooks));
    server->webhooks[server->webhook_count++] = *webhook;
}

bool webhook_admit(struct write *write)
{
    const struct apiserver *server = write->server;
    const cJSON *before = write->before == NULL ? NULL : write->before->value;
    for (size_t i = 0; i < server->webhook_count; i++) {
        const struct webhook *webhook = &server->webhooks[i];
        char message[MESSAGE_BYTES_MAX];
        if (write->options->subresource == NULL && webhook->resource == write->resource &&
            !webhook->admit(webhook->self, before, write->value, message, sizeof(message))) {
            return outcome_refuse(write->outcome, 422, "Invalid",
                                  "admission webhook \"%s\" denied the request: %s \"%s\" is "
                                  "invalid: %s",
                                  webhook->name, resource_qualified(write->resource).text,
                                  write->name, message);
        }
    }
    return true;
}
