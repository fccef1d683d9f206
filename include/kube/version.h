/* SPDX-License-Identifier: Apache-2.0 */
/* resourceVersions. Opaque by the API conventions; comparable when both are decimal (KEP-5504 says
   they are from 1.35 on): then by length, then digits. */
#ifndef ADJOINT_KUBE_VERSION_H
#define ADJOINT_KUBE_VERSION_H

enum version_order { VERSION_OLDER, VERSION_SAME, VERSION_NEWER, VERSION_UNORDERED };

/* `version` against `other`; either may be NULL or "" (UNORDERED). Leading zeros: UNORDERED. */
enum version_order version_compare(const char *version, const char *other);

#endif
