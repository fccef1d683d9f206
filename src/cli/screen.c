/* SPDX-License-Identifier: Apache-2.0 */
/* xterm's sequences, which every terminal of today has: the alternate screen, so that what was
   there comes back, and no cursor. Each line is cleared behind its end rather than the whole screen
   before it, which would flicker. */
#include "cli/screen.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BEGIN "\033[?1049h\033[?25l"
#define END "\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_REST_OF_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

enum { ROWS_UNKNOWN = 24, COLUMNS_UNKNOWN = 80, KEYS_MAX = 64, FRAME_BYTES_MAX = 1024 * 1024 };

static void quiet_keys(struct screen *screen)
{
    if (screen->keys < 0 || tcgetattr(screen->keys, &screen->before) != 0) {
        screen->keys = -1;
        return;
    }
    struct termios quiet = screen->before;
    quiet.c_lflag &= (tcflag_t) ~(tcflag_t)(ECHO | ICANON);
    quiet.c_cc[VSUSP] = _POSIX_VDISABLE;
    quiet.c_cc[VMIN] = 0;
    quiet.c_cc[VTIME] = 0;
    (void)tcsetattr(screen->keys, TCSAFLUSH, &quiet);
}

void screen_begin(struct screen *screen, const struct cli *cli)
{
    *screen = (struct screen){.out = cli->out, .keys = cli->in_is_terminal ? fileno(cli->in) : -1};
    quiet_keys(screen);
    (void)screen_measure(screen);
    (void)fputs(BEGIN, screen->out);
    (void)fflush(screen->out);
}

void screen_end(struct screen *screen)
{
    (void)fputs(END, screen->out);
    (void)fflush(screen->out);
    if (screen->keys >= 0) {
        (void)tcsetattr(screen->keys, TCSAFLUSH, &screen->before);
    }
}

bool screen_measure(struct screen *screen)
{
    struct winsize size = {.ws_row = 0};
    bool known = ioctl(fileno(screen->out), TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
    size_t rows = known ? size.ws_row : ROWS_UNKNOWN;
    size_t columns = known && size.ws_col > 0 ? size.ws_col : COLUMNS_UNKNOWN;
    bool changed = rows != screen->rows || columns != screen->columns;
    screen->rows = rows;
    screen->columns = columns;
    return changed;
}

bool screen_pressed(const struct screen *screen, char key)
{
    char keys[KEYS_MAX];
    ssize_t byte_count = screen->keys < 0 ? 0 : read(screen->keys, keys, sizeof(keys));
    return byte_count > 0 && memchr(keys, key, (size_t)byte_count) != NULL;
}

void screen_draw(const struct screen *screen, const char *lines)
{
    cleanup_text struct text frame;
    text_init(&frame, FRAME_BYTES_MAX);
    text_append(&frame, HOME);
    for (const char *at = lines; *at != '\0'; at++) {
        bool is_last = *at == '\n' && at[1] == '\0'; /* a break there would scroll */
        text_append(&frame, *at == '\n' ? CLEAR_REST_OF_LINE : "");
        text_append_bytes(&frame, at, is_last ? 0 : 1);
    }
    text_append(&frame, CLEAR_BELOW);
    (void)fwrite(frame.bytes, 1, frame.length_bytes, screen->out);
    (void)fflush(screen->out);
}
