/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON object a line: time, level, message, then the fields. Only operator/, cli/ and io/ log;
   everyone below returns. Level and sink are the only globals of the program. */
#ifndef ADJOINT_BASE_LOG_H
#define ADJOINT_BASE_LOG_H

#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

/* write gets one line with its newline; it must not log. NULL: stderr. Before the first call:
   LOG_INFO and stderr. */
void log_configure(enum log_level level, void (*write)(void *self, const char *line), void *self);

/* Fields are pairs of const char * key and value, ended by NULL; a NULL value is left out.
   wall_ms as in base/now.h. Every line is valid JSON: control characters are escaped, what is not
   UTF-8 becomes U+FFFD, and a line longer than 16 KiB is cut and says so with "cut":true. */
void log_write(enum log_level level, int64_t wall_ms, const char *message, ...)
    __attribute__((sentinel));

#endif
