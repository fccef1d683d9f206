/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include "cli/json_layout.h"
#include "io/yaml_print.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* Laid out, JSON takes some times its bytes. */
enum { PRINTED_BYTES_MAX = 4 * CLI_BODY_BYTES_MAX };

const char *const OUTPUT_OBJECT[] = {"json", "yaml", "name", NULL};
const char *const OUTPUT_TABLE[] = {"json", "yaml", "name", "wide", NULL};

bool output_is_wide(const struct cli *cli)
{
    return text_equal(cli->options.output, "wide");
}

bool output_is_text(const struct cli *cli)
{
    return cli->options.output == NULL || output_is_wide(cli);
}

void output_name(enum object_kind kind, const char *name, struct text *out)
{
    const struct kind *row = kind_of(kind);
    for (const char *at = row->kind; *at != '\0'; at++) {
        text_append_char(out, (char)tolower((unsigned char)*at));
    }
    const char *slash = strchr(row->api_version, '/');
    if (slash != NULL) {
        text_append_char(out, '.');
        text_append_bytes(out, row->api_version, (size_t)(slash - row->api_version));
    }
    text_print(out, "/%s", name);
}

static void print_names(const struct fetched *fetched, struct text *out)
{
    for (size_t i = 0; i < fetched->count; i++) {
        output_name(fetched->kind, fetched->objects[i]->meta.name, out);
        text_append_char(out, '\n');
    }
}

static bool print_objects(const char *format, const char *json, struct text *out,
                          struct error *error)
{
    if (text_equal(format, "yaml")) {
        return yaml_print(json, out, error);
    }
    json_layout(json, out);
    return text_check(out, "the output", error);
}

enum exit_code output_fetched(struct cli *cli, const struct fetched *fetched, bool is_list)
{
    assert(!output_is_text(cli));

    cleanup_text struct text json;
    cleanup_text struct text out;
    text_init(&json, CLI_BODY_BYTES_MAX);
    text_init(&out, PRINTED_BYTES_MAX);
    struct error error;
    if (text_equal(cli->options.output, "name")) {
        print_names(fetched, &out);
    } else {
        text_append(&json, is_list ? "{\"apiVersion\":\"v1\",\"items\":[" : "");
        text_append(&json, fetched->json.bytes);
        text_append(&json, is_list ? "],\"kind\":\"List\"}" : "");
        if (!print_objects(cli->options.output, json.bytes, &out, &error)) {
            return cli_fail(cli, CLI_ERROR, "%s", error.message);
        }
    }
    cli_print(cli, out.bytes);
    return CLI_OK;
}
