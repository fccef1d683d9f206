# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Removes whatever an instance left, in whatever state it was left: after an orderly stop, after
# everything was killed, after its directories were deleted. Each thing is found in the kernel's own
# tables by a path or name that only this instance uses, not in notes of what was once made. Every
# step does nothing if there is nothing to do.

# Containers do not carry the process mark, but all of them live below the instance's own cgroup.
# A cgroup may vanish between being found and being read.
leftovers_container_processes() {
    find /sys/fs/cgroup -path "*/$rig_cgroup/*" -name cgroup.procs -exec cat {} + 2>/dev/null |
        sort -u || true
}

leftovers_kill_containers() {
    local deadline=$((SECONDS + 10)) ids
    while mapfile -t ids < <(leftovers_container_processes) && ((${#ids[@]})); do
        ((SECONDS < deadline)) || fail "containers below the cgroup $rig_cgroup do not die"
        kill -KILL "${ids[@]}" 2>/dev/null || true
        sleep 0.05
    done
}

leftovers_remove_cgroups() {
    find /sys/fs/cgroup -depth -type d \( -path "*/$rig_cgroup" -o -path "*/$rig_cgroup/*" \) \
        -exec rmdir {} + 2>/dev/null || true
}

# leftovers_mounts PATH: the mount points at and below it, the innermost first
leftovers_mounts() {
    awk -v at="$1" '$5 == at || index($5, at "/") == 1 { print $5 }' /proc/self/mountinfo | tac
}

leftovers_unmount() {
    local path mountpoint
    for path in "$rig_run" "$rig_node"; do
        while read -r mountpoint; do
            umount -l "$(printf '%b' "$mountpoint")" || fail "cannot unmount $mountpoint"
        done < <(leftovers_mounts "$path")
    done
}

# A loop device outlives its mount if the file below it was deleted or the mount was detached while
# busy.
leftovers_detach_loops() {
    local device file
    while read -r device file; do
        [[ ${file% (deleted)} == "$rig_run"/* ]] && losetup -d "$device"
    done < <(losetup -l -n -O NAME,BACK-FILE)
    return 0
}

# kube-proxy and kubelet leave their chains behind; kube-proxy's own clean-up spares those it
# shares.
leftovers_remove_chains() {
    local family rules
    for family in iptables ip6tables; do
        rules=$("$family-save" 2>/dev/null) || continue
        [[ $rules == *KUBE-* ]] || continue
        grep -v KUBE- <<<"$rules" | "$family-restore"
    done
}

leftovers_remove_network() {
    local bridge
    for bridge in "$rig_pod_bridge" "$rig_node_bridge"; do
        [[ ! -e /sys/class/net/$bridge ]] || ip link delete "$bridge"
    done
    leftovers_remove_chains
}

# Shims make their sockets here, wherever containerd's state is: those that nobody listens on go.
leftovers_remove_shim_sockets() {
    local socket
    for socket in /run/containerd/s/*; do
        [[ ! -S $socket ]] || grep -q " $socket\$" /proc/net/unix || rm -f "$socket"
    done
}

# The kubelet links every container's log here, whatever its own directory is.
leftovers_remove_log_links() {
    [[ -d /var/log/containers ]] || return 0
    find /var/log/containers -type l -lname "$rig_node/*" -delete
}

# shellcheck disable=SC2120  # some commands have no argument to give
# leftovers_clear [node]: everything but binaries, images and, if the directory is still there, the
# logs. Only an instance with a node has more than processes and files; one without must not touch
# the bridges of another's.
leftovers_clear() {
    process_kill_all
    if [[ -d $rig_node || ${1:-} == node ]]; then
        leftovers_kill_containers
        leftovers_unmount
        leftovers_detach_loops
        leftovers_remove_network
        leftovers_remove_shim_sockets
        leftovers_remove_log_links
        leftovers_remove_cgroups
        rm -rf --one-file-system "$rig_node"
    fi
    [[ ! -d $rig_run ]] || find "$rig_run" -mindepth 1 -maxdepth 1 ! -name logs \
        -exec rm -rf --one-file-system {} +
}
