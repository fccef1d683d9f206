/* SPDX-License-Identifier: Apache-2.0 */
/* A path is read as it is walked: it has a handful of steps, and columns are printed for people. */
#include "sim/schema_json_path.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"

#include <string.h>

enum { NAME_BYTES = 256 };

enum step_kind { STEP_MEMBER, STEP_INDEX, STEP_ALL, STEP_FILTER };

struct step {
    enum step_kind kind;
    char name[NAME_BYTES];    /* the member; of a filter the path behind its @ */
    char operand[NAME_BYTES]; /* of a filter: what it compares with, without quotes */
    bool is_equal;            /* of a filter: ==, else != */
    int64_t index;            /* from the end when negative */
};

static bool copy(char out[NAME_BYTES], const char *from, size_t byte_count)
{
    if (byte_count >= NAME_BYTES) {
        return false;
    }
    (void)memcpy(out, from, byte_count);
    out[byte_count] = '\0';
    return true;
}

/* at: behind "[?("; returns what is behind ")]", NULL: not one of ours. */
static const char *read_filter(const char *at, struct step *step)
{
    at += strspn(at, " ");
    size_t path_bytes = *at == '@' ? strcspn(at + 1, " =!<>)") : 0;
    if (path_bytes == 0 || !copy(step->name, at + 1, path_bytes)) {
        return NULL;
    }
    at += 1 + path_bytes;
    at += strspn(at, " ");
    step->is_equal = strncmp(at, "==", 2) == 0;
    if (!step->is_equal && strncmp(at, "!=", 2) != 0) {
        return NULL;
    }
    at += 2;
    at += strspn(at, " ");
    bool is_quoted = *at == '"' || *at == '\'';
    const char stop[] = {(char)(is_quoted ? *at : ')'), (char)(is_quoted ? '\0' : ' '), '\0'};
    at += is_quoted ? 1 : 0;
    size_t operand_bytes = strcspn(at, stop);
    if (at[operand_bytes] == '\0' || !copy(step->operand, at, operand_bytes)) {
        return NULL;
    }
    at += operand_bytes + (is_quoted ? 1 : 0);
    at += strspn(at, " ");
    return strncmp(at, ")]", 2) == 0 ? at + 2 : NULL;
}

/* at: behind '['. */
static const char *read_brackets(const char *at, struct step *step)
{
    if (strncmp(at, "?(", 2) == 0) {
        step->kind = STEP_FILTER;
        return read_filter(at + 2, step);
    }
    if (strncmp(at, "*]", 2) == 0) {
        step->kind = STEP_ALL;
        return at + 2;
    }
    bool is_quoted = *at == '"' || *at == '\'';
    const char stop[] = {(char)(is_quoted ? *at : ']'), '\0'};
    at += is_quoted ? 1 : 0;
    size_t byte_count = strcspn(at, stop);
    if (at[byte_count] == '\0' || !copy(step->name, at, byte_count)) {
        return NULL;
    }
    at += byte_count + (is_quoted ? 1 : 0);
    struct error error;
    step->kind = is_quoted ? STEP_MEMBER : STEP_INDEX;
    if (*at != ']' || (!is_quoted && !text_parse_int64(step->name, &step->index, &error))) {
        return NULL;
    }
    return at + 1;
}

/* A dot in a name is written \. */
static const char *read_member(const char *at, struct step *step)
{
    size_t byte_count = 0;
    step->kind = STEP_MEMBER;
    for (; *at != '\0' && *at != '.' && *at != '['; at++) {
        at += *at == '\\' && at[1] != '\0' ? 1 : 0;
        if (byte_count + 1 == NAME_BYTES || strchr("{}*()", *at) != NULL) {
            return NULL;
        }
        step->name[byte_count++] = *at;
    }
    step->name[byte_count] = '\0';
    return byte_count > 0 ? at : NULL;
}

static const char *read_step(const char *path, struct step *step)
{
    *step = (struct step){.kind = STEP_MEMBER};
    if (*path == '[') {
        return read_brackets(path + 1, step);
    }
    return *path == '.' ? read_member(path + 1, step) : NULL;
}

/* NOLINTNEXTLINE(misc-no-recursion): a filter's path is part of the path */
bool json_path_check(const char *path, struct error *error)
{
    struct step step;
    const char *at = path;
    while (at != NULL && *at != '\0') {
        at = read_step(at, &step);
        struct error inner;
        if (at != NULL && step.kind == STEP_FILTER && !json_path_check(step.name, &inner)) {
            at = NULL;
        }
    }
    return (at != NULL && *path != '\0') ||
           error_set(error, ERROR_INVALID, "\"%s\" is no path that is supported here", path);
}

/* ---- walking ---- */

/* NOLINTBEGIN(misc-no-recursion): a path has a handful of steps */

static bool passes(const struct step *step, const cJSON *element)
{
    const cJSON *found = json_path_first(element, step->name);
    if (found == NULL) {
        return false;
    }
    char *printed = cJSON_IsString(found) ? NULL : cJSON_PrintUnformatted(found);
    bool equal = text_equal(printed != NULL ? printed : found->valuestring, step->operand);
    cJSON_free(printed);
    return equal == step->is_equal;
}

static const cJSON *first_of_elements(const cJSON *value, const struct step *step, const char *rest)
{
    const cJSON *element = NULL;
    cJSON_ArrayForEach(element, value)
    {
        bool is_meant = step->kind == STEP_ALL || passes(step, element);
        const cJSON *found = is_meant ? json_path_first(element, rest) : NULL;
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static const cJSON *element_at(const cJSON *array, int64_t index)
{
    int count = cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
    index += index < 0 ? count : 0;
    return index >= 0 && index < count ? cJSON_GetArrayItem(array, (int)index) : NULL;
}

const cJSON *json_path_first(const cJSON *value, const char *path)
{
    struct step step;
    if (*path == '\0' || value == NULL) {
        return value;
    }
    const char *rest = read_step(path, &step);
    if (rest == NULL) {
        return NULL;
    }
    switch (step.kind) {
    case STEP_MEMBER:
        return json_path_first(value_member(value, step.name), rest);
    case STEP_INDEX:
        return json_path_first(element_at(value, step.index), rest);
    case STEP_ALL:
    case STEP_FILTER:
        break;
    }
    return first_of_elements(value, &step, rest);
}

/* NOLINTEND(misc-no-recursion) */
