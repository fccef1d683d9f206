/* SPDX-License-Identifier: Apache-2.0 */
/* One child process: with a deadline and bounded output, for exec plugins; or in the foreground. */
#ifndef ADJOINT_IO_PROCESS_H
#define ADJOINT_IO_PROCESS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct loop;
struct process;

struct process_request {
    const char *command;          /* looked up in PATH when it has no '/' */
    const char *const *arguments; /* without the command; ends with NULL */
    const char *const *variables; /* "NAME=value" added to our environment, "NAME" taken
                                     out of it; ends with NULL */
    int64_t deadline_ms;          /* then SIGKILL, also to what it has started; > 0 */
    size_t output_bytes_max;      /* > 0 */
    /* Else /dev/null. With our stdin the child stays in our process group, and only it is killed.
       stderr is always ours. */
    bool inherit_stdin;
    /* A program for a person, in place of ours: it has our three streams, the terminal's
       signals, which we ignore as long as it runs, and no deadline. The two limits are not used. */
    bool foreground;
};

/* done gets stdout (borrowed) and class ERROR_NONE when it ended with 0; otherwise NULL and *error
   (ERROR_SYSTEM, ERROR_LIMIT, ERROR_TIMEOUT). Called once, from the loop, unless process_free came
   first; the process stays the caller's until process_free, which done may call. */
struct process *
process_start(struct loop *loop, const struct process_request *request,
              void (*done)(void *self, const char *output, const struct error *error), void *self);
/* Of one that has ended, as a shell has it: 128 and the number of the signal that killed it. -1: it
   could not be started. */
int process_exit_code(const struct process *process);
void process_terminate(struct process *process); /* asks it to end: SIGTERM */
void process_free(struct process *process);      /* kills it if it still runs */

#endif
