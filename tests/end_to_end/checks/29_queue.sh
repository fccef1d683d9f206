# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# More is asked for than is warm: places and times in the queue, those who do not wait or give up,
# an FSx that refuses, caps; what developers may change; and goldens that are the newest of a label.

fsx_refuses() { # TIMES (-1: for ever; 0: no more): each CreateVolume from now on
    fsx_post faults "{\"operation\": \"CreateVolume\", \"times\": $1,
        \"type\": \"ServiceLimitExceeded\", \"message\": \"as many as the account may have\"}"
}

queue_patch() { kubectl -n adjoint-pools patch pool queue --type=merge -p "{\"spec\":$1}"; }
place_is() { [[ $(instance_field "$1" queue.position) == "$2" ]]; }
eta() { date -d "$(instance_field "$1" queue.eta)" +%s; }
has_eta() { [[ -n $(instance_field "$1" queue.eta) ]]; }
volumes_are_named() { # every clone in FSx has a PV of ours
    [[ $(fsx_clones) == "$(kubectl get pv -l adjoint.dev/pool -o name | wc -l)" ]]
}

check_who_waits_has_a_place_and_a_time() {
    local status=0
    kubectl -n adjoint-pools label volumesnapshot "$golden" set=queue
    pool_apply queue 1 Swap
    queue_patch '{"golden": {"snapshot": null, "latest": {"matchLabels": {"set": "queue"}}}}'
    wait_for 180 "a warm clone" pool_warm_is queue 1
    fsx_speed 20 15
    for name in first second third; do
        adj clone "$name" -n dev --pool adjoint-pools/queue --no-wait
        sleep 1.1 # ages are whole seconds
    done
    wait_for 30 "third is the second in line" place_is third 2
    expect "place of second" 1 "$(instance_field second queue.position)"
    wait_for 30 "times" has_eta third
    (($(eta third) > $(eta second))) || { echo "third is not after second" && return 1; }
    adj clone hasty -n dev --pool adjoint-pools/queue --fail-if-empty --wait || status=$?
    expect "exit code of who does not wait" 3 "$status"
    expect "its reason" PoolEmpty "$(instance_reason hasty VolumeBound)"
    wait_for 120 "first is Ready" instance_phase_is first Ready
}

check_who_gives_up_makes_room() {
    local delay_ms
    adj delete second -n dev
    wait_for 30 "third is next" place_is third 1
    fsx_speed "$FSX_CREATE_S" "$FSX_GAP_S"
    wait_for 150 "third is Ready" instance_phase_is third Ready
    for delay_ms in 0 40 120 300; do
        wait_for 180 "a warm clone" pool_has_warm queue
        adj clone "brief-$delay_ms" -n dev --pool adjoint-pools/queue --no-wait
        sleep "$(printf '0.%03d' "$delay_ms")"
        kubectl -n dev delete instance "brief-$delay_ms" --timeout=180s
    done
    wait_for 180 "as many as before are warm" pool_warm_is queue 1
    wait_for 120 "FSx has no clone that nobody names" volumes_are_named
    kubectl -n dev delete instance first hasty --timeout=180s
}

check_refusals_of_fsx_are_told_and_tried_again() {
    fsx_refuses -1
    queue_patch '{"size": 2}'
    wait_for 300 "FillFailing, of a late clone" pool_reason_is queue RefillHealthy FillFailing
    kubectl -n adjoint-pools get pool queue \
        -o 'jsonpath={.status.conditions[?(@.type=="RefillHealthy")].message}' |
        grep -F "as many as the account may have"
    expect "still to be had" 1 "$(pool_field queue warm)"
    fsx_refuses 0
    wait_for 300 "two warm clones" pool_warm_is queue 2
    wait_for 30 "Refilling" pool_reason_is queue RefillHealthy Refilling
}

check_caps_of_the_lane_hold() {
    local running
    running=$(kubectl get pv -l adjoint.dev/state=claimed -o name | wc -l)
    queue_patch "{\"maxRunning\": $running, \"maxVolumes\": 1, \"size\": 3}"
    wait_for 60 "LaneFull" pool_reason_is queue RefillHealthy LaneFull
    adj clone capped -n dev --pool adjoint-pools/queue --no-wait
    wait_for 60 "LaneBusy" instance_reason_is capped VolumeBound LaneBusy
    queue_patch '{"maxRunning": null}'
    wait_for 120 "it is Ready, of the warm ones" instance_phase_is capped Ready
    expect "none is made for it" 1 "$(pool_field queue warm)"
    queue_patch '{"maxVolumes": 90, "size": 1}'
    kubectl -n dev delete instance capped --timeout=180s
}

tuned() { # NAME PARAMETER VALUE
    kubectl apply -f - <<YAML
apiVersion: adjoint.dev/v1alpha1
kind: Instance
metadata: {name: $1, namespace: dev}
spec:
  pool: {name: queue, namespace: adjoint-pools}
  durability: Ordered
  cluster: {postgresql: {parameters: {$2: "$3"}}}
YAML
}

check_what_a_developer_may_change() {
    queue_patch '{"requires": {"configMaps": ["site"]}}'
    tuned tuned work_mem 9MB
    wait_for 60 "RequirementMissing" instance_reason_is tuned Eligible RequirementMissing
    kubectl -n dev create configmap site
    wait_for 150 "Ready once it is there" instance_phase_is tuned Ready
    expect "work_mem" 9MB "$(query tuned 'show work_mem')"
    expect "synchronous_commit" off "$(query tuned 'show synchronous_commit')"
    expect "in status" off "$(instance_field tuned cluster.parameters.synchronous_commit)"
    tuned risky fsync off || true
    tuned loads shared_preload_libraries anything
    wait_for 60 "OverrideRefused" instance_reason_is loads Eligible OverrideRefused
    expect "there is none without fsync" "" \
        "$(kubectl -n dev get cluster risky --ignore-not-found -o name)"
    kubectl -n dev patch cluster tuned --type=merge \
        -p '{"spec": {"postgresql": {"parameters": {"work_mem": "11MB"}}}}'
    wait_for 60 "ClusterEdited" instance_reason_is tuned Ready ClusterEdited
    wait_for 60 "and nothing is put back" tuned_has_the_edit
    kubectl -n dev delete instance tuned loads --timeout=180s
    kubectl -n dev delete instance risky --ignore-not-found --timeout=60s
}
tuned_has_the_edit() { [[ $(query tuned 'show work_mem') == 11MB ]]; }

check_the_newest_golden_of_a_label() {
    local newer
    queue_patch '{"requires": null, "rotation": {"strategy": "OnClaim"}}'
    wait_for 180 "a warm clone" pool_warm_is queue 1
    golden_query 'update marker set answer = 44'
    newer=$("$here/rig/golden")
    kubectl -n adjoint-pools label volumesnapshot "$newer" set=queue
    wait_for 60 "UsingUp" pool_reason_is queue Rotating UsingUp
    adj clone stale -n dev --pool adjoint-pools/queue --wait --timeout 3m
    expect "marker of the golden before" 42 "$(query stale 'select answer from marker')"
    wait_for 180 "a warm clone" pool_warm_is queue 1
    wait_for 60 "GoldenRetained" pool_reason_is queue Rotating GoldenRetained
    adj clone fresh -n dev --pool adjoint-pools/queue --wait --timeout 3m
    expect "marker" 44 "$(query fresh 'select answer from marker')"
    kubectl -n dev delete instance stale fresh third --timeout=180s
    kubectl -n adjoint-pools delete pool queue --timeout=120s
    wait_for 120 "FSx has no clone that nobody names" volumes_are_named
}
