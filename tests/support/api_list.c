/* SPDX-License-Identifier: Apache-2.0 */
#include "support/api_list.h"

#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

bool api_list_selects(const struct request *request, const char *json)
{
    const char *selector = strstr(request->path, "labelSelector=");
    if (selector == NULL) {
        return true;
    }
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(json, strlen(json), &document, &error));
    const struct json *labels = json_path(json_root(document), "metadata", "labels", NULL);
    const char *label =
        strstr(selector, "adjoint.dev%2Frole") != NULL ? "adjoint.dev/role" : "cnpg.io/cluster";
    return json_member(labels, label) != NULL;
}

void api_list(const struct api_table *table, const struct request *request, enum object_kind kind,
              struct text *out)
{
    text_print(out, "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"%lld\"},\"items\":[",
               (long long)api_table_version(table));
    const char *comma = "";
    for (size_t i = 0; i < api_table_count(table); i++) {
        const struct api_entry *entry = api_table_at(table, i);
        if (entry->kind == kind && api_list_selects(request, entry->json)) {
            text_print(out, "%s%s", comma, entry->json);
            comma = ",";
        }
    }
    text_append(out, "]}");
}
