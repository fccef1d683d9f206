/* SPDX-License-Identifier: Apache-2.0 */
/* main [SIDE] [TOPIC]: the same assertions to the simulator and to a real cluster. SIDE is one of
   them, TOPIC one topic alone, or "timings", or "topics": all but those. The cluster is where
   KUBECONFIG says; CONFORMANCE_ETCD is the URL of its etcd. See the script `run`. */
#include "base/memory.h"
#include "conformance/preparation.h"
#include "conformance/stage.h"
#include "conformance/timings.h"
#include "conformance/topics.h"

#include <stdio.h>
#include <stdlib.h>

#define TIMINGS "timings"
#define TOPICS "topics"

enum { SIDES = 2, TOPICS_MAX = 40, EXIT_WRONG = 2 };

struct side {
    const char *name;
    struct subject subject;
    struct stage *stage; /* NULL: not asked */
    struct tally tallies[TOPICS_MAX], timed;
    struct timings timings;
};

struct selection {
    const char *side, *topic; /* NULL: all */
    bool no_timings;
};

static bool is_selected(const char *selected, const char *name)
{
    return selected == NULL || text_equal(selected, name);
}

static bool is_timed(const struct selection *selection)
{
    return !selection->no_timings && is_selected(selection->topic, TIMINGS);
}

/* ---- sides ---- */

static bool open_side(struct side *side, struct error *error)
{
    if (text_equal(side->name, "simulator")) {
        subject_open_simulator(&side->subject);
    } else if (!subject_open_cluster(getenv("CONFORMANCE_ETCD"), &side->subject, error)) {
        return false;
    }
    side->stage = stage_new(&side->subject);
    return preparation_make(&side->subject, error) || error_wrap(error, "%s", side->name);
}

static bool open_sides(struct side sides[SIDES], const struct selection *selection,
                       struct error *error)
{
    for (int i = 0; i < SIDES; i++) {
        if (is_selected(selection->side, sides[i].name) && !open_side(&sides[i], error)) {
            return false;
        }
    }
    return true;
}

static void close_sides(struct side sides[SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        if (sides[i].stage != NULL) {
            stage_free(sides[i].stage);
            sides[i].subject.free(sides[i].subject.self);
        }
    }
}

/* ---- the table ---- */

static void print_tally(const struct side *side, const struct tally *tally)
{
    if (side->stage == NULL) {
        (void)printf(" %14s", "-");
    } else if (tally->failed == 0) {
        (void)printf(" %14d", tally->passed);
    } else {
        (void)printf(" %6d, %d bad", tally->passed, tally->failed);
    }
}

static void add(struct tally *all, struct tally some)
{
    all->passed += some.passed;
    all->failed += some.failed;
}

static struct tally print_table(const struct side sides[SIDES], const struct selection *selection)
{
    struct tally all = {0};
    (void)printf("\n%-24s %14s %14s\n", "assertions", sides[0].name, sides[1].name);
    for (int topic = 0; topics[topic] != NULL; topic++) {
        if (!is_selected(selection->topic, topics[topic]->name)) {
            continue;
        }
        (void)printf("%-24s", topics[topic]->name);
        for (int i = 0; i < SIDES; i++) {
            print_tally(&sides[i], &sides[i].tallies[topic]);
            add(&all, sides[i].tallies[topic]);
        }
        (void)printf("\n");
    }
    return all;
}

static void measure(struct side sides[SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        if (sides[i].stage != NULL) {
            sides[i].timed = timings_measure(&sides[i].subject, &sides[i].timings);
        }
    }
    if (sides[0].stage != NULL && sides[1].stage != NULL) {
        add(&sides[1].timed,
            timings_repeat(&sides[1].subject, &sides[0].timings, &sides[1].timings));
    }
}

static struct tally print_timings(const struct side sides[SIDES])
{
    struct tally all = timings_compare(sides[0].stage == NULL ? NULL : &sides[0].timings,
                                       sides[1].stage == NULL ? NULL : &sides[1].timings);
    add(&all, sides[0].timed);
    add(&all, sides[1].timed);
    return all;
}

/* ---- all of it ---- */

static void play(struct side sides[SIDES], const struct selection *selection)
{
    for (int topic = 0; topics[topic] != NULL; topic++) {
        for (int i = 0; i < SIDES && is_selected(selection->topic, topics[topic]->name); i++) {
            if (sides[i].stage != NULL) {
                sides[i].tallies[topic] = stage_play(sides[i].stage, topics[topic]);
            }
        }
    }
    if (is_timed(selection)) {
        measure(sides);
    }
}

static bool read_selection(int argc, char **argv, const struct side sides[SIDES],
                           struct selection *out)
{
    for (int i = 1; i < argc; i++) {
        bool is_side = text_equal(argv[i], sides[0].name) || text_equal(argv[i], sides[1].name);
        bool is_all = text_equal(argv[i], TOPICS);
        bool is_topic = text_equal(argv[i], TIMINGS);
        for (int topic = 0; topics[topic] != NULL; topic++) {
            is_topic = is_topic || text_equal(argv[i], topics[topic]->name);
        }
        if (!is_side && !is_topic && !is_all) {
            (void)fprintf(stderr, "there is no side and no topic %s\n", argv[i]);
            return false;
        }
        out->side = is_side ? argv[i] : out->side;
        out->topic = is_topic ? argv[i] : out->topic;
        out->no_timings = out->no_timings || is_all;
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct side sides[SIDES] = {{.name = "simulator"}, {.name = "cluster"}};
    struct selection selection = {0};
    struct error error;
    memory_adopt_libraries();
    if (!read_selection(argc, argv, sides, &selection)) {
        return EXIT_WRONG;
    }
    if (!open_sides(sides, &selection, &error)) {
        (void)fprintf(stderr, "conformance: %s\n", error.message);
        close_sides(sides);
        return EXIT_WRONG;
    }
    play(sides, &selection);
    struct tally all = print_table(sides, &selection);
    if (is_timed(&selection)) {
        add(&all, print_timings(sides));
    }
    close_sides(sides);
    (void)printf("%d passed, %d failed\n", all.passed, all.failed);
    return all.failed == 0 && all.passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
