/* SPDX-License-Identifier: Apache-2.0 */
/* The paths an informer asks for, percent-encoded, appended to out. */
#ifndef ADJOINT_KUBE_INFORMER_PATH_H
#define ADJOINT_KUBE_INFORMER_PATH_H

#include "base/text.h"
#include "kube/informer.h"

/* One page; continue_token "": the first, NULL: all in one. No resourceVersion: a quorum read. */
void informer_path_list(enum object_kind kind, const struct informer_options *options,
                        const char *continue_token, struct text *out);

/* With bookmarks; the server ends it after so many seconds. */
void informer_path_watch(enum object_kind kind, const struct informer_options *options,
                         const char *resource_version, int64_t seconds, struct text *out);

#endif
