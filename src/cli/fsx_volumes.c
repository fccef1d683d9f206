/* SPDX-License-Identifier: Apache-2.0 */
/* A page may have fewer volumes than were asked for, or none, and still not be the last: only a
   reply without NextToken is. Times are seconds with a fraction. (FSx API reference) */
#include "cli/fsx_volumes.h"

#include "base/json.h"

#include <string.h>

#define TARGET "AWSSimbaAPIService_v20180301.DescribeVolumes"
#define TAG_DRIVER "fsx.openzfs.csi.aws.com/cluster"

enum {
    PAGE_VOLUMES = 100,
    PAGES_MAX = 200,
    PAGE_BYTES_MAX = 4 * 1024 * 1024,
    BODY_BYTES_MAX = 8 * 1024,
    MS_PER_SECOND = 1000,
};

struct reading {
    struct arena *arena;
    struct fsx_volumes volumes;
    size_t capacity;
    const char *next_token;
};

static const char *text_of(struct reading *reading, const struct json *object, const char *key)
{
    const char *text = json_text(json_member(object, key));
    return text == NULL ? "" : arena_copy(reading->arena, text);
}

/* The whole seconds. */
static int64_t read_time_ms(struct reading *reading, const struct json *volume)
{
    const struct json *time = json_member(volume, "CreationTime");
    cleanup_text struct text number;
    text_init(&number, BODY_BYTES_MAX);
    if (time == NULL) {
        return 0;
    }
    json_append(&number, time);
    const char *whole =
        arena_copy_bytes(reading->arena, number.bytes, strspn(number.bytes, "0123456789"));
    int64_t seconds = 0;
    struct error ignored;
    return text_parse_int64(whole, &seconds, &ignored) && seconds < INT64_MAX / MS_PER_SECOND
               ? seconds * MS_PER_SECOND
               : 0;
}

static bool has_driver_tag(const struct json *volume)
{
    const struct json *tags = json_member(volume, "Tags");
    for (const struct json *at = json_first(tags); at != NULL; at = json_next(at)) {
        if (text_equal(json_text(json_member(at, "Key")), TAG_DRIVER)) {
            return true;
        }
    }
    return false;
}

static void add(struct reading *reading, const struct json *volume)
{
    if (reading->volumes.count == reading->capacity) {
        size_t capacity = reading->capacity == 0 ? PAGE_VOLUMES : 2 * reading->capacity;
        struct fsx_volume *items = arena_new(reading->arena, capacity, sizeof(*items));
        for (size_t i = 0; i < reading->volumes.count; i++) {
            items[i] = reading->volumes.items[i];
        }
        reading->volumes.items = items;
        reading->capacity = capacity;
    }
    reading->volumes.items[reading->volumes.count++] =
        (struct fsx_volume){.id = text_of(reading, volume, "VolumeId"),
                            .name = text_of(reading, volume, "Name"),
                            .file_system = text_of(reading, volume, "FileSystemId"),
                            .lifecycle = text_of(reading, volume, "Lifecycle"),
                            .created_ms = read_time_ms(reading, volume),
                            .by_driver = has_driver_tag(volume)};
}

static bool read_page(const struct aws_account *account, struct reading *reading,
                      struct error *error)
{
    cleanup_text struct text body;
    cleanup_text struct text reply;
    cleanup_json struct json_document *document = NULL;
    text_init(&body, BODY_BYTES_MAX);
    text_init(&reply, PAGE_BYTES_MAX);
    struct json_writer json;
    json_writer_init(&json, &body);
    json_begin_object(&json);
    json_member_int64(&json, "MaxResults", PAGE_VOLUMES);
    json_member_optional(&json, "NextToken", reading->next_token);
    json_end_object(&json);
    if (!text_check(&body, "FSx' NextToken", error) ||
        !aws_call(account, TARGET, body.bytes, &reply, error) ||
        !json_parse(reply.bytes, reply.length_bytes, &document, error)) {
        return false;
    }
    const struct json *root = json_root(document);
    const struct json *list = json_member(root, "Volumes");
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        add(reading, at);
    }
    reading->next_token = arena_copy(reading->arena, json_text(json_member(root, "NextToken")));
    return true;
}

bool fsx_volumes_read(const struct aws_account *account, struct arena *arena,
                      struct fsx_volumes *out, struct error *error)
{
    struct reading reading = {.arena = arena};
    for (int page = 0; page < PAGES_MAX; page++) {
        if (!read_page(account, &reading, error)) {
            return false;
        }
        if (reading.next_token == NULL) {
            *out = reading.volumes;
            return true;
        }
    }
    return error_set(error, ERROR_LIMIT, "%s has more than %d pages of volumes", account->endpoint,
                     PAGES_MAX);
}

const struct fsx_volume *fsx_volumes_find(const struct fsx_volumes *volumes, const char *id)
{
    for (size_t i = 0; i < volumes->count; i++) {
        if (text_equal(volumes->items[i].id, id)) {
            return &volumes->items[i];
        }
    }
    return NULL;
}
