/* SPDX-License-Identifier: Apache-2.0 */
/* A key and a certificate for it that is its own authority, valid for a month. */
#ifndef ADJOINT_SRC_SIM_FRONT_CERTIFICATE_H
#define ADJOINT_SRC_SIM_FRONT_CERTIFICATE_H

#include "base/error.h"

struct front_certificate {
    char *certificate_pem, *key_pem;
};

/* For address, 127.0.0.1 and localhost. */
MUST_CHECK bool front_certificate_make(const char *address, struct front_certificate *out,
                                       struct error *error);
void front_certificate_release(struct front_certificate *certificate);

#endif
