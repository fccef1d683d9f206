/* SPDX-License-Identifier: Apache-2.0 */
/* An informer of namespaces (a kind without selector) on a fake transport and a store of its own.
 */
#ifndef ADJOINT_SUPPORT_INFORMER_FIXTURE_H
#define ADJOINT_SUPPORT_INFORMER_FIXTURE_H

#include "base/text.h"
#include "kube/informer.h"
#include "support/fake_transport.h"

struct informer_fixture {
    struct informer_options options; /* two objects a page, back-off of 100 to 10,000 ms */
    struct fake_transport *transport;
    struct store *store;
    struct informer *informer;
    int64_t mono_ms;        /* of the last step */
    struct text heard;      /* of the store: "+name " "~name " "-name " */
    const char *kept_label; /* keep what has it; NULL: all */
};

/* As cmocka wants them; *state is the fixture. */
int informer_fixture_set_up(void **state);
int informer_fixture_tear_down(void **state);

/* An informer of this kind instead, not stepped yet. */
void informer_fixture_use(struct informer_fixture *fixture, enum object_kind kind, uint64_t seed);

/* At this time; twice, since the second must do nothing. Then nothing may be left to do. */
void informer_fixture_step(struct informer_fixture *fixture, int64_t mono_ms);
/* When it wants to be woken next, which must be of its own accord. */
void informer_fixture_step_when_due(struct informer_fixture *fixture);

/* Answers the call that runs with this list (items: JSON with ' for "), and steps. */
void informer_fixture_list(struct informer_fixture *fixture, const char *version,
                           const char *continue_token, const char *items);
/* First list without pages, at version, then the watch runs. */
void informer_fixture_sync(struct informer_fixture *fixture, const char *version,
                           const char *items);

struct fake_call *informer_fixture_call(struct informer_fixture *fixture); /* the last, running */
void informer_fixture_assert_path_has(struct informer_fixture *fixture, const char *part);
void informer_fixture_assert_path_lacks(struct informer_fixture *fixture, const char *part);
/* "+a ~b -a ", and forgets it. */
void informer_fixture_assert_heard(struct informer_fixture *fixture, const char *expected);

/* One object, JSON with ' for ". */
#define NAMESPACE(name, version)                                                                   \
    "{'metadata':{'name':'" name "','uid':'uid-" name "','resourceVersion':'" version "'}}"
#define EVENT(type, object) "{'type':'" type "','object':" object "}\n"
#define BOOKMARK(version)                                                                          \
    EVENT("BOOKMARK", "{'kind':'Namespace','metadata':{'resourceVersion':'" version "'}}")
#define GONE_STATUS                                                                                \
    "{'kind':'Status','status':'Failure','reason':'Expired','code':410,'message':'too old'}"

#endif
