/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/run.h"

int main(int argc, char **argv)
{
    return run_simulator(argc, argv);
}
