/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that wait for the request they are meant for. */
#ifndef ADJOINT_SUPPORT_FAKE_FAULTS_H
#define ADJOINT_SUPPORT_FAKE_FAULTS_H

#include "kube/transport.h"

enum fake_fault {
    FAKE_REFUSE, /* with a status, nothing done */
    FAKE_LOSE,   /* done, but the reply never comes: ERROR_UNKNOWN */
    FAKE_LATE,   /* done, but the reply comes at fake_api_release */
};

struct fake_fault_row {
    enum fake_fault fault;
    enum method method;
    char path_part[128], reason[64];
    int http_status;
    bool armed;
};

#define FAKE_FAULT_COUNT_MAX 8

struct fake_faults {
    struct fake_fault_row rows[FAKE_FAULT_COUNT_MAX];
};

/* Of too many the last one is replaced. */
void fake_faults_add(struct fake_faults *faults, enum fake_fault fault, enum method method,
                     const char *path_part, int http_status, const char *reason);
/* The one meant for this request, spent by it; NULL: none. */
const struct fake_fault_row *fake_faults_meet(struct fake_faults *faults,
                                              const struct request *request);

#endif
