/* SPDX-License-Identifier: Apache-2.0 */
/* A command in a container of a pod, without input, over a WebSocket to the pod's exec subresource,
   subprotocol v4.channel.k8s.io. It takes `get` on pods/exec, from 1.35 on also `create`.
   Source: Kubernetes k8s.io/apimachinery/pkg/util/remotecommand/constants.go and
   k8s.io/kubelet remotecommand/websocket.go. */
#ifndef ADJOINT_IO_REMOTE_COMMAND_H
#define ADJOINT_IO_REMOTE_COMMAND_H

#include "base/text.h"
#include "io/port_forward.h"

struct remote_command;

/* options: its loop, credentials, client, entropy, deadlines and path
   ("/api/v1/namespaces/N/pods/P/exec?container=C&stdout=true&stderr=true&command=..."); the rest is
   not looked at. All is borrowed until it is freed. What the command prints on either stream goes
   to out. ended is called once, from the loop: with ERROR_NONE when the command ended with 0;
   otherwise with how it ended, or why it was not run: refusal is the body of the server's reply
   when the error has an http_status. */
struct remote_command *
remote_command_start(const struct port_forward_options *options, struct text *out,
                     void (*ended)(void *self, const struct error *error, const char *refusal),
                     void *self);
void remote_command_free(struct remote_command *command); /* NULL is fine */

#endif
