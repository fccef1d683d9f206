/* SPDX-License-Identifier: Apache-2.0 */
/* One request and its reply, waited for. */
#ifndef ADJOINT_CONFORMANCE_EXCHANGE_H
#define ADJOINT_CONFORMANCE_EXCHANGE_H

#include "base/text.h"
#include "conformance/subject.h"

struct exchange {
    int http_status; /* 0: no reply came, see error */
    struct text body;
    struct error error;
    bool has_ended;
    int64_t elapsed_ms;
};

/* Before the first exchange_run, which may be called again and again with the same one. */
struct exchange exchange_none(void);
void exchange_release(struct exchange *exchange);
#define cleanup_exchange __attribute__((cleanup(exchange_release)))

/* Body, if there is one, is text of content_type (NULL: JSON); body_bytes and deadline_ms are seen
   to here. */
void exchange_run(struct exchange *exchange, const struct subject *subject,
                  const struct request *request);

#endif
