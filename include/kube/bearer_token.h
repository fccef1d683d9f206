/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_KUBE_BEARER_TOKEN_H
#define ADJOINT_KUBE_BEARER_TOKEN_H

/* What keeps it from being sent as a header's value, or shows that it is only the first part of
   one, as a static phrase that can follow "the token ". NULL: nothing. The token is never in it.
   White space at its ends must be gone already. Source: RFC 6750 section 2.1, RFC 7519. */
const char *bearer_token_problem(const char *token);

#endif
