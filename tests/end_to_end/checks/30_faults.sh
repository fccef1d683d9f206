# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The operator dies, people interfere, the API server goes away. The crash matrix does this at every
# write; here once each, with everything real.

# kill -9 so many milliseconds after the Instance was made.
check_operator_killed_in_the_middle_of_a_claim() {
    local delay_ms name
    for delay_ms in 15 60 400; do
        name=killed-$delay_ms
        wait_for 180 "a warm clone" pool_has_warm shop
        adj clone "$name" -n dev --pool adjoint-pools/shop --no-wait
        sleep "$(printf '0.%03d' "$delay_ms")"
        operator_kill
        operator_start
        wait_for 120 "$name is Ready" instance_phase_is "$name" Ready
        expect "marker of $name" 42 "$(query "$name" 'select answer from marker')"
    done
    expect "volumes are claimed once" "" "$(kubectl get pv -l adjoint.dev/state=claimed \
        -o jsonpath='{range .items[*]}{.spec.csi.volumeHandle}{"\n"}{end}' | sort | uniq -d)"
}

check_name_that_is_taken_is_refused_before_a_clone_is_spent() {
    local claimed
    kubectl -n dev create service clusterip taken-rw --tcp=5432 >/dev/null
    claimed=$(pool_field shop claimed)
    adj clone taken -n dev --pool adjoint-pools/shop --no-wait
    wait_for 30 "NameTaken" instance_reason_is taken Eligible NameTaken
    expect "clones claimed" "$claimed" "$(pool_field shop claimed)"
    kubectl -n dev delete service taken-rw
    wait_for 150 "Ready once the name is free" instance_phase_is taken Ready
}

check_namespace_deleted_with_an_instance_in_it() {
    local handle
    kubectl create namespace fleeting
    kubectl -n fleeting apply -f - <<YAML
apiVersion: adjoint.dev/v1alpha1
kind: Instance
metadata: {name: brief}
spec: {pool: {name: shop, namespace: adjoint-pools}}
YAML
    kubectl -n fleeting wait --for=jsonpath='{.status.phase}'=Ready instance/brief --timeout=180s
    handle=$(kubectl -n fleeting get instance brief -o jsonpath='{.status.volume.handle}')
    kubectl delete namespace fleeting --timeout=120s
    wait_for 120 "FSx has destroyed it" fsx_lacks "$handle"
}

check_pool_deleted_leaves_claimed_volumes() {
    kubectl -n adjoint-pools delete pool shop calm --timeout=120s
    expect "holding PVCs" "" \
        "$(kubectl -n adjoint-pools get pvc -l adjoint.dev/role=holding -o name)"
    expect "still answers" 42 "$(query killed-15 'select answer from marker')"
}

volumes_of_ours_tell() {
    kubectl get pv -l adjoint.dev/state
    kubectl get events -A --field-selector involvedObject.kind=PersistentVolume | tail -n 5
}

check_nothing_is_left_when_all_is_deleted() {
    kubectl -n dev delete instances --all --timeout=180s
    wait_for 120 "no PV of ours" volumes_of_ours_gone || { volumes_of_ours_tell && return 1; }
    wait_for 120 "no clone in FSx" fsx_clones_are 0
}
