/* SPDX-License-Identifier: Apache-2.0 */
/* The tz database as systems have it: /usr/share/zoneinfo, a file for each zone. */
#ifndef ADJOINT_IO_ZONE_FILES_H
#define ADJOINT_IO_ZONE_FILES_H

#include "base/time_zone.h"

struct time_zone_source zone_files(void);

#endif
