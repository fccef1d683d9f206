/* SPDX-License-Identifier: Apache-2.0 */
/* FSx is not part of Kubernetes, so what it was asked for is told beside the API, for those who
   count calls. */
#include "base/json.h"
#include "base/text.h"
#include "sim/simulation.h"

static void append_volume(void *self, const struct fsx_volume_seen *volume)
{
    struct json_writer *writer = self;
    json_begin_object(writer);
    json_member_string(writer, "handle", volume->handle);
    json_member_string(writer, "name", volume->name);
    json_member_string(writer, "origin", volume->origin);
    json_member_int64(writer, "mountedBy", volume->mounted_by);
    json_end_object(writer);
}

void simulation_fsx_report(const struct simulation *simulation, struct text *out)
{
    struct fsx_counts counts = simulation_fsx_counts(simulation);
    struct json_writer writer;
    json_writer_init(&writer, out);
    json_begin_object(&writer);
    json_member_object(&writer, "calls");
    json_member_int64(&writer, "createVolume", (int64_t)counts.creates);
    json_member_int64(&writer, "deleteVolume", (int64_t)counts.deletes);
    json_member_int64(&writer, "describeVolumes", (int64_t)counts.describes);
    json_end_object(&writer);
    json_member_array(&writer, "volumes");
    simulation_fsx_volumes(simulation, append_volume, &writer);
    json_end_array(&writer);
    json_end_object(&writer);
    text_append(out, "\n");
}
