/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/field_options.h"

#include "io/file.h"

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

enum exit_code field_print(struct cli *cli, const struct text *out, const struct text *picture)
{
    struct error error;
    cli_print(cli, out->bytes);
    if (!text_check(out, "the table", &error) || !text_check(picture, "the picture", &error)) {
        return cli_fail(cli, CLI_ERROR, "%s", error.message);
    }
    return write_picture(cli, picture->bytes, picture->length_bytes);
}
