/* SPDX-License-Identifier: Apache-2.0 */
/* Between two lines the connection is suspended, or libmicrohttpd would ask for bytes in a busy
   loop. Lines come from events of the world, which wake it. A client that does not read gets its
   watch ended, as a real server's cacher does, and begins it again when it is there again. */
#include "sim/front_state.h"

#include "sim/watch.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>

enum {
    UNREAD_BYTES_MAX = 64 * 1024 * 1024,
    BLOCK_BYTES = 32 * 1024,
    PATH_BYTES_MAX = 64 * 1024,
    /* kube-apiserver's --min-request-timeout; without a wish it is between this and twice as
       much. */
    WATCH_S = 1800,
};

struct front_watch {
    struct front *front;
    struct front_watch *next, *previous;
    struct MHD_Connection *connection;
    struct watch *watch; /* NULL: ended */
    struct text unread;
    size_t sent_bytes; /* of unread */
    bool is_suspended;
    bool is_abandoned; /* nobody will read more of it */
};

/* ---- lines from the world ---- */

static void wake(struct front_watch *watch)
{
    if (watch->is_suspended) {
        watch->is_suspended = false;
        MHD_resume_connection(watch->connection);
    }
}

static void bytes_came(void *self, const char *bytes, size_t byte_count)
{
    struct front_watch *watch = self;
    text_append_bytes(&watch->unread, bytes, byte_count);
}

static void ended(void *self)
{
    struct front_watch *watch = self;
    watch->watch = NULL;
}

static void settled(void *self)
{
    struct front_watch *watch = self;
    if (watch->unread.overflowed) {
        watch_close(watch->watch);
        watch->watch = NULL;
        watch->is_abandoned = true;
    }
    wake(watch);
}

/* ---- bytes to the client ---- */

static ssize_t read_lines(void *self, uint64_t position, char *out, size_t byte_count_max)
{
    struct front_watch *watch = self;
    (void)position;
    size_t waiting = watch->unread.length_bytes - watch->sent_bytes;
    if (watch->is_abandoned) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (waiting == 0 && watch->watch == NULL) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (waiting == 0) {
        watch->is_suspended = true;
        MHD_suspend_connection(watch->connection);
        return 0;
    }
    size_t byte_count = waiting < byte_count_max ? waiting : byte_count_max;
    (void)memcpy(out, watch->unread.bytes + watch->sent_bytes, byte_count);
    watch->sent_bytes += byte_count;
    if (watch->sent_bytes == watch->unread.length_bytes) {
        text_clear(&watch->unread);
        watch->sent_bytes = 0;
    }
    return (ssize_t)byte_count;
}

static void forget(void *self)
{
    struct front_watch *watch = self;
    watch_close(watch->watch);
    if (watch->previous != NULL) {
        watch->previous->next = watch->next;
    } else {
        watch->front->watches = watch->next;
    }
    if (watch->next != NULL) {
        watch->next->previous = watch->previous;
    }
    text_release(&watch->unread);
    memory_free(watch);
}

/* ---- opening ---- */

/* How long the watch may last is said in real seconds, but counted by the world. The parameter
   that is there is taken out, and what it comes to is added at the end. */
static void append_scaled(struct text *out, const char *path, int64_t speed)
{
    static const char name[] = "timeoutSeconds=";
    int64_t seconds = WATCH_S;
    const char *found = strstr(path, name);
    if (found == NULL || (found[-1] != '?' && found[-1] != '&')) {
        text_print(out, "%s&%s%" PRId64, path, name, seconds * speed);
        return;
    }
    const char *digits = found + strlen(name);
    size_t byte_count = strcspn(digits, "&");
    cleanup_text struct text number;
    struct error error;
    text_init(&number, PATH_BYTES_MAX);
    text_append_bytes(&number, digits, byte_count);
    if (!text_parse_int64(number.bytes, &seconds, &error) || seconds > INT64_MAX / 1000 / speed) {
        text_append(out, path); /* the server says what is wrong with it */
        return;
    }
    text_append_bytes(out, path, (size_t)(found - path));
    text_print(out, "%s%" PRId64 "%s", name, seconds * speed, digits + byte_count);
}

struct MHD_Response *front_watch_open(struct front *front, struct MHD_Connection *connection,
                                      const struct request *request,
                                      struct route_reply *out_refusal)
{
    struct front_watch *made = memory_new(1, sizeof(*made));
    struct watch_sink sink = {
        .bytes = bytes_came, .ended = ended, .settled = settled, .self = made};
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    append_scaled(&path, request->path, front->speed);
    struct request scaled = *request;
    scaled.path = front->speed == 1 ? request->path : path.bytes;
    made->watch = watch_open(front->server, &scaled, &sink, out_refusal);
    if (made->watch == NULL) {
        memory_free(made);
        return NULL;
    }
    made->front = front;
    made->connection = connection;
    text_init(&made->unread, UNREAD_BYTES_MAX);
    made->next = front->watches;
    if (made->next != NULL) {
        made->next->previous = made;
    }
    front->watches = made;
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_lines, made,
                                             forget);
}

/* ---- clients that left ---- */

/* Who watches has nothing more to say: what can be read is its farewell, or its end. */
static bool has_left(struct front_watch *watch)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(watch->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd client = {.fd = info->connect_fd, .events = POLLIN};
    return poll(&client, 1, 0) > 0;
}

void front_watch_look_at_clients(struct front *front)
{
    for (struct front_watch *watch = front->watches; watch != NULL; watch = watch->next) {
        if (watch->is_suspended && has_left(watch)) {
            watch->is_abandoned = true;
            wake(watch);
        }
    }
}

void front_watch_end_all(struct front *front)
{
    for (struct front_watch *watch = front->watches; watch != NULL; watch = watch->next) {
        watch->is_abandoned = true;
        wake(watch);
    }
}
