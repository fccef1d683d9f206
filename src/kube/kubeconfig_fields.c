/* SPDX-License-Identifier: Apache-2.0 */
/* base/json's typed getters would do, were it not for `password: 1234` and `name: 2024`: kubectl
   reads those as strings, and people have such files. */
#include "kube/kubeconfig_fields.h"

#include "base/base64.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum {
    EXACT_DIGITS = 15, /* as many decimal digits as a double keeps */
    NUMBER_BYTES_MAX = 32,
};

void kubeconfig_fields_init(struct kubeconfig_fields *fields, const struct json *object,
                            const struct kubeconfig_document *document, const char *where,
                            struct arena *arena)
{
    *fields = (struct kubeconfig_fields){
        .object = object, .document = document, .where = where, .arena = arena};
    if (object != NULL && !json_is_object(object)) {
        fields->object = NULL;
        kubeconfig_fields_refuse(fields, NULL, "must be a mapping");
    }
}

bool kubeconfig_fields_check(const struct kubeconfig_fields *fields, struct error *error)
{
    if (fields->error.class != ERROR_NONE) {
        *error = fields->error;
        return false;
    }
    return true;
}

void kubeconfig_fields_refuse(struct kubeconfig_fields *fields, const char *key, const char *phrase,
                              ...)
{
    if (fields->error.class != ERROR_NONE) {
        return;
    }
    va_list arguments;
    va_start(arguments, phrase);
    const char *message = arena_print_list(fields->arena, phrase, arguments);
    va_end(arguments);
    error_set(&fields->error, ERROR_INVALID, "%s: %s%s%s %s", fields->document->path, fields->where,
              key != NULL ? "." : "", key != NULL ? key : "", message);
}

static bool is_exact_integer(const char *number)
{
    const char *digits = number + (*number == '-');
    size_t count = strspn(digits, "0123456789");
    return count > 0 && count <= EXACT_DIGITS && digits[count] == '\0';
}

const char *kubeconfig_scalar(const struct json *value, struct arena *arena)
{
    if (json_text(value) != NULL) {
        return arena_copy(arena, json_text(value));
    }
    if (json_is_object(value) || json_is_array(value)) {
        return NULL;
    }
    cleanup_text struct text text;
    text_init(&text, NUMBER_BYTES_MAX);
    json_append(&text, value);
    bool is_word = text_equal(text.bytes, "true") || text_equal(text.bytes, "false");
    return is_word || is_exact_integer(text.bytes) ? arena_copy(arena, text.bytes) : NULL;
}

const char *kubeconfig_fields_element(struct kubeconfig_fields *fields, const char *key,
                                      const struct json *element)
{
    const char *text = kubeconfig_scalar(element, fields->arena);
    if (text != NULL) {
        return text;
    }
    bool is_scalar = !json_is_object(element) && !json_is_array(element);
    kubeconfig_fields_refuse(fields, key, "must be a string%s",
                             is_scalar ? "; put it in quotes" : "");
    return "";
}

const char *kubeconfig_fields_text(struct kubeconfig_fields *fields, const char *key)
{
    const struct json *value = json_member(fields->object, key);
    const char *text = value == NULL ? "" : kubeconfig_fields_element(fields, key, value);
    return *text == '\0' ? NULL : text;
}

const char *kubeconfig_absolute(const struct kubeconfig_fields *fields, const char *path)
{
    if (path == NULL || *path == '/') {
        return path;
    }
    const char *from = path;
    while (text_starts_with(from, "./")) {
        from += 2;
    }
    return arena_print(fields->arena, "%s/%s", fields->document->folder, from);
}

const char *kubeconfig_fields_path(struct kubeconfig_fields *fields, const char *key)
{
    return kubeconfig_absolute(fields, kubeconfig_fields_text(fields, key));
}

const char *kubeconfig_fields_data(struct kubeconfig_fields *fields, const char *key)
{
    const char *text = kubeconfig_fields_text(fields, key);
    if (text == NULL) {
        return NULL;
    }
    char *bytes = NULL;
    size_t byte_count = 0;
    struct error error;
    if (!base64_decode(text, fields->arena, &bytes, &byte_count, &error)) {
        kubeconfig_fields_refuse(fields, key, "is %s", error.message);
        return NULL;
    }
    if (strlen(bytes) != byte_count) {
        kubeconfig_fields_refuse(fields, key, "must be the base64 of PEM, not of DER");
        return NULL;
    }
    return byte_count == 0 ? NULL : bytes;
}

bool kubeconfig_fields_bool(struct kubeconfig_fields *fields, const char *key)
{
    const struct json *value = json_member(fields->object, key);
    const char *text =
        value == NULL || json_text(value) != NULL ? NULL : kubeconfig_scalar(value, fields->arena);
    if (value != NULL && !text_equal(text, "true") && !text_equal(text, "false")) {
        kubeconfig_fields_refuse(fields, key, "must be true or false");
    }
    return text_equal(text, "true");
}

const struct json *kubeconfig_fields_list(struct kubeconfig_fields *fields, const char *key)
{
    const struct json *list = json_member(fields->object, key);
    if (list != NULL && !json_is_array(list)) {
        kubeconfig_fields_refuse(fields, key, "must be a list");
        return NULL;
    }
    return list;
}
