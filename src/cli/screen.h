/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal that is drawn over again and again, and is as it was when that ends. */
#ifndef ADJOINT_CLI_SCREEN_H
#define ADJOINT_CLI_SCREEN_H

#include "cli/cli.h"

#include <termios.h>

struct screen {
    FILE *out;
    int keys; /* the terminal that is read; -1: none */
    struct termios before;
    size_t rows, columns; /* as last measured */
};

/* On cli's streams. Out is a terminal. Keys that are typed are not shown, and Ctrl-Z does nothing:
   it would leave the terminal like this. */
void screen_begin(struct screen *screen, const struct cli *cli);
void screen_end(struct screen *screen);

/* Looks how large the terminal is now; true: it has changed. */
bool screen_measure(struct screen *screen);
/* Was this key pressed since it was asked last? */
bool screen_pressed(const struct screen *screen, char key);
/* lines: at most rows, each with its break and no wider than columns. */
void screen_draw(const struct screen *screen, const char *lines);

#endif
