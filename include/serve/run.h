/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_SERVE_RUN_H
#define ADJOINT_SERVE_RUN_H

/* The whole of adjoint-sim, a simulated cluster that kubectl works on, from its arguments to its
   exit code: 0 after a stop that was asked for, 1 when it could not start, 2 for a command line
   that makes no sense. */
int run_simulator(int argc, char **argv);

#endif
