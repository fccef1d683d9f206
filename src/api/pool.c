/* SPDX-License-Identifier: Apache-2.0 */
/* The fallbacks repeat the defaults of crds/, for a Pool that was stored before a default was. */
#include "api/pool.h"

#include "api/field.h"

#include <string.h>

/* In the order of their enums. */
static const char *const CLAIM_ORDERS[] = {"Swap", "Release", NULL};
static const char *const BOOTSTRAPS[] = {"Guarded", "None", NULL};
static const char *const ROTATIONS[] = {"Rolling", "OnClaim", "Recreate", NULL};

static const char *const SINGLE_POD_ONLY[] = {"ReadWriteOncePod"};

enum { SIZE_DEFAULT = 1, IN_FLIGHT_DEFAULT = 4, VOLUMES_DEFAULT = 90, SURGE_DEFAULT = 1 };
enum { FILL_TIMEOUT_DEFAULT_MS = 20 * 60 * 1000 };

static const char *const AUTOSIZE_MODES[] = {"Off", "Recommend", "Apply", NULL};
enum { TARGET_DEFAULT = 99, AUTOSIZE_MIN_DEFAULT = 1, AUTOSIZE_MAX_DEFAULT = 20 };

enum allowed_from { FROM_SELECTOR, FROM_ALL };
static const char *const ALLOWED_FROM[] = {"Selector", "All", NULL};

enum egress { EGRESS_ALLOWED, EGRESS_DENIED };
static const char *const EGRESSES[] = {"Allow", "Deny", NULL};

static void read_storage(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *storage = field_object(reader, spec, "storage");
    pool->storage_class = field_string(reader, storage, "storageClassName");
    pool->storage_size = json_string(reader, storage, "size");
    if (pool->storage_size == NULL) {
        pool->storage_size = "1Gi";
    }
    pool->access_modes = field_strings(reader, storage, "accessModes", &pool->access_mode_count);
    if (pool->access_mode_count == 0) {
        pool->access_modes = SINGLE_POD_ONLY;
        pool->access_mode_count = 1;
    }
}

static void read_allowed(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *allowed = field_object(reader, spec, "allowedNamespaces");
    pool->allow_all_namespaces =
        field_choice(reader, allowed, "from", ALLOWED_FROM, FROM_SELECTOR) == FROM_ALL;
    pool->allowed_namespaces = selector_read(reader, allowed, "selector");
}

static void read_instances(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *instances = field_object(reader, spec, "instances");
    const struct json *lifetime = field_object(reader, instances, "lifetime");
    pool->instances = (struct instance_limits){
        .lifetime_default_ms = field_duration(reader, lifetime, "default", 0),
        .lifetime_max_ms = field_duration(reader, lifetime, "max", 0),
        .protection_max_ms =
            field_duration(reader, field_object(reader, instances, "protection"), "max", 0),
    };
}

static void read_rotation(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *rotation = field_object(reader, spec, "rotation");
    pool->rotation = (struct rotation_wish){
        .strategy = (enum rotation_strategy)field_choice(reader, rotation, "strategy", ROTATIONS,
                                                         ROTATION_ROLLING),
        .warm_min = json_int64(reader, rotation, "minWarm", -1),
        .surge_max = json_int64(reader, rotation, "maxSurge", SURGE_DEFAULT),
        .age_max_ms = field_duration(reader, rotation, "maxAge", 0),
    };
}

static void read_autosize(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *autosize = field_object(reader, spec, "autosize");
    pool->autosize = (struct autosize_wish){
        .mode = (enum autosize_mode)field_choice(reader, autosize, "mode", AUTOSIZE_MODES,
                                                 AUTOSIZE_OFF),
        .target = json_int64(reader, autosize, "target", TARGET_DEFAULT),
        .min = json_int64(reader, autosize, "min", AUTOSIZE_MIN_DEFAULT),
        .max = json_int64(reader, autosize, "max", AUTOSIZE_MAX_DEFAULT),
    };
}

static void read_schedules(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *list = field_array(reader, spec, "schedules");
    struct pool_schedule *schedules =
        arena_new(reader->arena, json_count(list) + 1, sizeof *schedules);
    for (const struct json *item = json_first(list); item != NULL; item = json_next(item)) {
        schedules[pool->schedule_count++] = (struct pool_schedule){
            .name = json_string(reader, item, "name"),
            .schedule = field_string(reader, item, "schedule"),
            .time_zone = json_string(reader, item, "timeZone"),
            .duration_ms = field_duration(reader, item, "duration", 0),
            .size = json_int64(reader, item, "size", 0),
        };
    }
    pool->schedules = schedules;
}

static void read_template(struct json_reader *reader, struct pool *pool)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    const struct json *spec = NULL;
    if (pool->cluster != NULL &&
        json_parse(pool->cluster, strlen(pool->cluster), &document, &error)) {
        spec = json_root(document);
    }
    pool->postgres = postgres_of_cluster(reader, spec);
}

static void read_sanitize(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *sanitize = field_object(reader, spec, "sanitize");
    const struct json *config_map = field_object(reader, sanitize, "configMap");
    pool->sanitize.sql = json_string(reader, sanitize, "sql");
    pool->sanitize.config_map = json_string(reader, config_map, "name");
    pool->sanitize.keys = field_strings(reader, config_map, "keys", &pool->sanitize.key_count);
}

static void read_spec(struct json_reader *reader, const struct json *spec, struct pool *pool)
{
    const struct json *golden = field_object(reader, spec, "golden");
    pool->golden_snapshot = json_string(reader, golden, "snapshot");
    pool->golden_latest = selector_read(reader, golden, "latest");
    pool->system_id = json_string(reader, golden, "systemID");
    pool->size = json_int64(reader, spec, "size", SIZE_DEFAULT);
    read_storage(reader, spec, pool);
    const struct json *refill = field_object(reader, spec, "refill");
    pool->in_flight_max = json_int64(reader, refill, "maxInFlight", IN_FLIGHT_DEFAULT);
    pool->fill_timeout_ms = field_duration(reader, refill, "timeout", FILL_TIMEOUT_DEFAULT_MS);
    pool->lane = json_string(reader, spec, "lane");
    pool->volumes_max = json_int64(reader, spec, "maxVolumes", VOLUMES_DEFAULT);
    pool->running_max = json_int64(reader, spec, "maxRunning", 0);
    pool->fair_share =
        json_bool(reader, field_object(reader, spec, "instances"), "fairShare", true);
    read_rotation(reader, spec, pool);
    read_allowed(reader, spec, pool);
    read_instances(reader, spec, pool);
    read_autosize(reader, spec, pool);
    read_schedules(reader, spec, pool);
    pool->cluster = json_string(reader, spec, "cluster");
    pool->named = template_named(reader, pool->cluster);
    pool->required = template_required(reader, field_object(reader, spec, "requires"));
    const struct json *credentials = field_object(reader, spec, "credentials");
    pool->prove_login = json_bool(reader, credentials, "proveLogin", false);
    pool->scramble_roles = json_bool(reader, credentials, "scrambleRoles", false);
    read_sanitize(reader, spec, pool);
    pool->egress_denied = field_choice(reader, field_object(reader, spec, "networkPolicy"),
                                       "egress", EGRESSES, EGRESS_ALLOWED) == EGRESS_DENIED;
    read_template(reader, pool);
    pool->database = json_string(reader, spec, "database");
    pool->owner = json_string(reader, spec, "owner");
    const struct json *claim = field_object(reader, spec, "claim");
    pool->order =
        (enum claim_order)field_choice(reader, claim, "order", CLAIM_ORDERS, CLAIM_ORDER_SWAP);
    pool->bootstrap =
        (enum bootstrap)field_choice(reader, claim, "bootstrap", BOOTSTRAPS, BOOTSTRAP_GUARDED);
}

static void read_lane(struct json_reader *reader, const struct json *status, struct pool *pool)
{
    const struct json *lane = field_object(reader, status, "lane");
    pool->measured = (struct lane_record){
        .name = json_string(reader, lane, "name"),
        .width = json_int64(reader, lane, "width", 0),
        .gap_ms = json_int64(reader, lane, "gapMilliseconds", 0),
        .gap_count = json_int64(reader, lane, "gapCount", 0),
        .latency_ms = json_int64(reader, lane, "latencyMilliseconds", 0),
        .completed_ms = field_time(reader, lane, "completedAt"),
        .started_ms = field_time(reader, lane, "startedAt"),
    };
}

static void read_arrivals(struct json_reader *reader, const struct json *status, struct pool *pool)
{
    const struct json *arrivals = field_object(reader, status, "arrivals");
    pool->arrivals = (struct arrival_record){
        .version = json_int64(reader, arrivals, "version", 0),
        .since_ms = field_time(reader, arrivals, "since"),
        .until_ms = field_time(reader, arrivals, "until"),
        .counts = json_string(reader, arrivals, "counts"),
    };
}

static void read_sizing(struct json_reader *reader, const struct json *status, struct pool *pool)
{
    const struct json *sizing = field_object(reader, status, "sizing");
    pool->sizing = (struct sizing_record){
        .is_told = sizing != NULL,
        .size = json_int64(reader, sizing, "size", 0),
        .sized_ms = field_time(reader, sizing, "sizedAt"),
        .spec_size = json_int64(reader, sizing, "specSize", 0),
        .scaled_ms = field_time(reader, sizing, "scaledAt"),
        .computed_ms = field_time(reader, sizing, "computedAt"),
        .generation = json_int64(reader, sizing, "computedGeneration", 0),
        .days = json_int64(reader, sizing, "days", 0),
        .requests = json_int64(reader, sizing, "requests", 0),
        .recommended = json_int64(reader, sizing, "recommended", 0),
        .week = json_string(reader, sizing, "week"),
        .reaches = json_bool(reader, sizing, "targetReached", false),
        .hit_rate = json_string(reader, sizing, "hitRate"),
        .volumes = json_string(reader, sizing, "volumes"),
        .wait_p95_ms = json_int64(reader, sizing, "waitP95Milliseconds", 0),
    };
}

static void read_scheduled(struct json_reader *reader, const struct json *status, struct pool *pool)
{
    const struct json *schedule = field_object(reader, status, "schedule");
    const struct json *current = field_object(reader, schedule, "current");
    const struct json *next = field_object(reader, schedule, "next");
    pool->scheduled = (struct schedule_record){
        .current = json_string(reader, current, "name"),
        .size = json_int64(reader, current, "size", 0),
        .until_ms = field_time(reader, current, "until"),
        .next = json_string(reader, next, "name"),
        .next_size = json_int64(reader, next, "size", 0),
        .next_ms = field_time(reader, next, "beginsAt"),
        .fills_ms = field_time(reader, next, "fillsAt"),
    };
}

static void read_status(struct json_reader *reader, const struct json *status, struct pool *pool)
{
    pool->observed_generation = json_int64(reader, status, "observedGeneration", 0);
    pool->counts = (struct pool_counts){
        .warm = json_int64(reader, status, "warm", 0),
        .filling = json_int64(reader, status, "filling", 0),
        .claimed = json_int64(reader, status, "claimed", 0),
        .waiting = json_int64(reader, status, "waiting", 0),
        .retiring = json_int64(reader, status, "retiring", 0),
        .stale = json_int64(reader, status, "stale", 0),
        .broken = json_int64(reader, status, "broken", 0),
    };
    read_lane(reader, status, pool);
    read_arrivals(reader, status, pool);
    read_sizing(reader, status, pool);
    read_scheduled(reader, status, pool);
    const struct json *golden = field_object(reader, status, "golden");
    pool->golden = json_string(reader, golden, "name");
    pool->golden_uid = json_string(reader, golden, "uid");
    pool->golden_system_id = json_string(reader, golden, "systemID");
    conditions_read(reader, status, &pool->conditions);
}

int64_t pool_wanted_size(const struct pool *pool)
{
    return pool->sizing.is_told ? pool->sizing.size : pool->size;
}

void pool_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct pool *pool = arena_new(reader->arena, 1, sizeof(*pool));
    read_spec(reader, field_object(reader, root, "spec"), pool);
    read_status(reader, field_object(reader, root, "status"), pool);
    object->pool = pool;
}
