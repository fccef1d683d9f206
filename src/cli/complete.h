/* SPDX-License-Identifier: Apache-2.0 */
/* What a shell offers when somebody presses the tab key. The tables of --help say it; names are
   asked of the API server, and when that takes too long or is refused there are none. */
#ifndef ADJOINT_CLI_COMPLETE_H
#define ADJOINT_CLI_COMPLETE_H

#include "cli/cli.h"

/* The first word of a command line that is to be completed, and the program's name when kubectl
   asks (kubernetes.io, "Kubectl plugins": kubectl_complete-NAME). */
#define COMPLETE_WORD "__complete"
#define COMPLETE_PROGRAM "kubectl_complete-adj"

/* words: behind the program's name, the last one as far as it is typed. On out, as cobra's
   programs print it: a line for each word that may be meant, its description behind a tab; last
   ":0" if a file may be meant, else ":4". */
enum exit_code complete_words(struct cli *cli, int count, char *const *words);

#endif
