# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What becomes of Pools, Instances and their volumes when the chart is upgraded, rolled back,
# uninstalled and installed again, with its operator in pods and a database that runs.

# All that somebody could miss, each with its uid, and FSx's volumes.
belongings() {
    kubectl get pools,instances,clusters.postgresql.cnpg.io,pvc,pv -A -o 'jsonpath={range .items[*]}
{.kind} {.metadata.namespace}/{.metadata.name} {.metadata.uid}{end}' | sort
    fsx_names | tr ' ' '\n' | sort
}

nothing_is_lost() { # WHEN BELONGINGS
    diff <(echo "$2") <(belongings) || { echo "changed $1" && return 1; }
    expect "marker $1" 42 "$(query kept 'select answer from marker')"
}

operator_arguments() {
    kubectl -n adjoint-system get deployment adjoint \
        -o 'jsonpath={.spec.template.spec.containers[0].args}'
}

pool_is_full() { pool_warm_is shop 3 && [[ $(pool_field shop filling) =~ ^0?$ ]]; }

check_chart_upgrades_and_goes_without_a_loss() {
    local directory had revision
    pool_apply shop 3 Swap
    release_pods_start
    wait_for 180 "a warm clone" pool_has_warm shop
    adj clone kept -n dev --pool adjoint-pools/shop --wait --timeout 3m
    wait_for 240 "three warm clones" pool_is_full
    wait_for 60 "what was disposed of is gone" no_volume_is_disposed_of
    had=$(belongings)
    figure "$(wc -l <<<"$had") things that may not be lost"

    directory=$(mktemp -d)
    release_next "$directory/chart"
    revision=$(helm list -n adjoint-system -o json | grep -o '"revision":"[0-9]*"' | tr -dc 0-9)
    release_upgrade "$directory/chart" --set logLevel=debug
    rm -rf "$directory"
    [[ $(operator_arguments) == *--log-level=debug* && " $(release_columns) " == *" Uid "* ]]
    wait_for 60 "a pod that leads" leader_is_a_pod
    nothing_is_lost "by an upgrade" "$had"

    helm rollback adjoint "$revision" -n adjoint-system --wait --timeout 3m
    [[ $(operator_arguments) == *--log-level=info* && " $(release_columns) " != *" Uid "* ]]
    wait_for 60 "a pod that leads" leader_is_a_pod
    nothing_is_lost "by a rollback" "$had"

    helm uninstall adjoint -n adjoint-system --wait --timeout 3m
    wait_for 60 "no pod" operator_pods_gone
    ! kubectl get clusterrole adjoint 2>/dev/null
    nothing_is_lost "when it was uninstalled" "$had"

    release_install --set replicas=2 --wait --timeout 3m
    wait_for 60 "a pod that leads" leader_is_a_pod
    sleep 5 # for whatever a new operator might do to what it finds
    nothing_is_lost "when it was installed again" "$had"
    adj clone after -n dev --pool adjoint-pools/shop --wait --timeout 3m
    kubectl -n dev delete instance kept after --timeout=120s
    release_pods_stop
}
