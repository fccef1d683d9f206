# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds, starts, kills and stops the operator under test. Its process id and log are in files, so
# that checks in shells of their own see them.

operator_directory=$(mktemp -d)
operator_log=$operator_directory/log
: >"$operator_log"
operator_pid_file=$operator_directory/pid

operator_build() { # asan | valgrind | release
    local flavour=release
    [[ $1 != asan ]] || flavour=sanitize
    make -s -C "$repository" FLAVOUR=$flavour CC=gcc all
    operator_bin=$repository/build/$flavour-gcc
    operator_command=("$operator_bin/adjoint-operator" --lease-namespace adjoint-system
        --log-level debug --lease-duration 3s --lease-renew-deadline 2s --lease-retry-period 500ms)
    [[ $1 != valgrind ]] || operator_command=(valgrind --quiet --error-exitcode=99
        --leak-check=full --errors-for-leak-kinds=definite,indirect "${operator_command[@]}")
    export ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=print_stacktrace=1
    PATH=$operator_bin:$PATH
}

# The chart, but for its pods: the one under test runs beside it, with the rights of its service
# account and no others.
operator_install() {
    "$here/rig/build" chart-tools
    release_install --set replicas=0
    kubectl wait --for=condition=Established --timeout=60s \
        crd/pools.adjoint.dev crd/instances.adjoint.dev >/dev/null
    operator_credentials
}

# Those of the service account that is there: another of the same name has another uid.
operator_credentials() {
    local token
    token=$(kubectl -n adjoint-system create token adjoint --duration=6h)
    kubectl config view --raw --flatten >"$operator_directory/kubeconfig"
    kubectl --kubeconfig "$operator_directory/kubeconfig" config set-credentials adjoint \
        --token="$token" >/dev/null
    kubectl --kubeconfig "$operator_directory/kubeconfig" config set-context --current \
        --user=adjoint >/dev/null
}

operator_start() {
    setsid "${operator_command[@]}" --kubeconfig "$operator_directory/kubeconfig" \
        >>"$operator_log" 2>&1 </dev/null &
    echo $! >"$operator_pid_file"
    disown
}

operator_pid() { cat "$operator_pid_file"; }

operator_runs() { kill -0 "$(operator_pid)" 2>/dev/null; }

operator_kill() { # at once, as a node's death would
    kill -9 "$(operator_pid)" 2>/dev/null || true
    while operator_runs; do sleep 0.05; done
}

# Asks it to stop and waits; its exit code is what a supervisor would see.
operator_stop() {
    [[ -s $operator_pid_file ]] || return 0
    local pid
    pid=$(operator_pid)
    kill -TERM "$pid" 2>/dev/null || return 0
    for _ in $(seq 300); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    echo "the operator did not stop within 30 s"
    kill -9 "$pid"
    return 1
}

# The last check of a run: it still runs, stops when asked to, and no tool complained meanwhile.
operator_ends_clean() {
    operator_runs || { echo "the operator is gone" && return 1; }
    operator_stop
    ! grep -E 'AddressSanitizer|LeakSanitizer|runtime error|^==[0-9]+==' "$operator_log"
    grep -q '"message":"stopped"' "$operator_log"
}
