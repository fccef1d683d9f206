/* SPDX-License-Identifier: Apache-2.0 */
/* xoshiro256** seeded by splitmix64, both by Blackman and Vigna (https://prng.di.unimi.it): the C
   library's generators differ from system to system, and a seed in a bug report must not. */
#include "base/random.h"

#include <assert.h>
#include <stddef.h>

static uint64_t rotate_left(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

void random_init(struct random *random, uint64_t seed)
{
    for (size_t i = 0; i < sizeof(random->state) / sizeof(random->state[0]); i++) {
        seed += 0x9E3779B97F4A7C15;
        uint64_t mixed = seed;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        random->state[i] = mixed ^ mixed >> 31;
    }
}

uint64_t random_next(struct random *random)
{
    uint64_t *state = random->state;
    uint64_t number = rotate_left(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate_left(state[3], 45);
    return number;
}

/* The first 2^64 mod bound numbers are drawn again; with them the low results would be likelier. */
uint64_t random_below(struct random *random, uint64_t bound)
{
    assert(bound > 0);
    uint64_t rejected_count = (UINT64_MAX - bound + 1) % bound;
    uint64_t number = random_next(random);
    while (number < rejected_count) {
        number = random_next(random);
    }
    return number % bound;
}

int64_t random_jitter(struct random *random, int64_t value, int percent)
{
    assert(value >= 0);
    assert(percent >= 0 && percent <= 100);
    int64_t spread = value / 100 * percent + value % 100 * percent / 100;
    int64_t lowest = value - spread;
    int64_t highest = value > INT64_MAX - spread ? INT64_MAX : value + spread;
    uint64_t width = (uint64_t)(highest - lowest);
    return lowest + (int64_t)random_below(random, width + 1);
}
