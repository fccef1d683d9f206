# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What comes after the first claim: a newer golden, a reset to it, and sleep. The end of a lifetime
# is not here: it is believed after ten minutes of a steady clock alone.

clones_are_of() { # GOLDEN: each warm clone of the Pool
    local of
    of=$(kubectl get pv -l adjoint.dev/pool=lives,adjoint.dev/state=warm \
        -o 'jsonpath={.items[*].metadata.annotations.adjoint\.dev/golden}')
    [[ $of == "$1 $1" ]]
}

check_a_newer_golden_replaces_the_clones() {
    local newer handle
    pool_apply lives 2 Swap
    wait_for 180 "two warm clones" pool_warm_is lives 2
    adj clone carol -n dev --pool adjoint-pools/lives --wait --timeout 3m
    wait_for 180 "two warm clones again" pool_warm_is lives 2
    kubectl -n adjoint-pools exec golden-1 -c postgres -- \
        psql -U postgres -At app -c 'update marker set answer = 43'
    newer=$("$here/rig/golden")
    kubectl -n adjoint-pools patch pool lives --type=merge \
        -p "{\"spec\":{\"golden\":{\"snapshot\":\"$newer\"}}}"
    wait_for 300 "all warm clones are of it" clones_are_of "$newer"
    expect "who runs has what she had" 42 "$(query carol 'select answer from marker')"
    handle=$(instance_field carol volume.handle)
    fsx_has "$handle"
}

check_a_reset_is_of_the_newer_golden_under_the_same_name() {
    local handle host password
    handle=$(instance_field carol volume.handle)
    host=$(instance_field carol connection.host)
    password=$(secret_value carol password)
    query carol 'create table mine ()'
    adj reset carol -n dev --golden current --wait --timeout 4m
    expect "marker" 43 "$(query carol 'select answer from marker')"
    expect "tables of before" 0 \
        "$(query carol "select count(*) from pg_class where relname = 'mine'")"
    expect "host" "$host" "$(instance_field carol connection.host)"
    expect "password" "$password" "$(secret_value carol password)"
    wait_for 120 "the volume of before is gone from FSx" fsx_lacks "$handle"
}

pods_of_carol_gone() {
    [[ -z $(kubectl -n dev get pods -l cnpg.io/cluster=carol -o name) ]]
}

check_who_sleeps_keeps_its_rows() {
    local volume
    volume=$(instance_field carol volume.name)
    query carol 'create table kept as select 7 as seven'
    adj hibernate carol -n dev
    wait_for 120 "no pod" pods_of_carol_gone
    wait_for 30 "Hibernated" instance_phase_is carol Hibernated
    expect "its volume" Bound "$(kubectl get pv "$volume" -o jsonpath='{.status.phase}')"
    adj wake carol -n dev --wait --timeout 3m
    expect "rows" 7 "$(query carol 'select seven from kept')"
    expect "volume" "$volume" "$(instance_field carol volume.name)"
}

check_what_lived_on_goes_with_its_pool() {
    local handle
    handle=$(instance_field carol volume.handle)
    kubectl -n dev delete instance carol --timeout=180s
    wait_for 120 "her volume is gone from FSx" fsx_lacks "$handle"
    kubectl -n adjoint-pools delete pool lives --timeout=120s
}
