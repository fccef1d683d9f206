# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs checks, each in a shell of its own, and counts them. A check fails with the first command
# that does; what it printed is shown then.

report_passed=0
report_failed=0
report_directory=$(mktemp -d)

report_run() {
    local name=$1 log=$report_directory/$1.log began=$SECONDS status
    set +e # not as the condition of an `if`: bash would ignore -e inside, too
    (
        set -euo pipefail
        "$name"
    ) >"$log" 2>&1
    status=$?
    set -e
    if ((status == 0)); then
        report_passed=$((report_passed + 1))
        printf 'ok    %-44s %4d s\n' "${name#check_}" $((SECONDS - began))
        sed -n 's/^figure: /      /p' "$log"
    else
        report_failed=$((report_failed + 1))
        printf 'FAIL  %-44s %4d s\n' "${name#check_}" $((SECONDS - began))
        tail -n 40 "$log" | sed 's/^/      | /'
        tail -n 15 "${operator_log:-/dev/null}" | cut -c1-400 | sed 's/^/      > /'
    fi
}

# In a check: a line that is shown even when it passes.
figure() { echo "figure: $*"; }

expect() { # WHAT EXPECTED ACTUAL
    [[ $2 == "$3" ]] || {
        echo "$1: expected '$2', got '$3'"
        return 1
    }
}

report_close() {
    rm -rf "$report_directory"
    echo "$report_passed passed, $report_failed failed"
    ((report_failed == 0))
}
