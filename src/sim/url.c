/* SPDX-License-Identifier: Apache-2.0 */
/* One copy of the path, cut and decoded in place: this runs for every request, and a decoded text
   is never longer than its spelling. */
#include "sim/url.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value_string.h"

#include <string.h>
#include <strings.h>

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return digit - 'A' + 10;
    }
    return -1;
}

/* The byte behind `%XX`; 0: none, or the end of texts. */
static char escaped_byte(const char *escape)
{
    int high = hex_value(escape[1]);
    int low = high < 0 ? -1 : hex_value(escape[2]);
    unsigned char byte = low < 0 ? 0 : (unsigned char)(high * 16 + low);
    return (char)byte;
}

static bool decode(char *text, bool plus_is_space, struct error *error)
{
    char *to = text;
    const char *from = text;
    while (*from != '\0') {
        bool is_escape = *from == '%';
        char byte = *from;
        if (is_escape) {
            byte = escaped_byte(from);
        } else if (byte == '+' && plus_is_space) {
            byte = ' ';
        }
        if (byte == '\0') {
            return error_set(error, ERROR_INVALID, "invalid URL escape in \"%s\"",
                             value_string_is_utf8(from) ? from : "%");
        }
        *to++ = byte;
        from += is_escape ? 3 : 1;
    }
    *to = '\0';
    return value_string_is_utf8(text) ||
           error_set(error, ERROR_INVALID, "a part of the URL is no UTF-8");
}

/* What is before the next sign, which becomes a NUL; *rest is NULL behind the last. */
static char *cut(char **rest, char sign)
{
    char *begin = *rest;
    char *end = strchr(begin, sign);
    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL) {
        *end = '\0';
    }
    return begin;
}

static bool add_segments(struct url *url, char *path, struct error *error)
{
    char *rest = path;
    while (rest != NULL) {
        char *segment = cut(&rest, '/');
        if (*segment == '\0') {
            continue;
        }
        if (url->segment_count == URL_SEGMENTS_MAX) {
            return error_set(error, ERROR_LIMIT, "the path has too many segments");
        }
        if (!decode(segment, false, error)) {
            return false;
        }
        url->segments[url->segment_count++] = segment;
    }
    return true;
}

static bool add_parameters(struct url *url, char *query, struct error *error)
{
    char *rest = query;
    while (rest != NULL) {
        char *name = cut(&rest, '&');
        if (*name == '\0') {
            continue;
        }
        if (url->parameter_count == URL_PARAMETERS_MAX) {
            return error_set(error, ERROR_LIMIT, "the query has too many parameters");
        }
        char *value = name + strcspn(name, "=");
        if (*value == '=') {
            *value++ = '\0';
        }
        if (!decode(name, true, error) || !decode(value, true, error)) {
            return false;
        }
        url->parameters[url->parameter_count++] = (struct url_parameter){name, value};
    }
    return true;
}

bool url_parse(struct url *url, const char *path, struct error *error)
{
    url->segment_count = 0;
    url->parameter_count = 0;
    url->buffer = memory_copy_text(path);
    char *query = strchr(url->buffer, '?');
    if (query != NULL) {
        *query++ = '\0';
    }
    return add_segments(url, url->buffer, error) &&
           (query == NULL || add_parameters(url, query, error));
}

void url_release(struct url *url)
{
    memory_free(url->buffer);
    url->buffer = NULL;
}

const char *url_get(const struct url *url, const char *name)
{
    for (size_t i = 0; i < url->parameter_count; i++) {
        if (strcmp(url->parameters[i].name, name) == 0) {
            return url->parameters[i].value;
        }
    }
    return NULL;
}

bool url_true(const struct url *url, const char *name)
{
    const char *value = url_get(url, name);
    return value != NULL && strcasecmp(value, "false") != 0 && strcmp(value, "0") != 0;
}

bool url_segment_is(const struct url *url, size_t at, const char *text)
{
    return at < url->segment_count && strcmp(url->segments[at], text) == 0;
}
