/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void fake_faults_add(struct fake_faults *faults, enum fake_fault fault, enum method method,
                     const char *path_part, int http_status, const char *reason)
{
    size_t at = 0;
    while (faults->rows[at].armed && at + 1 < FAKE_FAULT_COUNT_MAX) {
        at++;
    }
    struct fake_fault_row *row = &faults->rows[at];
    *row = (struct fake_fault_row){
        .fault = fault, .method = method, .http_status = http_status, .armed = true};
    assert_true(snprintf(row->path_part, sizeof(row->path_part), "%s", path_part) <
                (int)sizeof(row->path_part));
    assert_true(snprintf(row->reason, sizeof(row->reason), "%s", reason) <
                (int)sizeof(row->reason));
}

const struct fake_fault_row *fake_faults_meet(struct fake_faults *faults,
                                              const struct request *request)
{
    for (size_t i = 0; i < FAKE_FAULT_COUNT_MAX; i++) {
        struct fake_fault_row *row = &faults->rows[i];
        if (row->armed && row->method == request->method &&
            strstr(request->path, row->path_part) != NULL) {
            row->armed = false;
            return row;
        }
    }
    return NULL;
}
