/* SPDX-License-Identifier: Apache-2.0 */
/* Is it what TLS can use? Asked before a file that was rotated replaces one that worked. */
#ifndef ADJOINT_IO_PEM_H
#define ADJOINT_IO_PEM_H

#include "base/error.h"

/* One certificate or more, all of them whole; text around them is fine. ERROR_INVALID. */
MUST_CHECK bool pem_check_certificates(const char *pem, struct error *error);

/* The first certificate, and its key in clear text. ERROR_INVALID. */
MUST_CHECK bool pem_check_pair(const char *certificate_pem, const char *key_pem,
                               struct error *error);

#endif
