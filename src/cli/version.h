/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_SRC_CLI_VERSION_H
#define ADJOINT_SRC_CLI_VERSION_H

/* Packagers set it with -DADJOINT_VERSION='"..."'. */
#ifndef ADJOINT_VERSION
#define ADJOINT_VERSION "0.1.0"
#endif

#endif
