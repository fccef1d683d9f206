/* SPDX-License-Identifier: Apache-2.0 */
/* `adj`, the command for people; called as kubectl-adj it is kubectl's plugin. */
#ifndef ADJOINT_CLI_ADJ_H
#define ADJOINT_CLI_ADJ_H

/* Runs the command that argv names on this process' streams; returns the exit code. */
int adj_main(int argc, char *const *argv);

#endif
