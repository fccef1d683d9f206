/* SPDX-License-Identifier: Apache-2.0 */
/* Members are looked for one after the other: objects of Kubernetes have a dozen, and a table
   beside each of them would have to be kept through every patch. */
#include "sim/value.h"

#include "base/text.h"
#include "sim/member_name.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum { TYPE_BITS = 0xFF }; /* the rest are cJSON's notes on who owns what */

/* Most names differ in their first letter. */
static bool is_called(const cJSON *member, const char *name)
{
    return member->string[0] == name[0] && strcmp(member->string, name) == 0;
}

cJSON *value_member(const cJSON *object, const char *name)
{
    if (object == NULL || (object->type & TYPE_BITS) != cJSON_Object) {
        return NULL;
    }
    cJSON *at = object->child;
    while (at != NULL && !is_called(at, name)) {
        at = at->next;
    }
    return at;
}

/* Along the names, up to NULL. What is found is given as it may be needed; the callers that only
   read make it const. */
static cJSON *walk(const cJSON *object, va_list names)
{
    cJSON *at = NULL;
    memcpy(&at, &object, sizeof(void *));
    const char *name = va_arg(names, const char *);
    while (at != NULL && name != NULL) {
        at = value_member(at, name);
        name = va_arg(names, const char *);
    }
    return cJSON_IsNull(at) ? NULL : at;
}

/* ---- reading ---- */

cJSON *value_at(const cJSON *object, ...)
{
    va_list names;
    va_start(names, object);
    cJSON *found = walk(object, names);
    va_end(names);
    return found;
}

const char *value_text(const cJSON *object, ...)
{
    va_list names;
    va_start(names, object);
    const cJSON *found = walk(object, names);
    va_end(names);
    return cJSON_IsString(found) ? found->valuestring : NULL;
}

int64_t value_int64(const cJSON *object, int64_t fallback, ...)
{
    va_list names;
    va_start(names, fallback);
    const cJSON *found = walk(object, names);
    va_end(names);
    if (!cJSON_IsNumber(found)) {
        return fallback;
    }
    double number = found->valuedouble;
    bool fits = number >= -VALUE_INTEGER_MAX && number <= VALUE_INTEGER_MAX;
    return fits && (double)(int64_t)number == number ? (int64_t)number : fallback;
}

bool value_true(const cJSON *object, ...)
{
    va_list names;
    va_start(names, object);
    const cJSON *found = walk(object, names);
    va_end(names);
    return cJSON_IsTrue(found);
}

bool value_equal_text(const cJSON *object, const char *expected, ...)
{
    va_list names;
    va_start(names, expected);
    const cJSON *found = walk(object, names);
    va_end(names);
    return text_equal(cJSON_IsString(found) ? found->valuestring : NULL, expected);
}

/* ---- writing ---- */

cJSON *value_make(cJSON *object, ...)
{
    assert(cJSON_IsObject(object));
    cJSON *at = object;
    va_list names;
    va_start(names, object);
    for (const char *name = va_arg(names, const char *); name != NULL;
         name = va_arg(names, const char *)) {
        cJSON *next = value_member(at, name);
        if (!cJSON_IsObject(next)) {
            next = cJSON_CreateObject();
            value_set(at, name, next);
        }
        at = next;
    }
    va_end(names);
    return at;
}

static void *must(void *memory)
{
    assert(memory != NULL);
    return memory;
}

/* The name may be the value's own. */
void value_rename(cJSON *value, const char *name)
{
    char *shared = member_name_keep(name);
    size_t own_bytes = shared == NULL ? strlen(name) + 1 : 0;
    char *own = shared == NULL ? memcpy(must(cJSON_malloc(own_bytes)), name, own_bytes) : NULL;
    if ((value->type & cJSON_StringIsConst) == 0) {
        cJSON_free(value->string);
    }
    value->string = shared == NULL ? own : shared;
    value->type = (value->type & ~cJSON_StringIsConst) | (shared == NULL ? 0 : cJSON_StringIsConst);
}

void value_set(cJSON *object, const char *name, cJSON *value)
{
    assert(cJSON_IsObject(object));
    cJSON *old = value_member(object, name);
    assert(value == NULL || value != old);
    if (value == NULL) {
        cJSON_Delete(old == NULL ? NULL : cJSON_DetachItemViaPointer(object, old));
        return;
    }
    value_rename(value, name);
    if (old == NULL) {
        (void)cJSON_AddItemToArray(object, value);
    } else {
        (void)cJSON_ReplaceItemViaPointer(object, old, value);
    }
}

void value_set_text(cJSON *object, const char *name, const char *text)
{
    value_set(object, name, text == NULL ? NULL : cJSON_CreateString(text));
}

void value_set_int64(cJSON *object, const char *name, int64_t number)
{
    assert(number >= -VALUE_INTEGER_MAX && number <= VALUE_INTEGER_MAX);
    value_set(object, name, cJSON_CreateNumber((double)number));
}

void value_set_true(cJSON *object, const char *name, bool yes)
{
    value_set(object, name, cJSON_CreateBool(yes));
}

/* ---- comparing ---- */

static size_t child_count(const cJSON *container)
{
    size_t count = 0;
    for (const cJSON *at = container->child; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

/* NOLINTBEGIN(misc-no-recursion): as deep as the trees, which value_parse bounds */
static bool elements_equal(const cJSON *left, const cJSON *right)
{
    const cJSON *one = left->child;
    const cJSON *other = right->child;
    while (one != NULL && other != NULL && value_equal(one, other)) {
        one = one->next;
        other = other->next;
    }
    return one == NULL && other == NULL;
}

/* Names are there once, so equal counts and each of one side in the other is enough. Versions of
   one object mostly have the same order: the place in it is tried first. */
static bool members_equal(const cJSON *left, const cJSON *right)
{
    if (child_count(left) != child_count(right)) {
        return false;
    }
    const cJSON *guess = right->child;
    for (const cJSON *one = left->child; one != NULL; one = one->next) {
        bool is_there = guess != NULL && is_called(guess, one->string);
        const cJSON *other = is_there ? guess : value_member(right, one->string);
        if (other == NULL || !value_equal(one, other)) {
            return false;
        }
        guess = other->next;
    }
    return true;
}

bool value_equal(const cJSON *left, const cJSON *right)
{
    if (left == NULL || right == NULL || left == right) {
        return left == right;
    }
    int type = left->type & TYPE_BITS;
    if (type != (right->type & TYPE_BITS)) {
        return false;
    }
    switch (type) {
    case cJSON_Number:
        return left->valuedouble == right->valuedouble;
    case cJSON_String:
        return strcmp(left->valuestring, right->valuestring) == 0;
    case cJSON_Array:
        return elements_equal(left, right);
    case cJSON_Object:
        return members_equal(left, right);
    default:
        return true; /* null, true, false */
    }
}
/* NOLINTEND(misc-no-recursion) */

/* ---- lists of texts ---- */

static cJSON *element(const cJSON *array, const char *text)
{
    cJSON *at = cJSON_IsArray(array) ? array->child : NULL;
    while (at != NULL && !(cJSON_IsString(at) && strcmp(at->valuestring, text) == 0)) {
        at = at->next;
    }
    return at;
}

bool value_list_has(const cJSON *array, const char *text)
{
    return element(array, text) != NULL;
}

void value_list_add(cJSON *array, const char *text)
{
    assert(cJSON_IsArray(array));
    if (element(array, text) == NULL) {
        (void)cJSON_AddItemToArray(array, cJSON_CreateString(text));
    }
}

bool value_list_remove(cJSON *array, const char *text)
{
    cJSON *found = element(array, text);
    if (found == NULL) {
        return false;
    }
    cJSON_Delete(cJSON_DetachItemViaPointer(array, found));
    return true;
}
