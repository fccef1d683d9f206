/* SPDX-License-Identifier: Apache-2.0 */
/* A transport without a network: it keeps what was asked, and a test answers by hand, in chunks of
   a size of its choice. It fails the test when the seam's rules are broken: a call that is started
   or cancelled from inside a sink, or cancelled after its end. */
#ifndef ADJOINT_SUPPORT_FAKE_TRANSPORT_H
#define ADJOINT_SUPPORT_FAKE_TRANSPORT_H

#include "kube/transport.h"

struct fake_transport;

enum fake_call_state { FAKE_CALL_RUNNING, FAKE_CALL_ENDED, FAKE_CALL_CANCELLED };

struct fake_call {
    struct request request; /* strings are copies, and live as long as the transport */
    enum fake_call_state state;
    struct sink sink;
    struct fake_transport *transport;
};

struct fake_transport *fake_transport_new(void);
void fake_transport_free(struct fake_transport *transport);
struct transport fake_transport_seam(struct fake_transport *transport);

/* Bodies are handed over in chunks of so many bytes from now on; 0: in one. */
void fake_transport_set_chunk(struct fake_transport *transport, size_t chunk_bytes);

/* Calls ever started, in order; those that run. */
size_t fake_transport_count(const struct fake_transport *transport);
size_t fake_transport_running(const struct fake_transport *transport);
struct fake_call *fake_transport_call(struct fake_transport *transport, size_t index);
struct fake_call *fake_transport_last(struct fake_transport *transport); /* fails without any */

void fake_call_head(struct fake_call *call, int http_status, int64_t retry_after_ms);
void fake_call_bytes(struct fake_call *call, const char *bytes, size_t byte_count);
/* JSON in which ' stands for ". */
void fake_call_json(struct fake_call *call, const char *json);
void fake_call_end(struct fake_call *call);
void fake_call_fail(struct fake_call *call, enum error_class class);

/* Head, JSON (NULL: none), end. */
void fake_call_reply(struct fake_call *call, int http_status, const char *json);

#endif
