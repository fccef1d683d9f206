/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/field_options.h"

#include "cli/json_layout.h"
#include "io/file.h"

enum { TEXT_BYTES_MAX = 8 * 1024 * 1024 };

const char *const FIELD_FORMATS[] = {"json", "csv", NULL};

static enum exit_code write_picture(struct cli *cli, const char *bytes, size_t byte_count)
{
    struct error error;
    if (cli->options.svg == NULL || file_write(cli->options.svg, 0666, bytes, byte_count, &error)) {
        return CLI_OK;
    }
    return cli_fail(cli, CLI_ERROR, "--svg: %s", error.message);
}

enum exit_code field_prepare(struct cli *cli)
{
    return write_picture(cli, "", 0);
}

static void write_json(const struct field_forms *forms, const void *report, struct text *out)
{
    cleanup_text struct text flat;
    text_init(&flat, TEXT_BYTES_MAX);
    struct json_writer json;
    json_writer_init(&json, &flat);
    json_begin_object(&json);
    forms->json(report, &json);
    json_end_object(&json);
    json_layout(flat.bytes, out);
}

enum exit_code field_print(struct cli *cli, const struct field_forms *forms, const void *report)
{
    cleanup_text struct text out;
    cleanup_text struct text picture;
    text_init(&out, TEXT_BYTES_MAX);
    text_init(&picture, TEXT_BYTES_MAX);
    if (text_equal(cli->options.output, "json")) {
        write_json(forms, report, &out);
    } else if (text_equal(cli->options.output, "csv")) {
        forms->csv(report, &out);
    } else {
        forms->table(report, &out);
    }
    if (forms->draw != NULL && cli->options.svg != NULL) {
        forms->draw(report, &picture);
    }
    struct error error;
    cli_print(cli, out.bytes);
    if (!text_check(&out, "the table", &error) || !text_check(&picture, "the picture", &error)) {
        return cli_fail(cli, CLI_ERROR, "%s", error.message);
    }
    return write_picture(cli, picture.bytes, picture.length_bytes);
}
