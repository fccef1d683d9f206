/* SPDX-License-Identifier: Apache-2.0 */
/* The store against a server with a history: objects are made, changed, deleted and made anew;
   their events come late but in order, replies come late and in any order, and now and then the
   watch loses its place and a list of several pages closes the gap. Whatever overtakes what, no
   object goes back in its own history, and in the end the store is what the server is. */
#include "kube/store.h"

#include "base/random.h"
#include "base/text.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Versions pass 10, 100 and 1000: behind that a history has nothing new. */
enum { NAME_COUNT = 6, EVENT_COUNT_MAX = 1100, REPLY_COUNT_MAX = 8, SEED_COUNT = 40 };

struct state {
    int uid; /* 0: absent */
    int version;
};

struct event {
    int name;
    struct state state;
    bool deleted;
};

struct world {
    struct random random;
    struct store *store;
    struct state server[NAME_COUNT];
    struct event events[EVENT_COUNT_MAX]; /* of version i at i */
    int version;
    int uid_count;
    int watched; /* events up to here are in the store */
    struct event replies[REPLY_COUNT_MAX];
    int reply_count;
    struct state listed[NAME_COUNT]; /* the snapshot of a list under way */
    int list_version;                /* 0: no list under way */
    int list_at;
    int highest[EVENT_COUNT_MAX]; /* version seen in the store, by uid */
};

static bool chance(struct world *world, int percent)
{
    return (int)random_below(&world->random, 100) < percent;
}

static int below(struct world *world, int bound)
{
    return (int)random_below(&world->random, (uint64_t)bound);
}

static void deliver(struct world *world, struct event event, enum store_source source)
{
    char json[200], name[16], uid[16], version[16];
    snprintf(name, sizeof(name), "n%d", event.name);
    snprintf(uid, sizeof(uid), "u%d", event.state.uid);
    snprintf(version, sizeof(version), "%d", event.state.version);
    if (event.deleted) {
        store_remove(world->store, KIND_JOB, "dev", name, uid, version);
        return;
    }
    snprintf(json, sizeof(json),
             "{'metadata':{'namespace':'dev','name':'%s','uid':'%s','resourceVersion':'%s'}}", name,
             uid, version);
    store_put_take(world->store, object_from(KIND_JOB, json), source);
}

static void server_changes(struct world *world)
{
    int name = below(world, NAME_COUNT);
    struct state *state = &world->server[name];
    bool deleted = state->uid != 0 && chance(world, 30);
    if (state->uid == 0) {
        state->uid = ++world->uid_count;
    }
    state->version = ++world->version;
    struct event event = {.name = name, .state = *state, .deleted = deleted};
    world->events[world->version] = event;
    if (deleted) {
        *state = (struct state){0};
    } else if (world->reply_count < REPLY_COUNT_MAX && chance(world, 50)) {
        world->replies[world->reply_count++] = event;
    }
}

static void reply_comes(struct world *world)
{
    int at = below(world, world->reply_count);
    struct event reply = world->replies[at];
    world->replies[at] = world->replies[--world->reply_count];
    deliver(world, reply, STORE_REPLY);
}

static void list_goes_on(struct world *world)
{
    if (world->list_version == 0) {
        store_begin_list(world->store, KIND_JOB);
        if (world->version == 0) {
            store_abandon_list(world->store, KIND_JOB);
            return;
        }
        memcpy(world->listed, world->server, sizeof(world->listed));
        world->list_version = world->version;
        world->list_at = 0;
        return;
    }
    if (world->list_at < NAME_COUNT) {
        struct event item = {.name = world->list_at, .state = world->listed[world->list_at]};
        world->list_at++;
        if (item.state.uid != 0) {
            deliver(world, item, STORE_LIST);
        }
        return;
    }
    char version[16];
    snprintf(version, sizeof(version), "%d", world->list_version);
    store_end_list(world->store, KIND_JOB, version);
    world->watched = world->list_version;
    world->list_version = 0;
}

static void check_nothing_went_back(struct world *world)
{
    size_t at = 0;
    const struct object *object = NULL;
    while ((object = store_next(world->store, KIND_JOB, &at)) != NULL) {
        int64_t uid = 0, version = 0;
        struct error error;
        assert_true(text_parse_int64(object->meta.uid + 1, &uid, &error));
        assert_true(text_parse_int64(object->meta.resource_version, &version, &error));
        assert_true(version >= world->highest[uid]);
        world->highest[uid] = (int)version;
    }
}

static void check_equals_server(struct world *world)
{
    size_t live_count = 0;
    for (int i = 0; i < NAME_COUNT; i++) {
        char name[16], version[16];
        snprintf(name, sizeof(name), "n%d", i);
        snprintf(version, sizeof(version), "%d", world->server[i].version);
        const struct object *object = store_get(world->store, KIND_JOB, "dev", name);
        assert_true((object != NULL) == (world->server[i].uid != 0));
        if (object != NULL) {
            assert_string_equal(object->meta.resource_version, version);
            live_count++;
        }
    }
    assert_int_equal(store_count(world->store, KIND_JOB), live_count);
}

static void settle(struct world *world)
{
    while (world->reply_count > 0 && chance(world, 50)) {
        reply_comes(world);
    }
    while (world->list_version != 0) {
        list_goes_on(world);
    }
    while (world->watched < world->version) {
        deliver(world, world->events[++world->watched], STORE_WATCH);
    }
    while (world->reply_count > 0) {
        reply_comes(world);
    }
    check_nothing_went_back(world);
    check_equals_server(world);
}

static void run(uint64_t seed)
{
    static struct world world;
    world = (struct world){0};
    random_init(&world.random, seed);
    world.store = store_new(1000, (struct store_listener){0});
    while (world.version < EVENT_COUNT_MAX - 1) {
        bool listing = world.list_version != 0;
        if (chance(&world, 40)) {
            server_changes(&world);
        } else if (world.reply_count > 0 && chance(&world, 40)) {
            reply_comes(&world);
        } else if (listing || chance(&world, 2)) {
            list_goes_on(&world);
        } else if (world.watched < world.version) {
            deliver(&world, world.events[++world.watched], STORE_WATCH);
        }
        check_nothing_went_back(&world);
        if (chance(&world, 1)) {
            settle(&world);
        }
    }
    settle(&world);
    store_free(world.store);
}

static void whatever_overtakes_what_the_store_becomes_what_the_server_is(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
        run(seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_overtakes_what_the_store_becomes_what_the_server_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
