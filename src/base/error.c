/* SPDX-License-Identifier: Apache-2.0 */
/* The message is a fixed array inside the error, not heap memory: an error is copied, kept and
   dropped like an integer, and nobody has to release one on the way out. What comes in is often a
   server's or a library's own text, so it is made one clean line here, once, rather than by each
   of those who log it or put it into a condition. */
#include "base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* A message cut inside a UTF-8 character would be refused by the API server as a condition. */
static void drop_split_character(char *message, size_t length)
{
    size_t start = length;
    while (start > 0 && is_continuation(message[start - 1])) {
        start--;
    }
    if (start == 0 || (unsigned char)message[start - 1] < 0xC0) {
        return;
    }
    unsigned char lead = (unsigned char)message[start - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (length - (start - 1) < wanted) {
        message[start - 1] = '\0';
    }
}

static void make_one_line(char *message)
{
    for (char *at = message; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte == 0x7F) {
            *at = ' ';
        }
    }
}

/* The arguments may point into the message that is replaced, hence the copy. */
static size_t print_message(char out[ERROR_MESSAGE_BYTES], const char *format, va_list arguments)
    PRINTF_LIKE(2, 0);

static size_t print_message(char out[ERROR_MESSAGE_BYTES], const char *format, va_list arguments)
{
    int wanted = vsnprintf(out, ERROR_MESSAGE_BYTES, format, arguments);
    if (wanted < 0) {
        out[0] = '\0';
    }
    size_t length = strlen(out);
    if (wanted >= ERROR_MESSAGE_BYTES) {
        drop_split_character(out, length);
    }
    make_one_line(out);
    return strlen(out);
}

bool error_set(struct error *error, enum error_class class, const char *format, ...)
{
    assert(error != NULL);
    assert(class != ERROR_NONE);

    char message[ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    size_t length = print_message(message, format, arguments);
    va_end(arguments);

    error->class = class;
    error->http_status = 0;
    error->retry_after_ms = 0;
    memcpy(error->message, message, length + 1);
    return false;
}

bool error_wrap(struct error *error, const char *format, ...)
{
    assert(error != NULL);
    assert(error->class != ERROR_NONE);

    char message[ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    size_t length = print_message(message, format, arguments);
    va_end(arguments);

    size_t space = sizeof(message) - length;
    int wanted = snprintf(message + length, space, ": %s", error->message);
    if (wanted >= 0 && (size_t)wanted >= space) {
        drop_split_character(message, strlen(message));
    }
    memcpy(error->message, message, strlen(message) + 1);
    return false;
}

const char *error_class_name(enum error_class class)
{
    switch (class) {
    case ERROR_NONE:
        return "None";
    case ERROR_INVALID:
        return "Invalid";
    case ERROR_LIMIT:
        return "LimitExceeded";
    case ERROR_SYSTEM:
        return "SystemError";
    case ERROR_UNAUTHORIZED:
        return "Unauthorized";
    case ERROR_FORBIDDEN:
        return "Forbidden";
    case ERROR_NOT_FOUND:
        return "NotFound";
    case ERROR_CONFLICT:
        return "Conflict";
    case ERROR_EXISTS:
        return "AlreadyExists";
    case ERROR_TEST_FAILED:
        return "TestFailed";
    case ERROR_GONE:
        return "Gone";
    case ERROR_THROTTLED:
        return "Throttled";
    case ERROR_UNAVAILABLE:
        return "Unavailable";
    case ERROR_UNKNOWN:
        return "OutcomeUnknown";
    case ERROR_TIMEOUT:
        return "Timeout";
    }
    assert(false);
    return "";
}
