# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Where the rig keeps its things, which addresses it uses, and how a command reports. Every command
# sources this first. What is built is shared by all instances; what runs belongs to one instance,
# RIG_NAME, on ports counted from RIG_PORT_BASE.

ADJOINT_RIG=${ADJOINT_RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/adjoint/rig}
RIG_NAME=${RIG_NAME:-rig}
RIG_PORT_BASE=${RIG_PORT_BASE:-16440}

rig_source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rig_bin=$ADJOINT_RIG/bin
rig_images=$ADJOINT_RIG/images
rig_manifests=$ADJOINT_RIG/manifests
rig_run=$ADJOINT_RIG/run/$RIG_NAME # this instance's state, logs and process ids
rig_kubeconfig=$rig_run/kubeconfig
rig_audit=$rig_run/audit # goes with the cluster, unlike the logs
rig_node=/run/adjoint-$RIG_NAME # what a node needs; short: a socket has a path of at most 107 bytes
rig_cgroup=adjoint-$RIG_NAME

rig_etcd_port=$((RIG_PORT_BASE + 1))
rig_etcd_peer_port=$((RIG_PORT_BASE + 2))
rig_api_port=$((RIG_PORT_BASE + 3))
rig_controllers_port=$((RIG_PORT_BASE + 4))
rig_scheduler_port=$((RIG_PORT_BASE + 5))
rig_fsx_port=$((RIG_PORT_BASE + 6))

# A node needs an address that pods can reach; a control plane alone stays on loopback. One node at
# a time a machine.
rig_node_name=rig
rig_node_address=10.200.0.1
rig_node_bridge=rig0
rig_pod_bridge=rig-pods
rig_pod_network=10.88.0.0/16
rig_service_network=10.96.0.0/16
rig_service_first_address=10.96.0.1

fsx_driver_name=fsx.openzfs.csi.aws.com
fsx_url=http://127.0.0.1:$rig_fsx_port

export ADJOINT_RIG RIG_NAME RIG_PORT_BASE
PATH=$rig_bin:$PATH:/usr/local/go/bin:/usr/sbin:/sbin

# say WORDS...: one line of progress, with the seconds since the command began. Results alone go to
# standard output.
say() { printf '%4ds  %s\n' "$SECONDS" "$*" >&2; }

fail() {
    printf 'rig: %s\n' "$*" >&2
    exit 1
}

# wait_until SECONDS WHAT COMMAND...: asks ten times a second
wait_until() {
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || fail "$what: not after waiting; see $rig_run/logs"
        sleep 0.1
    done
}

# become_root SCRIPT ARGUMENTS...: runs the script again as root, with the same settings, unless it
# is root already
become_root() {
    ((EUID == 0)) && return
    local settings
    mapfile -t settings < <(env | grep -E '^(ADJOINT_RIG|RIG_[A-Z_]+|FSX_[A-Z_]+|HOME|PATH)=')
    exec sudo env "${settings[@]}" "$@"
}
