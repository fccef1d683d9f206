/* SPDX-License-Identifier: Apache-2.0 */
/* What the judge knows of each volume and each Instance there ever was. */
#ifndef ADJOINT_SIMULATION_BOOKS_H
#define ADJOINT_SIMULATION_BOOKS_H

#include "base/arena.h"
#include "base/map.h"
#include "sim/apiserver.h"
#include "simulation/judge.h"
#include "simulation/sight.h"

struct volume_entry {
    struct volume_entry *next;
    const char *handle;
    struct record *record;    /* its PV as it is; NULL: it has none */
    const char *owner_uid;    /* the first Instance whose PVC was Bound to it; NULL: nobody */
    const char *labelled_uid; /* the last Instance its labels named; NULL: none did */
    bool was_there_before, is_for_pool;
    bool is_given_up; /* its Instance asked to be reset */
    bool was_retired;
    unsigned edits;
};

struct instance_entry {
    struct instance_entry *next;
    const char *uid, *namespace, *name, *created;
    const char *pool, *pool_namespace;
    int64_t waits_since_ms; /* mono; 0: it does not */
    int64_t passed_over_ms; /* mono: another one was served although its turn was later */
    int64_t observed_generation;
    int64_t served_ms; /* wall: a volume was first seen to be its own; 0: never */
    bool was_ended;    /* a person deleted it, or its namespace */
    bool current_only;
    bool retains, asked; /* asked: deleted with deletionPolicy Delete */
    bool is_gone, is_deleting, has_volume, was_ready, was_touched, was_sanitized;
};

struct pool_entry {
    const char *uid;
    int64_t size, warm_floor; /* now */
    bool scales;              /* its size was changed */
};

struct judge {
    struct judge_options options;
    struct simulation *simulation;
    struct apiserver *server;
    struct objects_listener *listener;
    const struct resource *pools, *instances;
    struct arena arena;
    struct volume_entry *volumes;
    struct instance_entry *instance_list;
    struct map by_handle, by_volume, by_instance; /* CSI handle, PV's name, Instance's uid */
    struct map by_pool;                           /* its uid */
    struct map by_request;                        /* method and path */
    struct map diverted; /* names of volumes whose PVC took another one, freed by a person */
    int64_t volumes_max; /* of the Pool that changed last */
    int64_t size_max, surge_max; /* of any Pool, ever */
    bool rotates;                /* another golden came */
    int64_t news_ms;             /* mono: then */
    bool has_late_writes, has_rivals;
    char *verdict;
};

/* NULL when absent. */
struct volume_entry *books_volume(const struct judge *judge, const char *name);
struct instance_entry *books_instance(const struct judge *judge, const char *uid);
/* Is there and nobody has asked for its end. */
bool books_lives(const struct judge *judge, const char *instance_uid);

void judge_volume(struct judge *judge, const struct change *change);
void judge_claim(struct judge *judge, const struct change *change);
void judge_instance(struct judge *judge, const struct change *change);
void judge_pod(struct judge *judge, const struct change *change);

/* judge_rotation.c */
void judge_pool(struct judge *judge, const struct change *change);
void judge_new_golden(struct judge *judge, const struct record *snapshot);
/* It went from warm to retiring. */
void judge_retirement(struct judge *judge, const struct volume_sight *volume);
/* This volume has been chosen for it. */
void judge_choice(struct judge *judge, const struct instance_entry *entry, const char *volume);
bool judge_is_stale(const struct judge *judge, const char *volume);

#endif
