/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong, as a value. A function that can fail returns bool, is must-check and takes
   `struct error *error` last; false means *error is set. The class decides what happens next
   (retry at once, back off, wait for a change, tell a person); the message is one line for a
   person and gets context in front of it on the way up. */
#ifndef ADJOINT_BASE_ERROR_H
#define ADJOINT_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#define ERROR_MESSAGE_BYTES 512

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_index, first_index)                                                     \
    __attribute__((format(printf, format_index, first_index)))

enum error_class {
    ERROR_NONE,
    ERROR_INVALID,      /* our input or the server's 400/422 says it can never work as it is */
    ERROR_LIMIT,        /* larger than a limit of base/limits.h */
    ERROR_SYSTEM,       /* a file, process or socket call failed on this machine */
    ERROR_UNAUTHORIZED, /* 401: credentials, to be read again once */
    ERROR_FORBIDDEN,    /* 403: RBAC, quota, admission, terminating namespace */
    ERROR_NOT_FOUND,    /* 404 */
    ERROR_CONFLICT,     /* 409 Conflict: a precondition (uid, resourceVersion) did not hold */
    ERROR_EXISTS,       /* 409 AlreadyExists */
    ERROR_TEST_FAILED,  /* 422 to a JSON patch that carries `test` operations */
    ERROR_GONE,         /* 410: resourceVersion or continue token too old */
    ERROR_THROTTLED,    /* 429 */
    ERROR_UNAVAILABLE,  /* 5xx, or no connection: surely not applied */
    ERROR_UNKNOWN,      /* a write was sent and its reply never came: applied or not, GET first */
    ERROR_TIMEOUT,      /* a read that did not come back in time */
};

struct error {
    enum error_class class;
    int http_status;        /* 0 when no HTTP reply was read */
    int64_t retry_after_ms; /* from Retry-After or the Status' retryAfterSeconds; 0: none */
    char message[ERROR_MESSAGE_BYTES];
};

/* Sets class and message; http_status and retry_after_ms become 0. The message is cut at its
   maximum, never inside a UTF-8 character, and control characters in it become spaces.
   Always returns false, so that `return error_set(...)` reads as what it is. */
bool error_set(struct error *error, enum error_class class, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Puts `context: ` before the message; keeps the class. Always returns false. */
bool error_wrap(struct error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* The class as a word of CamelCase for logs and condition reasons. Static. */
const char *error_class_name(enum error_class class);

#endif
