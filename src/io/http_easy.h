/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_IO_HTTP_EASY_H
#define ADJOINT_IO_HTTP_EASY_H

#include <curl/curl.h>

#include <assert.h>

static inline void http_easy_must(CURLcode code)
{
    assert(code == CURLE_OK);
}

/* curl_easy_setopt of an option that must be built in: going on without one of those that check
   the server's certificate must not happen, and memory is never short (base/memory.h). */
#define HTTP_EASY_SET(easy, option, value)                                                         \
    http_easy_must(curl_easy_setopt((easy), (option), (value)))

#endif
