# SPDX-License-Identifier: Apache-2.0
"""A stand-in for Amazon FSx for OpenZFS, as far as its CSI driver talks to it.

settings     how slow and how big it is
errors       refusals, in the API's terms
faults       refusals on demand, and the count of calls
disk         volumes and snapshots as btrfs subvolumes
file_system  the state: volumes, snapshots, their lifecycles and what takes how long
operations   the API's operations, from request to reply
server       HTTP: the API, instance metadata, and the rig's own controls
"""
