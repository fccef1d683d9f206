/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/adj.h"
#include "base/memory.h"

int main(int argc, char **argv)
{
    memory_adopt_libraries();
    return adj_main(argc, argv);
}
