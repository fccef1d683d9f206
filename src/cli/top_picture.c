/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top_picture.h"

#include "api/instance.h"
#include "api/pool.h"
#include "base/duration.h"
#include "base/timestamp.h"
#include "cli/standing.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AGE_BYTES_MAX = 32, SECTION_BYTES_MAX = 16 * 1024 * 1024, SECTION_FRAME_ROWS = 2 };

/* Those of one name in the Pools' statuses. */
struct lane_seen {
    const struct lane_record *record; /* the one that knows of the latest clone */
    int64_t in_flight;
};

struct objects {
    size_t count;
    const struct object **items;
};

struct picture {
    const struct top_seen *seen;
    struct arena arena;
    struct objects pools, waiting, served;
    size_t lane_count;
    struct lane_seen *lanes;
};

/* ---- what there is ---- */

static int compare_texts(const char *one, const char *other)
{
    return strcmp(one == NULL ? "" : one, other == NULL ? "" : other);
}

static int compare_names(const struct object *one, const struct object *other)
{
    int order = compare_texts(one->meta.namespace, other->meta.namespace);
    return order != 0 ? order : compare_texts(one->meta.name, other->meta.name);
}

static int by_name(const void *one, const void *other)
{
    return compare_names(*(const struct object *const *)one, *(const struct object *const *)other);
}

static int compare_numbers(int64_t one, int64_t other)
{
    return one < other ? -1 : one > other;
}

/* By Pool, then place; who has no place stands behind. */
static int by_place(const void *one, const void *other)
{
    const struct object *left = *(const struct object *const *)one;
    const struct object *right = *(const struct object *const *)other;
    const struct instance *first = left->instance;
    const struct instance *second = right->instance;
    int order = compare_texts(first->pool_namespace, second->pool_namespace);
    order = order != 0 ? order : compare_texts(first->pool, second->pool);
    order = order != 0 ? order : (first->queue_position == 0) - (second->queue_position == 0);
    order = order != 0 ? order : compare_numbers(first->queue_position, second->queue_position);
    return order != 0 ? order : compare_names(left, right);
}

/* Who ends first; who does not end stands behind. */
static int by_end(const void *one, const void *other)
{
    const struct object *left = *(const struct object *const *)one;
    const struct object *right = *(const struct object *const *)other;
    int64_t first = left->instance->expires_ms;
    int64_t second = right->instance->expires_ms;
    int order = (first == 0) - (second == 0);
    order = order != 0 ? order : compare_numbers(first, second);
    return order != 0 ? order : compare_names(left, right);
}

static bool waits(const struct object *object)
{
    const struct instance *instance = object->instance;
    bool is_new = instance->phase == PHASE_PENDING || instance->phase == PHASE_WAITING;
    return object->meta.deleting_ms == 0 && (is_new || instance->queue_position > 0);
}

static void collect(struct picture *picture, enum object_kind kind,
                    bool (*wanted)(const struct object *), bool answer,
                    int (*compare)(const void *, const void *), struct objects *out)
{
    const struct store *store = picture->seen->store;
    const struct object *object = NULL;
    size_t at = 0;
    out->items =
        arena_new(&picture->arena, store_count(store, kind) + 1, sizeof(const struct object *));
    while ((object = store_next(store, kind, &at)) != NULL) {
        if (wanted == NULL || wanted(object) == answer) {
            out->items[out->count++] = object;
        }
    }
    qsort(out->items, out->count, sizeof(const struct object *), compare);
}

static struct lane_seen *lane_of(struct picture *picture, const char *name)
{
    for (size_t i = 0; i < picture->lane_count; i++) {
        if (text_equal(picture->lanes[i].record->name, name)) {
            return &picture->lanes[i];
        }
    }
    return NULL;
}

static void collect_lanes(struct picture *picture)
{
    picture->lanes = arena_new(&picture->arena, picture->pools.count + 1, sizeof(*picture->lanes));
    for (size_t i = 0; i < picture->pools.count; i++) {
        const struct pool *pool = picture->pools.items[i]->pool;
        if (pool->measured.name == NULL) {
            continue;
        }
        struct lane_seen *lane = lane_of(picture, pool->measured.name);
        if (lane == NULL) {
            lane = &picture->lanes[picture->lane_count++];
            lane->record = &pool->measured;
        } else if (pool->measured.completed_ms > lane->record->completed_ms) {
            lane->record = &pool->measured;
        }
        lane->in_flight += pool->counts.filling;
    }
}

/* ---- rows ---- */

static void add_number(struct table *table, int64_t number)
{
    table_print(table, "%" PRId64, number);
}

static void add_length(struct table *table, bool known, int64_t ms)
{
    cleanup_text struct text length;
    text_init(&length, AGE_BYTES_MAX);
    duration_print_age(ms, &length);
    table_add(table, known ? length.bytes : NULL);
}

/* How far ahead; what has passed is due. */
static void add_until(struct table *table, const struct picture *picture, int64_t at_ms)
{
    if (at_ms != 0 && at_ms <= picture->seen->wall_ms) {
        table_add(table, "due");
    } else {
        add_length(table, at_ms != 0, at_ms - picture->seen->wall_ms);
    }
}

static void add_age(struct table *table, const struct picture *picture, const struct object *object)
{
    add_length(table, object->meta.created_ms != 0,
               picture->seen->wall_ms - object->meta.created_ms);
}

static void add_pool(struct picture *picture, struct table *table, size_t index)
{
    const struct object *object = picture->pools.items[index];
    const struct pool *pool = object->pool;
    const struct condition *telling = standing_of_pool(object);
    const int64_t numbers[] = {pool_wanted_size(pool), pool->counts.warm,    pool->counts.stale,
                               pool->counts.filling,   pool->counts.claimed, pool->counts.waiting};
    table_print(table, "%s/%s", object->meta.namespace, object->meta.name);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        add_number(table, numbers[i]);
    }
    table_add(table, pool->golden != NULL ? pool->golden : pool->golden_snapshot);
    table_add(table, telling == NULL ? NULL : telling->reason);
}

static void add_lane(struct picture *picture, struct table *table, size_t index)
{
    const struct lane_seen *lane = &picture->lanes[index];
    const struct lane_record *record = lane->record;
    bool is_known = lane->in_flight > 0 && record->gap_ms > 0 && record->completed_ms > 0;
    table_add(table, record->name);
    add_length(table, record->gap_ms > 0, record->gap_ms);
    add_length(table, record->latency_ms > 0, record->latency_ms);
    add_number(table, record->width);
    add_number(table, lane->in_flight);
    add_until(table, picture, is_known ? record->completed_ms + record->gap_ms : 0);
}

static void add_waiting(struct picture *picture, struct table *table, size_t index)
{
    const struct object *object = picture->waiting.items[index];
    const struct instance *instance = object->instance;
    const struct condition *obstacle = standing_obstacle(object);
    table_print(table, "%s/%s", object->meta.namespace, object->meta.name);
    table_print(table, "%s/%s", instance->pool_namespace, instance->pool);
    if (instance->queue_position > 0) {
        add_number(table, instance->queue_position);
    } else {
        table_add(table, NULL);
    }
    add_until(table, picture, instance->queue_eta_ms);
    add_age(table, picture, object);
    table_add(table, obstacle == NULL ? instance_phase_name(instance->phase) : obstacle->reason);
}

static void add_served(struct picture *picture, struct table *table, size_t index)
{
    const struct object *object = picture->served.items[index];
    const struct instance *instance = object->instance;
    bool goes = object->meta.deleting_ms != 0;
    bool is_protected = instance->protected_until_ms > picture->seen->wall_ms;
    table_print(table, "%s/%s", object->meta.namespace, object->meta.name);
    table_add(table, instance_phase_name(goes ? PHASE_DELETING : instance->phase));
    table_print(table, "%s/%s", instance->pool_namespace, instance->pool);
    add_age(table, picture, object);
    add_until(table, picture, instance->expires_ms);
    add_until(table, picture, is_protected ? instance->protected_until_ms : 0);
}

/* ---- sections ---- */

struct section {
    const char *headings[10]; /* ends with NULL */
    void (*add)(struct picture *picture, struct table *table, size_t index);
    size_t count, shown;
};
enum { SECTION_COUNT = 4 };

static size_t rows_of(const struct section *section)
{
    size_t more = section->shown < section->count ? 1 : 0;
    return section->count == 0 ? 0 : SECTION_FRAME_ROWS + section->shown + more;
}

/* Takes rows from the longest until all of them fit, or none has more than one. */
static void fit(struct section sections[SECTION_COUNT], size_t rows)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        sections[i].shown = sections[i].count > rows ? rows : sections[i].count;
    }
    for (;;) {
        size_t total = 0;
        struct section *longest = &sections[0];
        for (size_t i = 0; i < SECTION_COUNT; i++) {
            total += rows_of(&sections[i]);
            longest = sections[i].shown > longest->shown ? &sections[i] : longest;
        }
        if (total <= rows || longest->shown <= 1) {
            return;
        }
        longest->shown--;
    }
}

static void write_section(struct picture *picture, const struct section *section, struct text *out)
{
    struct table table;
    if (section->count == 0) {
        return;
    }
    table_init(&table, &picture->arena, section->headings);
    for (size_t i = 0; i < section->shown; i++) {
        section->add(picture, &table, i);
    }
    text_append_char(out, '\n');
    table_write(&table, out);
    if (section->shown < section->count) {
        text_print(out, "and %zu more\n", section->count - section->shown);
    }
}

static void write_head(const struct picture *picture, struct text *out)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_seconds(picture->seen->wall_ms, at);
    text_print(out, "%s  Pools: %zu  Instances: %zu waiting, %zu served\n", at,
               picture->pools.count, picture->waiting.count, picture->served.count);
    if (picture->seen->note != NULL) {
        text_print(out, "%s\n", picture->seen->note);
    }
}

static void write_all(struct picture *picture, size_t rows, struct text *out)
{
    struct section sections[SECTION_COUNT] = {
        {{"POOL", "SIZE", "WARM", "STALE", "FILLING", "CLAIMED", "WAITING", "GOLDEN", "REASON",
          NULL},
         add_pool,
         picture->pools.count,
         picture->pools.count},
        {{"LANE", "GAP", "LATENCY", "DEPTH", "IN-FLIGHT", "NEXT", NULL},
         add_lane,
         picture->lane_count,
         picture->lane_count},
        {{"WAITING", "POOL", "POSITION", "ETA", "AGE", "REASON", NULL},
         add_waiting,
         picture->waiting.count,
         picture->waiting.count},
        {{"SERVED", "PHASE", "POOL", "AGE", "ENDS", "PROTECTED", NULL},
         add_served,
         picture->served.count,
         picture->served.count},
    };
    size_t head_rows = picture->seen->note == NULL ? 1 : 2;
    if (rows > head_rows) {
        fit(sections, rows - head_rows);
    }
    write_head(picture, out);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        write_section(picture, &sections[i], out);
    }
}

/* So much of each line as there are columns for, and so many lines as there are rows. */
static void cut(const char *text, size_t rows, size_t columns, struct text *out)
{
    for (size_t row = 0; *text != '\0' && (rows == 0 || row < rows); row++) {
        size_t line_bytes = strcspn(text, "\n");
        size_t fitting = columns == 0 ? line_bytes : table_fitting_bytes(text, columns);
        text_append_bytes(out, text, fitting < line_bytes ? fitting : line_bytes);
        text_append_char(out, '\n');
        text += line_bytes + 1;
    }
}

void top_picture_write(const struct top_seen *seen, size_t rows, size_t columns, struct text *out)
{
    struct picture picture = {.seen = seen};
    cleanup_text struct text whole;
    text_init(&whole, SECTION_BYTES_MAX);
    arena_init(&picture.arena, 0);
    collect(&picture, KIND_POOL, NULL, true, by_name, &picture.pools);
    collect(&picture, KIND_INSTANCE, waits, true, by_place, &picture.waiting);
    collect(&picture, KIND_INSTANCE, waits, false, by_end, &picture.served);
    collect_lanes(&picture);
    write_all(&picture, rows, &whole);
    cut(whole.bytes, rows, columns, out);
    arena_release(&picture.arena);
}
