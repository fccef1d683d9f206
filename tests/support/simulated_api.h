/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated API server alone, with a namespace "dev", and requests to it in JSON with ' for ". */
#ifndef ADJOINT_TESTS_SUPPORT_SIMULATED_API_H
#define ADJOINT_TESTS_SUPPORT_SIMULATED_API_H

#include "sim/apiserver.h"
#include "sim/value.h"

struct simulated_api {
    struct world *world;
    struct apiserver *server;
    struct verb_options options; /* of the next requests */
};

int simulated_api_set_up(void **state);
int simulated_api_tear_down(void **state);

/* A tree, the caller's. Fails the test when it is no JSON. */
cJSON *simulated_json(const char *text);

struct outcome api_post(struct simulated_api *api, const struct resource *resource,
                        const char *namespace, const char *body);
struct outcome api_put(struct simulated_api *api, const struct resource *resource,
                       const char *namespace, const char *name, const char *body);
struct outcome api_patch(struct simulated_api *api, const struct resource *resource,
                         const char *namespace, const char *name, enum patch_type type,
                         const char *patch);
struct outcome api_delete(struct simulated_api *api, const struct resource *resource,
                          const char *namespace, const char *name);
struct outcome api_get(struct simulated_api *api, const struct resource *resource,
                       const char *namespace, const char *name);

/* The outcome is checked and released. *_refused: reason and the message as a whole. */
void assert_created(struct outcome outcome);
void assert_fine(struct outcome outcome);
void assert_refused(struct outcome outcome, int http_status, const char *reason,
                    const char *message);
/* The message begins so. */
void assert_refused_like(struct outcome outcome, int http_status, const char *reason,
                         const char *beginning);
/* The record's value contains the members given (in any depth; arrays as a whole). */
void assert_has(const struct record *record, const char *members);

/* Ready-made bodies. */
#define CLAIM_SPEC                                                                                 \
    "'spec':{'accessModes':['ReadWriteOncePod'],'storageClassName':'clones',"                      \
    "'resources':{'requests':{'storage':'1Gi'}}}"
#define CLAIM(name) "{'metadata':{'name':'" name "'}," CLAIM_SPEC "}"
#define VOLUME(name)                                                                               \
    "{'metadata':{'name':'" name "'},'spec':{'accessModes':['ReadWriteOncePod'],"                  \
    "'capacity':{'storage':'1Gi'},'storageClassName':'clones',"                                    \
    "'persistentVolumeReclaimPolicy':'Delete',"                                                    \
    "'csi':{'driver':'fsx.openzfs.csi.aws.com','volumeHandle':'fsvol-1'}}}"
#define POD(name, more)                                                                            \
    "{'metadata':{'name':'" name "'},'spec':{" more "'containers':[{'name':'a','image':'b'}]}}"

#endif
