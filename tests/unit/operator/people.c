/* SPDX-License-Identifier: Apache-2.0 */
/* People, faults and crashes at random, all from a seed; support/claim_world.h checks what must
   hold at every turn. Then faults and people stop: everything comes to rest, whoever was left alone
   has a database, and the Pool is full. SEED=n runs that one alone. */
#include "api/instance.h"
#include "api/names.h"
#include "base/log.h"
#include "base/random.h"
#include "support/claim_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE_MS = 60 * 1000, SEED_COUNT = 25, DEED_COUNT = 60, NAME_COUNT = 4 };

static const char *const NAMES[NAME_COUNT] = {"a", "b", "c", "d"};

struct chaos {
    struct claim_world world;
    struct random random;
    int size;
    bool meddled[NAME_COUNT]; /* somebody else's hand was on it: only what must hold is asked */
};

static const char *claim_name(struct chaos *chaos, size_t who)
{
    return arena_print(&chaos->world.arena, "%s-1", NAMES[who]);
}

static void begin_instance(struct chaos *chaos, size_t who)
{
    if (api_table_find(chaos->world.fixture.table, KIND_INSTANCE, "dev", NAMES[who]) == NULL) {
        bool keep = random_below(&chaos->random, 4) == 0;
        claim_world_add_instance(&chaos->world, NAMES[who], keep ? "Retain" : "Delete");
        /* A kept one's Cluster and claim stay, so that the next of its name is refused. */
        chaos->meddled[who] = chaos->meddled[who] || keep;
    }
}

static void delete_thing(struct chaos *chaos, enum object_kind kind, const char *namespace,
                         const char *name)
{
    api_table_delete_any(chaos->world.fixture.table, kind, namespace, name);
}

/* Of the volume of one of them; labels: JSON with ' for ". */
static void edit_volume(struct chaos *chaos, size_t who, const char *labels)
{
    cleanup_object struct object *object =
        claim_world_get(&chaos->world, KIND_INSTANCE, "dev", NAMES[who]);
    const char *volume = object == NULL ? NULL : object->instance->volume;
    if (volume != NULL &&
        api_table_find(chaos->world.fixture.table, KIND_VOLUME, "", volume) != NULL) {
        claim_world_put(&chaos->world,
                        "{'kind':'PersistentVolume','metadata':{'name':'%s','labels':%s}}", volume,
                        labels);
        chaos->meddled[who] = true;
    }
}

static void adopt(struct chaos *chaos, size_t who)
{
    if (api_table_find(chaos->world.fixture.table, KIND_INSTANCE, "dev", NAMES[who]) != NULL) {
        claim_world_put(&chaos->world,
                        "{'kind':'Instance','metadata':{'name':'%s','namespace':'dev',"
                        "'annotations':{'adjoint.dev/adopt':'yes'}}}",
                        NAMES[who]);
    }
}

static void resize(struct chaos *chaos, int size)
{
    chaos->size = size;
    claim_world_put(&chaos->world,
                    "{'kind':'Pool','metadata':{'name':'orders','namespace':'pools'},"
                    "'spec':{'size':%d}}",
                    size);
}

static void break_something(struct chaos *chaos)
{
    static const enum method methods[] = {METHOD_POST, METHOD_PATCH, METHOD_PATCH, METHOD_DELETE,
                                          METHOD_GET};
    static const struct {
        int http_status;
        const char *reason;
    } refusals[] = {{409, "Conflict"},
                    {429, "TooManyRequests"},
                    {403, "Forbidden"},
                    {500, "InternalError"},
                    {503, "ServiceUnavailable"}};
    static const char *const parts[] = {"/instances/", "/persistentvolumes/",
                                        "/persistentvolumeclaims", "/clusters", "/pools/"};
    struct random *random = &chaos->random;
    size_t refusal = random_below(random, 5);
    fake_api_fault(chaos->world.fixture.api, random_below(random, 3) == 0 ? FAKE_LOSE : FAKE_REFUSE,
                   methods[random_below(random, 5)], parts[random_below(random, 5)],
                   refusals[refusal].http_status, refusals[refusal].reason);
}

static void do_one(struct chaos *chaos)
{
    struct random *random = &chaos->random;
    size_t who = random_below(random, NAME_COUNT);
    const char *slot = arena_print(&chaos->world.arena, "orders-%d", (int)random_below(random, 3));
    switch (random_below(random, 20)) {
    case 0:
    case 1:
    case 2:
    case 3:
        begin_instance(chaos, who);
        break;
    case 4:
    case 5:
        claim_world_delete_instance(&chaos->world, NAMES[who]);
        break;
    case 6:
        chaos->meddled[who] = true;
        delete_thing(chaos, KIND_VOLUME_CLAIM, "dev", claim_name(chaos, who));
        break;
    case 7:
        chaos->meddled[who] = true;
        delete_thing(chaos, KIND_CLUSTER, "dev", NAMES[who]);
        break;
    case 8:
        adopt(chaos, who);
        break;
    case 9:
        delete_thing(chaos, KIND_VOLUME_CLAIM, "pools", slot);
        break;
    case 10:
        edit_volume(chaos, who, "{'adjoint.dev/state':'warm'}");
        break;
    case 11:
        edit_volume(chaos, who, "{'adjoint.dev/state':'retiring'}");
        break;
    case 12:
        edit_volume(chaos, who, "null");
        break;
    case 13:
        resize(chaos, (int)random_below(random, 4));
        break;
    case 14:
        operator_fixture_restart(&chaos->world.fixture);
        break;
    case 15:
        fake_api_hold_watches(chaos->world.fixture.api, random_below(random, 2) == 0);
        break;
    default:
        break_something(chaos);
    }
}

static void assert_ends_well(struct chaos *chaos)
{
    struct claim_world *world = &chaos->world;
    for (int minute = 0; minute < 15; minute++) {
        claim_world_pass(world, MINUTE_MS);
    }
    for (size_t who = 0; who < NAME_COUNT; who++) {
        cleanup_object struct object *object =
            claim_world_get(world, KIND_INSTANCE, "dev", NAMES[who]);
        if (object == NULL || chaos->meddled[who]) {
            continue;
        }
        if (object->meta.deleting_ms != 0 || object->instance->phase != PHASE_READY) {
            fail_msg("%s does not get there: %s", NAMES[who],
                     api_table_find(world->fixture.table, KIND_INSTANCE, "dev", NAMES[who]));
        }
    }
    size_t warm = 0;
    for (size_t i = 0; i < api_table_count(world->fixture.table); i++) {
        const struct api_entry *entry = api_table_at(world->fixture.table, i);
        if (entry->kind == KIND_VOLUME_CLAIM && text_equal(entry->namespace, "pools")) {
            warm++;
        }
    }
    assert_int_equal(warm, chaos->size);
    /* One that may not begin asks again now and then (a dry run); nobody writes. */
    (void)fake_api_take_log(world->fixture.api);
    size_t writes = fake_api_write_count(world->fixture.api);
    claim_world_pass(world, 10 * (int64_t)MINUTE_MS);
    if (fake_api_write_count(world->fixture.api) != writes) {
        fail_msg("it does not come to rest: %s", fake_api_take_log(world->fixture.api));
    }
}

static void run(uint64_t seed)
{
    struct chaos chaos = {.size = 2};
    random_init(&chaos.random, seed);
    claim_world_init(&chaos.world, chaos.size);
    operator_fixture_lead(&chaos.world.fixture);
    for (int deed = 0; deed < DEED_COUNT; deed++) {
        do_one(&chaos);
        for (uint64_t turns = random_below(&chaos.random, 6); turns > 0; turns--) {
            (void)claim_world_turn(&chaos.world);
        }
        int64_t ms = (int64_t)random_below(&chaos.random, 4) * 700;
        operator_fixture_advance(&chaos.world.fixture, chaos.world.fixture.now.mono_ms + ms);
    }
    fake_api_hold_watches(chaos.world.fixture.api, false);
    fake_api_forgive(chaos.world.fixture.api);
    assert_ends_well(&chaos);
    claim_world_release(&chaos.world);
}

static void whatever_people_do(void **state)
{
    (void)state;
    const char *one = getenv("SEED");
    int64_t seed = 0;
    struct error error;
    if (one != NULL) {
        assert_true(text_parse_int64(one, &seed, &error));
        run((uint64_t)seed);
        return;
    }
    for (seed = 1; seed <= SEED_COUNT; seed++) {
        print_message("seed %lld\n", (long long)seed);
        run((uint64_t)seed);
    }
}

int main(void)
{
    log_configure(LOG_ERROR, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_people_do),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
