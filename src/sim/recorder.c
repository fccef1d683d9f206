/* SPDX-License-Identifier: Apache-2.0 */
/* What was said is remembered by a digest of it, in a table that is emptied when it is full: then
   something may be said once more, which is what the real one does, too. */
#include "sim/recorder.h"

#include "base/digest.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SAID_MAX = 4096,
    MESSAGE_BYTES = 1024,
    SAID_BYTES = 2 * MESSAGE_BYTES,
    NAME_BYTES = 320,
    API_VERSION_BYTES = 128,
};

struct recorder {
    struct apiserver *server;
    struct caller *caller;
    const char *component;
    uint64_t said[SAID_MAX]; /* 0: free */
    size_t said_count;
};

struct recorder *recorder_new(struct apiserver *server, struct caller *caller,
                              const char *component)
{
    struct recorder *recorder = memory_new(1, sizeof(*recorder));
    recorder->server = server;
    recorder->caller = caller;
    recorder->component = component;
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    memory_free(recorder);
}

/* true: for the first time. */
static bool note(struct recorder *recorder, uint64_t hash)
{
    if (recorder->said_count * 2 >= SAID_MAX) {
        memset(recorder->said, 0, sizeof(recorder->said));
        recorder->said_count = 0;
    }
    hash = hash == 0 ? 1 : hash;
    size_t at = (size_t)hash % SAID_MAX;
    while (recorder->said[at] != 0) {
        if (recorder->said[at] == hash) {
            return false;
        }
        at = (at + 1) % SAID_MAX;
    }
    recorder->said[at] = hash;
    recorder->said_count++;
    return true;
}

static void set_involved(cJSON *event, const struct record *about)
{
    const struct resource *resource = about->resource;
    char api_version[API_VERSION_BYTES];
    (void)snprintf(api_version, sizeof(api_version), "%s%s%s", resource->group,
                   resource->group[0] == '\0' ? "" : "/", resource->version);
    cJSON *involved = value_make(event, "involvedObject", NULL);
    value_set_text(involved, "apiVersion", api_version);
    value_set_text(involved, "kind", resource->kind);
    value_set_text(involved, "namespace", about->namespace[0] == '\0' ? NULL : about->namespace);
    value_set_text(involved, "name", about->name);
    value_set_text(involved, "uid", about->uid);
}

static void record_event(struct recorder *recorder, const struct record *about, const char *type,
                         const char *reason, const char *message)
{
    struct text said cleanup_text;
    text_init(&said, SAID_BYTES);
    text_print(&said, "%s %s %s", about->uid, reason, message);
    if (!note(recorder, digest_hash(said.bytes))) {
        return;
    }
    struct world *world = apiserver_world(recorder->server);
    const char *namespace = about->namespace[0] == '\0' ? "default" : about->namespace;
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof(name), "%.250s.%016" PRIx64, about->name,
                   random_next(world_random(world, "event names")));
    char now[TIMESTAMP_BYTES];
    timestamp_format_seconds(world_now(world).wall_ms, now);
    cJSON *event = draft("{'apiVersion':'v1','kind':'Event','metadata':{'namespace':'$1',"
                         "'name':'$2'},'type':'$3','reason':'$4','message':'$5','count':1,"
                         "'firstTimestamp':'$6','lastTimestamp':'$6','source':{'component':'$7'},"
                         "'reportingComponent':'$7'}",
                         namespace, name, type, reason, message, now, recorder->component, NULL);
    set_involved(event, about);
    caller_create(recorder->caller, &resource_events, namespace, event, (struct answer){0});
}

void recorder_tell(struct recorder *recorder, const struct record *about, const char *reason,
                   const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    record_event(recorder, about, "Normal", reason, message);
}

void recorder_warn(struct recorder *recorder, const struct record *about, const char *reason,
                   const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    record_event(recorder, about, "Warning", reason, message);
}
