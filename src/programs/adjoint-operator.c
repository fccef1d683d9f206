/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run.h"

int main(int argc, char **argv)
{
    return run_operator(argc, argv);
}
