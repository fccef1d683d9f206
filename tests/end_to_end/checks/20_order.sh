# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The other order, and deletionPolicy Retain.

check_release_order_is_ready() {
    pool_apply calm 1 Release
    wait_for 180 "a warm clone" pool_warm_is calm 1
    adj clone rose -n dev --pool adjoint-pools/calm --deletion-policy Retain --wait --timeout 3m
    expect "marker" 42 "$(query rose 'select answer from marker')"
    expect "Jobs" "" "$(kubectl -n dev get jobs -o name)"
}

check_retain_leaves_it_running() {
    local volume
    volume=$(instance_field rose volume.name)
    adj delete rose -n dev
    wait_for 60 "the Instance is gone" instance_gone rose
    expect "still answers" 42 "$(query rose 'select answer from marker')"
    expect "our labels on it" "" "$(volume_labels_of_ours "$volume")"
    expect "policy" Retain "$(volume_policy "$volume")"
    kubectl -n dev delete cluster rose --wait
    wait_for 60 "the volume is Released" volume_phase_is "$volume" Released
    kubectl patch pv "$volume" -p '{"spec": {"persistentVolumeReclaimPolicy": "Delete"}}'
}
