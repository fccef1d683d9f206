/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/surroundings.h"

struct world *surroundings_world_of(struct surroundings *around, const struct object *object)
{
    if (object->kind == KIND_VOLUME) {
        const struct ledger_volume *volume = ledger_find(&around->ledger, object->meta.name);
        return volume == NULL ? NULL : volume->world;
    }
    for (int i = 0; i < around->world_count; i++) {
        if (world_has(&around->worlds[i], object)) {
            return &around->worlds[i];
        }
    }
    return NULL;
}
