# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Starting and stopping what an instance runs. Every process gets a mark in its environment that
# names the instance, and its id goes to a file. Nothing is ever signalled by name: a process id is
# believed only while that process carries the mark, so a stale file whose number now belongs to
# somebody else does no harm, and a process whose file was lost is found again.

process_mark=ADJOINT_RIG_INSTANCE=$rig_run

# process_start NAME COMMAND...: detached, output to logs/NAME
process_start() {
    local name=$1
    shift
    mkdir -p "$rig_run/pids" "$rig_run/logs"
    env "$process_mark" setsid "$@" </dev/null >"$rig_run/logs/$name" 2>&1 9>&- &
    local id=$!
    echo "$id" >"$rig_run/pids/$name"
    while kill -0 "$id" 2>/dev/null && ! process_is_ours "$id"; do sleep 0.01; done
}

process_is_ours() { grep -qzxF "$process_mark" "/proc/$1/environ" 2>/dev/null; }

# process_id NAME: prints the id if the process runs
process_id() {
    local id
    id=$(cat "$rig_run/pids/$1" 2>/dev/null) && process_is_ours "$id" && echo "$id"
}

# processes_run NAMES...: all of them
processes_run() {
    local name
    for name in "$@"; do
        process_id "$name" >/dev/null || return 1
    done
}

# process_all: the ids of all that carry the mark, whoever forgot them
process_all() {
    { grep -lzxF "$process_mark" /proc/[0-9]*/environ 2>/dev/null || true; } | cut -d/ -f3
}

# process_signal SIGNAL IDS...: a process that ends meanwhile is no error
process_signal() {
    local signal=$1 id
    shift
    for id in "$@"; do
        process_is_ours "$id" && kill "-$signal" "$id" 2>/dev/null
    done
    return 0
}

# process_await_end SECONDS IDS...: false if one still runs when the time is over
process_await_end() {
    local deadline=$((SECONDS + $1)) id
    shift
    for id in "$@"; do
        while process_is_ours "$id"; do
            ((SECONDS < deadline)) || return 1
            sleep 0.05
        done
    done
}

# process_stop NAMES...: asks all at once, waits, and kills what has not left in five seconds
process_stop() {
    local name id ids=()
    for name in "$@"; do
        id=$(process_id "$name") && ids+=("$id")
    done
    process_signal TERM "${ids[@]}"
    process_await_end 5 "${ids[@]}" || process_signal KILL "${ids[@]}"
    for name in "$@"; do rm -f "$rig_run/pids/$name"; done
}

# process_kill_all: without asking, shims included (they inherit containerd's environment)
process_kill_all() {
    local ids
    mapfile -t ids < <(process_all)
    process_signal KILL "${ids[@]}"
    process_await_end 10 "${ids[@]}" || fail "processes ${ids[*]} do not die"
    rm -rf "$rig_run/pids"
}
