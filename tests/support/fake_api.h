/* SPDX-License-Identifier: Apache-2.0 */
/* A transport that answers by itself, from a table of objects: lists, watches and writes of every
   kind, and one Lease. What is asked is answered at the next delivery, so that nothing comes from
   inside start(). Faults are asked for one by one. */
#ifndef ADJOINT_SUPPORT_FAKE_API_H
#define ADJOINT_SUPPORT_FAKE_API_H

#include "base/now.h"
#include "kube/transport.h"
#include "support/api_table.h"
#include "support/fake_faults.h"
#include "support/fake_leases.h"

struct fake_api;

struct fake_api *fake_api_new(void);
void fake_api_free(struct fake_api *api);
struct transport fake_api_seam(struct fake_api *api);
struct api_table *fake_api_table(struct fake_api *api);
struct fake_leases *fake_api_leases(struct fake_api *api);

/* Answers what was asked and tells the watches. false: there was nothing. */
bool fake_api_deliver(struct fake_api *api);

/* The next request of this method whose path has this part. http_status and reason for
   FAKE_REFUSE. */
void fake_api_fault(struct fake_api *api, enum fake_fault fault, enum method method,
                    const char *path_part, int http_status, const char *reason);
void fake_api_release(struct fake_api *api);
/* Faults that were not met are taken back. */
void fake_api_forgive(struct fake_api *api);
/* After so many more writes (0: never) it goes silent: the last one is done, but nobody hears of
   it, and nothing is answered any more until this is called again. */
void fake_api_stop_after(struct fake_api *api, size_t write_count);
bool fake_api_stopped(const struct fake_api *api);
/* Watches tell nothing until they are let go. */
void fake_api_hold_watches(struct fake_api *api, bool hold);

/* Requests and watches that were started and have not ended. */
size_t fake_api_running(const struct fake_api *api);
/* Writes so far, those that were refused too; neither the Lease's nor dry runs. */
size_t fake_api_write_count(const struct fake_api *api);
/* `METHOD path\n` of each request but lists, watches and the Lease's, since the last call;
   queries are left out, but for dryRun. Valid until the next call. */
const char *fake_api_take_log(struct fake_api *api);

#endif
