# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The main job, and what happens to a database whose Cluster and PVC somebody deletes.

check_pool_fills() {
    pool_apply shop 3 Swap
    wait_for 180 "three warm clones" pool_warm_is shop 3
    expect "GoldenReady" True "$(pool_field shop 'conditions[?(@.type=="GoldenReady")].status')"
    expect "clones in FSx" 3 "$(fsx_clones)"
}

# Every volume that FSx made since then was made for a holding PVC of the pool's refill.
refill_alone_created() { # NAMES-BEFORE
    local name uid
    for name in $(fsx_names); do
        [[ " $1 " != *" $name "* ]] || continue
        uid=${name#pvc-}
        kubectl -n adjoint-pools get pvc -l adjoint.dev/role=holding \
            -o jsonpath='{.items[*].metadata.uid}' | grep -q "$uid" ||
            { echo "volume $name was not made by the refill" && return 1; }
    done
}

check_claim_is_ready_with_the_goldens_rows() {
    local before handle
    before=$(fsx_names)
    adj clone alice -n dev --pool adjoint-pools/shop --wait --timeout 3m
    handle=$(instance_field alice volume.handle)
    expect "marker" 42 "$(query alice 'select answer from marker')"
    expect "pgbench rows" 500000 "$(query alice 'select count(*) from pgbench_accounts')"
    [[ " $before " == *" $(fsx_name "$handle") "* ]]
    refill_alone_created "$before"
    expect "system identifier" "$(cluster_identity adjoint-pools golden)" \
        "$(cluster_identity dev alice)"
    expect "Jobs" "" "$(kubectl -n dev get jobs -o name)"
    expect "policy" Retain "$(volume_policy "$(instance_field alice volume.name)")"
    adj why alice -n dev
}

check_owner_logs_in_with_the_secret() {
    local user password
    user=$(instance_field alice connection.user)
    password=$(kubectl -n dev get secret "$(instance_field alice connection.secret)" \
        -o jsonpath='{.data.password}' | base64 -d)
    expect "as its owner" "$user" "$(kubectl -n dev exec alice-1 -c postgres -- env \
        PGPASSWORD="$password" psql -h 127.0.0.1 -U "$user" -At app -c 'select current_user')"
}

check_secret_is_a_service_binding() {
    local secret uri
    secret=$(instance_field alice binding.name)
    expect "bound with" "$secret" "$(instance_field alice connection.secret)"
    expect "its type" kubernetes.io/basic-auth \
        "$(kubectl -n dev get secret "$secret" -o jsonpath='{.type}')"
    uri=$(kubectl -n dev get secret "$secret" -o jsonpath='{.data.uri}' | base64 -d)
    expect "by its URI" "$(instance_field alice connection.user)" \
        "$(kubectl -n dev exec alice-1 -c postgres -- psql "$uri" -At -c 'select current_user')"
    expect "Secrets of CloudNativePG for the owner" "" \
        "$(kubectl -n dev get secret alice-app -o name --ignore-not-found)"
}

check_pool_is_full_again() {
    wait_for 180 "three warm clones" pool_warm_is shop 3
}

check_cluster_and_pvc_deleted_by_hand_keep_the_data() {
    local handle volume
    handle=$(instance_field alice volume.handle)
    volume=$(instance_field alice volume.name)
    query alice "create table mine as select 'kept' as word"
    kubectl -n dev delete cluster alice
    kubectl -n dev delete pvc alice-1 --ignore-not-found --wait
    wait_for 60 "the Instance says so" instance_phase_is alice Failed
    wait_for 60 "the volume is Released" volume_phase_is "$volume" Released
    fsx_has "$handle"
    adj adopt alice -n dev
    wait_for 120 "Ready again" instance_phase_is alice Ready
    expect "its rows" kept "$(query alice 'select word from mine')"
    expect "its volume" "$handle" "$(instance_field alice volume.handle)"
    expect "Jobs" "" "$(kubectl -n dev get jobs -o name)"
}

check_deletion_destroys_the_volume() {
    local handle volume
    handle=$(instance_field alice volume.handle)
    volume=$(instance_field alice volume.name)
    adj delete alice -n dev
    wait_for 120 "the Instance is gone" instance_gone alice
    wait_for 120 "the PV is gone" volume_gone "$volume"
    wait_for 120 "FSx has destroyed it" fsx_lacks "$handle"
    expect "PVCs of dev" "" "$(kubectl -n dev get pvc -o name)"
}
