/* SPDX-License-Identifier: Apache-2.0 */
/* Two readers of quantities, the operator's and the simulator's, written apart: they take the same
   texts and mean the same by them, up to where the simulator's thousandths end. */
#include "api/quantity.h"

#include "base/memory.h"
#include "sim/amount.h"
#include "support/fuzz_input.h"

static const int64_t COMMON_MAX = INT64_MAX / 1000;

static int64_t rounded_up(int64_t milli)
{
    int64_t whole = milli / 1000;
    if (milli % 1000 == 0) {
        return whole;
    }
    return milli > 0 ? whole + 1 : whole - 1;
}

static void require_prints(int64_t milli, bool is_binary)
{
    char printed[AMOUNT_BYTES];
    int64_t again = 0;
    amount_print(milli, is_binary, printed);
    cJSON *value = cJSON_CreateString(printed);
    fuzz_require(amount_parse(value, &again) && again == milli, "an amount prints as itself");
    cJSON_Delete(value);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *text = fuzz_input_text(&input);
    int64_t value = 0;
    int64_t milli = 0;
    struct error error;
    cJSON *string = cJSON_CreateString(text);
    bool ours = quantity_parse(text, &value, &error);
    bool theirs = amount_parse(string, &milli);
    cJSON_Delete(string);
    fuzz_require(!ours || theirs, "what the operator takes, the simulator takes");
    if (ours && value < COMMON_MAX && value > -COMMON_MAX) {
        fuzz_require(rounded_up(milli) == value, "both mean the same");
        require_prints(milli, true);
        require_prints(milli, false);
    }
    return 0;
}
