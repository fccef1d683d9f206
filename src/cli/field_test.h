/* SPDX-License-Identifier: Apache-2.0 */
/* A test in the field: objects are made at times that were planned, each is waited for, and all of
   them are deleted again, whatever happens, with the volumes that came of them. A failure and a
   first Ctrl-C only begin the end sooner. Everything that is made carries LABEL_FIELD_TEST and the
   run's own label, so that what a run had to leave is found by the next one. */
#ifndef ADJOINT_CLI_FIELD_TEST_H
#define ADJOINT_CLI_FIELD_TEST_H

#include "base/json.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "kube/informer.h"

enum { FIELD_ITEMS_MAX = 10000, FIELD_WATCHES_MAX = 3 };

enum field_state {
    FIELD_AHEAD,
    FIELD_MAKING, /* the request is on its way */
    FIELD_MADE,
    FIELD_DELETING, /* likewise */
    FIELD_DELETED,
    FIELD_GONE,
};

/* One of the objects. Times are mono ms, NOW_NEVER as long as it has not come to that. */
struct field_item {
    struct field_test *test;
    const char *name;
    enum field_state state;
    int64_t due_ms;   /* since the test's start: when to make it */
    int64_t asked_ms; /* the first request for it was sent */
    int64_t done_ms;  /* what is waited for was seen */
    int64_t end_ms;   /* when to delete it, unless all are deleted sooner */
    const char *why;  /* it will not be done, in a person's words; NULL: nothing is known of that */
    bool seen, may_be_there;
    int64_t try_ms; /* private: not before that */
    void *more;     /* the command's */
};

enum field_verdict { FIELD_WAITS, FIELD_DONE, FIELD_FAILED };

struct field_watch {
    enum object_kind kind;
    struct informer_options options;
    struct informer *informer;
    struct error error; /* class ERROR_NONE, or why nothing is seen of this kind */
};

struct field_test {
    /* The command's, set before field_test_init. */
    struct cli *cli;
    const char *name; /* "fanout" */
    enum object_kind kind;
    const char *namespace;
    const char *done_word; /* "Bound" */
    int64_t life_ms;       /* of one that is done; NOW_NEVER: until none is waited for */
    void (*write_spec)(void *self, struct json_writer *json);
    /* What an object that is there has come to; out_why when it is FIELD_FAILED (borrowed). */
    enum field_verdict (*judge)(void *self, const struct object *object, struct field_item *item,
                                const char **out_why);
    void (*look)(void *self, struct now now); /* at each step between start and end; or NULL */
    void *self;

    /* Results. */
    struct field_item *items;
    size_t item_count;
    int64_t started_ms, ended_ms; /* mono; NOW_NEVER: not yet. ended: what follows is cleaning up */
    int64_t started_wall_ms;
    struct error error; /* why it ended early; class ERROR_NONE: no error did that */
    bool timed_out, stop_asked;
    char run[16];    /* this run's label */
    char prefix[48]; /* of all names */

    /* Private. */
    struct arena arena;
    struct store *store;
    struct field_watch watches[FIELD_WATCHES_MAX];
    size_t watch_count;
    struct random random;
    struct progress progress;
    struct error refusal; /* of a deletion, the last one */
    char selector[128];
    bool cleans; /* nothing is waited for */
    bool is_over;
};

/* Connects, and looks for objects of earlier runs. true: none are there, and the right to delete
   is. Otherwise it has been said, with what to do. Before field_test_init. */
MUST_CHECK bool field_test_is_clean(struct field_test *test, enum exit_code *out_code);
/* `--clean`, and nothing else: connects and deletes those. */
enum exit_code field_test_clean(struct field_test *test);

/* Plans nothing yet; all_runs: it is about what earlier runs have left. */
void field_test_init(struct field_test *test, bool all_runs);
void field_test_release(struct field_test *test);

/* One object more, so long after the start; up to FIELD_ITEMS_MAX. */
struct field_item *field_test_plan(struct field_test *test, int64_t due_ms);
/* One that is there already, of an earlier run: to be deleted. */
void field_test_plan_deletion(struct field_test *test, const char *name);
/* Sees objects of another kind as well, in the test's store. Before field_test_run. */
void field_test_watch(struct field_test *test, enum object_kind kind, const char *namespace,
                      const char *field_selector);
/* What kept a kind from being seen; class ERROR_NONE: nothing. */
const struct error *field_test_blindness(const struct field_test *test, enum object_kind kind);

/* Until all is done and gone. Makes nothing when the objects may not be watched or deleted. */
void field_test_run(struct field_test *test);

/* How many are done; sorted: their times since they were asked for, of item_count values. */
size_t field_test_times(const struct field_test *test, int64_t *sorted);

/* Says on err what went wrong and what is left, with how to get rid of it. CLI_OK: all were made,
   done and deleted, and their volumes are gone as far as that can be seen. */
enum exit_code field_test_end(struct field_test *test);

#endif
