/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/lag.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum said { SAID_HEAD, SAID_BYTES, SAID_END };

struct word {
    struct word *next;
    enum said said;
    int64_t due_ms; /* mono */
    int http_status;
    int64_t retry_after_ms;
    struct error error;
    size_t byte_count;
    char bytes[];
};

struct watch {
    struct watch *next;
    struct lag *lag;
    struct call *inner; /* NULL: it has ended there */
    struct sink sink;
    struct word *first, **last;
};

struct lag {
    struct transport inner;
    const char *plural;
    int64_t lag_ms;
    struct now now;
    struct watch *watches;
};

struct lag *lag_new(struct transport inner, const char *plural, int64_t lag_ms)
{
    struct lag *lag = memory_new(1, sizeof(*lag));
    lag->inner = inner;
    lag->plural = plural;
    lag->lag_ms = lag_ms;
    return lag;
}

void lag_free(struct lag *lag)
{
    if (lag != NULL) {
        assert(lag->watches == NULL);
        memory_free(lag);
    }
}

static struct word *append(struct watch *watch, enum said said, const char *bytes,
                           size_t byte_count)
{
    struct word *word = memory_new(1, sizeof(*word) + byte_count);
    word->said = said;
    word->due_ms = watch->lag->now.mono_ms + watch->lag->lag_ms;
    word->byte_count = byte_count;
    if (byte_count > 0) {
        memcpy(word->bytes, bytes, byte_count);
    }
    *watch->last = word;
    watch->last = &word->next;
    return word;
}

static void on_head(void *self, int http_status, int64_t retry_after_ms)
{
    struct word *word = append(self, SAID_HEAD, NULL, 0);
    word->http_status = http_status;
    word->retry_after_ms = retry_after_ms;
}

static void on_bytes(void *self, const char *bytes, size_t byte_count)
{
    (void)append(self, SAID_BYTES, bytes, byte_count);
}

static void on_end(void *self, const struct error *error)
{
    struct watch *watch = self;
    append(watch, SAID_END, NULL, 0)->error = *error;
    watch->inner = NULL;
}

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct lag *lag = self;
    if (!request->watch || lag->plural == NULL || strstr(request->path, lag->plural) == NULL) {
        return lag->inner.start(lag->inner.self, request, sink);
    }
    struct watch *watch = memory_new(1, sizeof(*watch));
    watch->lag = lag;
    watch->sink = sink;
    watch->last = &watch->first;
    watch->next = lag->watches;
    lag->watches = watch;
    struct sink late = {.head = on_head, .bytes = on_bytes, .end = on_end, .self = watch};
    watch->inner = lag->inner.start(lag->inner.self, request, late);
    return (struct call *)watch;
}

static void watch_free(struct watch *watch)
{
    struct watch **at = &watch->lag->watches;
    while (*at != watch) {
        at = &(*at)->next;
    }
    *at = watch->next;
    while (watch->first != NULL) {
        struct word *word = watch->first;
        watch->first = word->next;
        memory_free(word);
    }
    memory_free(watch);
}

static void cancel(void *self, struct call *call)
{
    struct lag *lag = self;
    for (struct watch *watch = lag->watches; watch != NULL; watch = watch->next) {
        if ((struct call *)watch != call) {
            continue;
        }
        if (watch->inner != NULL) {
            lag->inner.cancel(lag->inner.self, watch->inner);
        }
        watch_free(watch);
        return;
    }
    lag->inner.cancel(lag->inner.self, call);
}

struct transport lag_transport(struct lag *lag)
{
    return (struct transport){.start = start, .cancel = cancel, .self = lag};
}

/* true: that was its end, and the watch is no more. */
static bool tell_first(struct watch *watch)
{
    struct word *word = watch->first;
    enum said said = word->said;
    watch->first = word->next;
    if (watch->first == NULL) {
        watch->last = &watch->first;
    }
    switch (said) {
    case SAID_HEAD:
        watch->sink.head(watch->sink.self, word->http_status, word->retry_after_ms);
        break;
    case SAID_BYTES:
        watch->sink.bytes(watch->sink.self, word->bytes, word->byte_count);
        break;
    case SAID_END:
        watch->sink.end(watch->sink.self, &word->error);
        watch_free(watch);
        break;
    }
    memory_free(word);
    return said == SAID_END;
}

void lag_step(struct lag *lag, struct now now)
{
    struct watch *next = NULL;
    lag->now = now;
    for (struct watch *watch = lag->watches; watch != NULL; watch = next) {
        next = watch->next;
        while (watch->first != NULL && watch->first->due_ms <= now.mono_ms && !tell_first(watch)) {
        }
    }
}
