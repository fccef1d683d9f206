/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_CLI_RUN_H
#define ADJOINT_CLI_RUN_H

/* The whole of adjoint-operator, from its arguments to its exit code: 0 after a stop that was asked
   for, 1 when it could not start or lost what it needs, 2 for a command line that makes no sense.
 */
int run_operator(int argc, char **argv);

#endif
