/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first process of a pod's sandbox: it only has to stay, reap what is left to it, and leave
 * when asked. Linked statically, because the image holds nothing else. Signals are waited for
 * rather than handled, so no code runs in a handler.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>

int main(void)
{
    sigset_t awaited;
    int received = 0;

    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGINT);
    sigaddset(&awaited, SIGTERM);
    sigprocmask(SIG_BLOCK, &awaited, NULL);

    while (sigwait(&awaited, &received) == 0 && received == SIGCHLD) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
    }
    return 0;
}
