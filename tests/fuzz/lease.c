/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a Lease says: what was read is written as a Lease that says the same. */
#include "kube/lease_record.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    cleanup_text struct text written;
    text_init(&written, FUZZ_TEXT_BYTES_MAX);
    struct lease_record record;
    struct lease_record again;
    struct error error;
    if (!lease_record_read((const char *)bytes, byte_count, &arena, &record, &error)) {
        return 0;
    }
    fuzz_require(record.resource_version != NULL && record.holder != NULL, "it is whole");
    lease_record_write(&record, "n", "lease", &written);
    fuzz_require(lease_record_read(written.bytes, written.length_bytes, &arena, &again, &error) &&
                     text_equal(again.holder, record.holder) &&
                     again.transitions == record.transitions &&
                     again.duration_seconds == record.duration_seconds &&
                     text_equal(again.resource_version, record.resource_version) &&
                     text_equal(again.renew_time, record.renew_time) &&
                     text_equal(again.acquire_time, record.acquire_time),
                 "a Lease reads back the same");
    return 0;
}
