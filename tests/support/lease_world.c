/* SPDX-License-Identifier: Apache-2.0 */
/* A message is one slot from its sending until nobody waits for it and nothing will carry it out:
   what arrives after its caller gave up is the danger that a lease has to survive. */
#include "support/lease_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { HOUR_MS = 3600 * 1000 };

struct now lease_world_now(const struct lease_world *world, const struct lease_candidate *candidate)
{
    return (struct now){.mono_ms = world->now_ms + candidate->mono_offset_ms,
                        .wall_ms = world->now_ms + candidate->wall_offset_ms};
}

bool lease_world_chance(struct lease_world *world, int per_10000)
{
    return (int)random_below(&world->random, 10000) < per_10000;
}

int64_t lease_world_below(struct lease_world *world, int64_t bound)
{
    return (int64_t)random_below(&world->random, (uint64_t)bound);
}

/* ---- candidates ---- */

void lease_world_bear(struct lease_world *world, struct lease_candidate *candidate)
{
    char identity[32];
    snprintf(identity, sizeof(identity), "operator-%d-life-%d",
             (int)(candidate - world->candidates), candidate->life++);
    struct lease_options options = {
        .namespace = "system",
        .name = "operator",
        .identity = identity,
        .duration_ms = 15000,
        .renew_ms = world->renew_ms,
        .retry_ms = 2000,
        .attempt_ms = 4000,
    };
    candidate->transport = fake_transport_new();
    candidate->client = client_new(fake_transport_seam(candidate->transport), 100 * 1000);
    candidate->lease = lease_new(&options, candidate->client, &world->random);
    candidate->seen_count = 0;
    candidate->mono_offset_ms = lease_world_below(world, HOUR_MS);
    candidate->wall_offset_ms = HOUR_MS + lease_world_below(world, 2 * HOUR_MS);
}

void lease_world_end(struct lease_world *world, struct lease_candidate *candidate)
{
    for (size_t i = 0; i < world->message_count; i++) {
        if (world->messages[i].candidate == candidate) {
            world->messages[i].call = NULL;
        }
    }
    lease_free(candidate->lease);
    client_free(candidate->client);
    assert_true(world->grave_count < sizeof(world->graves) / sizeof(world->graves[0]));
    world->graves[world->grave_count++] = candidate->transport;
}

void lease_world_init(struct lease_world *world, uint64_t seed, size_t candidate_count,
                      int64_t renew_ms)
{
    *world = (struct lease_world){.candidate_count = candidate_count, .renew_ms = renew_ms};
    world->now_ms = HOUR_MS;
    world->delay_ms_max = 20;
    random_init(&world->random, seed);
    fake_leases_init(&world->leases);
    for (size_t i = 0; i < candidate_count; i++) {
        lease_world_bear(world, &world->candidates[i]);
    }
}

void lease_world_release(struct lease_world *world)
{
    for (size_t i = 0; i < world->candidate_count; i++) {
        lease_world_end(world, &world->candidates[i]);
    }
    for (size_t i = 0; i < world->grave_count; i++) {
        fake_transport_free(world->graves[i]);
    }
    fake_leases_release(&world->leases);
}

/* ---- the wire ---- */

static void send(struct lease_world *world, struct lease_candidate *candidate,
                 struct fake_call *call)
{
    size_t at = 0;
    while (at < world->message_count && world->messages[at].candidate != NULL) {
        at++;
    }
    assert_true(at < LEASE_MESSAGE_COUNT_MAX);
    world->message_count += at == world->message_count;
    struct lease_message *message = &world->messages[at];
    message->candidate = candidate;
    message->call = call;
    message->request = call->request;
    message->http_status = 0;
    message->deadline_ms = world->now_ms + call->request.deadline_ms;
    message->arrives_ms = world->now_ms + lease_world_below(world, world->delay_ms_max + 1);
    message->replies_ms = message->arrives_ms + lease_world_below(world, world->delay_ms_max + 1);
    if (lease_world_chance(world, world->lost_percent * 100)) {
        message->arrives_ms = NOW_NEVER;
    }
    if (message->arrives_ms == NOW_NEVER || lease_world_chance(world, world->lost_percent * 100)) {
        message->replies_ms = NOW_NEVER;
    }
}

static void carry_out(struct lease_world *world, struct lease_message *message)
{
    cleanup_text struct text body;
    text_init(&body, sizeof(message->body) - 1);
    message->http_status = fake_leases_answer(&world->leases, &message->request, &body);
    assert_false(body.overflowed);
    snprintf(message->body, sizeof(message->body), "%s", body.bytes);
    message->arrives_ms = NOW_NEVER;
    if (message->replies_ms != NOW_NEVER && message->replies_ms < world->now_ms) {
        message->replies_ms = world->now_ms;
    }
}

static void hear(struct lease_world *world, struct lease_message *message)
{
    if (message->http_status != 0 && message->replies_ms <= world->now_ms) {
        fake_call_reply(message->call, message->http_status, message->body);
        message->call = NULL;
    } else if (world->now_ms >= message->deadline_ms) {
        bool read = message->request.method == METHOD_GET;
        fake_call_fail(message->call, read ? ERROR_TIMEOUT : ERROR_UNKNOWN);
        message->call = NULL;
    }
}

static void wire_tick(struct lease_world *world)
{
    for (size_t i = 0; i < world->message_count; i++) {
        struct lease_message *message = &world->messages[i];
        if (message->candidate == NULL) {
            continue;
        }
        if (message->arrives_ms <= world->now_ms && world->now_ms >= world->stalled_until_ms) {
            carry_out(world, message);
        }
        if (message->call != NULL && world->now_ms >= message->candidate->frozen_until_ms) {
            hear(world, message);
        }
        if (message->call == NULL && message->arrives_ms == NOW_NEVER) {
            message->candidate = NULL;
        }
    }
}

static void candidate_tick(struct lease_world *world, struct lease_candidate *candidate)
{
    if (world->now_ms < candidate->frozen_until_ms) {
        return;
    }
    struct now now = lease_world_now(world, candidate);
    client_step(candidate->client, now);
    if (lease_wake_at(candidate->lease) <= now.mono_ms) {
        lease_step(candidate->lease, now);
        client_step(candidate->client, now);
    }
    while (candidate->seen_count < fake_transport_count(candidate->transport)) {
        send(world, candidate, fake_transport_call(candidate->transport, candidate->seen_count++));
    }
}

/* NULL: nobody. */
struct lease_candidate *lease_world_holder(struct lease_world *world)
{
    struct lease_candidate *holding = NULL;
    for (size_t i = 0; i < world->candidate_count; i++) {
        struct lease_candidate *candidate = &world->candidates[i];
        if (lease_held(candidate->lease, lease_world_now(world, candidate))) {
            assert_null(holding);
            holding = candidate;
        }
    }
    return holding;
}

void lease_world_run_for(struct lease_world *world, int64_t duration_ms)
{
    for (int64_t end_ms = world->now_ms + duration_ms; world->now_ms < end_ms;) {
        world->now_ms += LEASE_TICK_MS;
        wire_tick(world);
        for (size_t i = 0; i < world->candidate_count; i++) {
            candidate_tick(world, &world->candidates[i]);
        }
        (void)lease_world_holder(world);
    }
}

struct lease_candidate *lease_world_run_until_held(struct lease_world *world, int64_t within_ms)
{
    int64_t end_ms = world->now_ms + within_ms;
    while (lease_world_holder(world) == NULL) {
        assert_true(world->now_ms < end_ms);
        lease_world_run_for(world, LEASE_TICK_MS);
    }
    return lease_world_holder(world);
}
