# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The tests that people run on their own clusters: do they measure what is there, and leave nothing?

# What a field test has made carries its label, but for volumes and what is an Instance's.
field_leftovers() {
    kubectl get persistentvolumeclaims,instances,clusters -A -o name | grep -- '/adj-' || true
    kubectl get persistentvolumes -o jsonpath='{.items[*].spec.claimRef.name}' | tr ' ' '\n' |
        grep '^adj-' || true
}

found_is() { # PYTHON: an expression over what a test printed as JSON, s
    python3 -c "import json,sys; s=json.load(sys.stdin); print($1)" <<<"$found"
}

# The driver looks each 15 s, so that is the shortest gap that shows as it is.
check_fanout_shows_the_queue_and_leaves_nothing() {
    local found
    fsx_speed 14 15.5
    found=$(adj fanout -k 5 --snapshot "adjoint-pools/$golden" --storage-class fsx-clone -o json)
    fsx_speed "$FSX_CREATE_S" "$FSX_GAP_S"
    echo "$found"
    expect "what it looks like" Queue "$(found_is "s['shape']")"
    expect "left" "" "$(field_leftovers)"
}

check_burst_is_served_and_leaves_nothing() {
    local found
    pool_apply field 2 Swap >/dev/null
    wait_for 240 "two warm clones" pool_warm_is field 2
    found=$(adj burst -k 3 --pool adjoint-pools/field -n dev -o json)
    echo "$found"
    expect "ready" 3 "$(found_is "s['figures']['ready']['count']")"
    expect "left" "" "$(field_leftovers)"
}

check_bench_measures_a_clone() {
    local found
    adj clone measured -n dev --pool adjoint-pools/field --wait --timeout 5m
    found=$(adj bench storage --instance measured -n dev --seconds 2 -o json)
    echo "$found"
    expect "writes" 200 "$(found_is "s['writes']")"
    expect "pgbench ran" True "$(found_is "s['orderedPercent'] > 0")"
    expect "tables left" "" \
        "$(query measured "select relname from pg_class where relname ~ '^adj_'")"
    expect "files left" pgdata "$(kubectl -n dev exec measured-1 -c postgres -- \
        ls /var/lib/postgresql/data)"
    adj delete measured -n dev --wait
    kubectl -n adjoint-pools delete pool field --timeout=120s
}
