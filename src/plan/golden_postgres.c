/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG believes the image: another major version than the data's is a crash loop, which is
   seen only when a clone has been spent. A standby's data is refused by a Postgres whose max_*
   settings are smaller than they were (CheckRequiredParameterValues, archive recovery alone). */
#include "plan/golden_postgres.h"

#include "api/names.h"
#include "base/text.h"

#include <inttypes.h>

static struct golden_refusal check_major(const struct pool *pool, const struct snapshot *snapshot,
                                         struct arena *arena)
{
    int64_t wanted = snapshot->postgres.major;
    int64_t named = pool->postgres.major;
    if (wanted == 0 || named == 0 || wanted == named) {
        return (struct golden_refusal){NULL, NULL};
    }
    return (struct golden_refusal){
        "MajorVersionMismatch",
        arena_print(arena,
                    "the golden is of Postgres %" PRId64 ", %s in spec.cluster is Postgres %" PRId64
                    ": it does not start on this data. Name an image of %" PRId64,
                    wanted, pool->postgres.image == NULL ? "imageCatalogRef" : pool->postgres.image,
                    named, wanted)};
}

static struct golden_refusal check_settings(const struct pool *pool,
                                            const struct snapshot *snapshot, struct arena *arena)
{
    for (size_t i = 0; snapshot->from_standby && i < POSTGRES_SETTING_COUNT; i++) {
        enum postgres_setting setting = (enum postgres_setting)i;
        int64_t had = snapshot->postgres.settings[i];
        int64_t has = pool->postgres.settings[i];
        has = has < 0 ? postgres_setting_default(setting) : has;
        if (has < had) {
            const char *name = postgres_setting_name(setting);
            return (struct golden_refusal){
                "SettingTooLow",
                arena_print(arena,
                            "the golden was taken of a standby with %s %" PRId64
                            ", and Postgres does not start on it with %" PRId64
                            ": set spec.cluster.postgresql.parameters.%s to '%" PRId64
                            "', or take the backup with target: primary",
                            name, had, has, name, had)};
        }
    }
    return (struct golden_refusal){NULL, NULL};
}

struct golden_refusal golden_check_postgres(const struct pool *pool,
                                            const struct snapshot *snapshot, struct arena *arena)
{
    struct golden_refusal refusal = check_major(pool, snapshot, arena);
    return refusal.reason != NULL ? refusal : check_settings(pool, snapshot, arena);
}

/* FSx's default; Postgres' pages are of 8 KiB. */
enum { RECORD_SIZE_KIB_DEFAULT = 128, RECORD_SIZE_KIB_MAX = 16, RECORD_SIZE_KIB_MIN = 8 };

static const char *warn_of_storage(const struct object *origin, struct arena *arena)
{
    if (origin == NULL || !text_equal(origin->storage_class->provisioner, DRIVER_FSX_OPENZFS)) {
        return "";
    }
    const struct storage_class *class = origin->storage_class;
    int64_t size_kib =
        class->record_size_kib == 0 ? RECORD_SIZE_KIB_DEFAULT : class->record_size_kib;
    bool compressed = class->compression != NULL && !text_equal(class->compression, "NONE");
    if (size_kib >= RECORD_SIZE_KIB_MIN && size_kib <= RECORD_SIZE_KIB_MAX && compressed) {
        return "";
    }
    return arena_print(
        arena,
        " Its volume has records of %" PRId64 " KiB%s (StorageClass %s): load a golden on a class "
        "with RecordSizeKiB '16' and DataCompressionType '\"ZSTD\"', which act on what is written "
        "later alone.",
        size_kib, compressed ? "" : " and no compression", origin->meta.name);
}

const char *golden_warnings(const struct snapshot *snapshot, const struct object *origin,
                            struct arena *arena)
{
    return arena_print(
        arena, "%s%s%s%s%s",
        snapshot->from_standby ? " It was taken of a standby, so that each claim waits for a "
                                 "promotion: take the backup with target: primary."
                               : "",
        snapshot->external_clusters
            ? " Its Cluster names externalClusters: a subscription or foreign server in it comes "
              "alive in each clone and reaches for production; drop them in the golden."
            : "",
        snapshot->logical_slots ? " Its Cluster keeps slots of subscribers: in a clone nobody "
                                  "reads them, and they keep "
                                  "WAL until the volume is full; drop them in the golden."
                                : "",
        snapshot->scheduled_jobs
            ? " Its Cluster preloads pg_cron: scheduled jobs run in each clone, too; unschedule "
              "them in the golden."
            : "",
        warn_of_storage(origin, arena));
}
