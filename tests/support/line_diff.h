/* SPDX-License-Identifier: Apache-2.0 */
/* Two texts beside each other, by lines: `- ` only in the first, `+ ` only in the second. */
#ifndef ADJOINT_SUPPORT_LINE_DIFF_H
#define ADJOINT_SUPPORT_LINE_DIFF_H

#include "base/text.h"

void line_diff(const char *one, const char *other, struct text *out);

#endif
