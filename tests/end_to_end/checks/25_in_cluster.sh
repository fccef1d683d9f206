# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The operator where it belongs: two pods of the chart's Deployment, with a service account's token.
# What they write is seen by the API server.

# Another holds the Lease, by its own time, so many milliseconds after the leader got a signal.
take_over() { # SIGNAL MILLISECONDS-AT-MOST
    local before process began took
    before=$(leader)
    process=$(operator_process_of "$(leader_pod)")
    began=$(date +%s%3N)
    kill "-$1" "$process"
    wait_for 60 "another leader" leader_is_not "$before"
    took=$(($(date -d "$(lease_field acquireTime)" +%s%3N) - began))
    figure "another leads $took ms after SIG$1 (at most $2)"
    ((took <= $2))
}

answer_of() { # POD PATH
    kubectl get --raw "/api/v1/namespaces/adjoint-system/pods/$1:8080/proxy/$2"
}

audit_log() { echo "$(dirname "$KUBECONFIG")/audit"; }

check_operator_in_pods_hands_over() {
    local name pod began transitions
    pool_apply shop 3 Swap
    began=$(date +%s%3N)
    transitions=$(lease_field leaseTransitions)
    release_pods_start
    wait_for 180 "a warm clone" pool_has_warm shop

    adj clone pods -n dev --pool adjoint-pools/shop --no-wait
    take_over KILL $((15000 + 1000))
    wait_for 120 "pods is Ready" instance_phase_is pods Ready
    expect "marker of pods" 42 "$(query pods 'select answer from marker')"
    kubectl -n adjoint-system rollout status deployment/adjoint --timeout=120s
    wait_for 180 "a warm clone" pool_has_warm shop
    adj clone pods-too -n dev --pool adjoint-pools/shop --no-wait
    take_over TERM 1000
    wait_for 120 "pods-too is Ready" instance_phase_is pods-too Ready

    pod=$(leader_pod)
    expect "metric" "adjoint_leader 1" "$(answer_of "$pod" metrics | grep '^adjoint_leader ')"
    expect "ready" ok "$(answer_of "$pod" readyz)"
    for name in $(kubectl -n adjoint-system get pods -o name); do
        ! kubectl -n adjoint-system logs "$name" | grep -i 'forbidden' || return 1
    done
    ! kubectl -n adjoint-system exec "$pod" -- sh -c true 2>/dev/null # nothing but the operator
    kubectl -n dev delete instance pods pods-too --timeout=120s
    python3 "$here/lib/terms.py" "$(audit_log)" "$began" \
        $(($(lease_field leaseTransitions) - transitions))
    release_pods_stop
}

# The shortest life that a token may have, ten minutes: kubelet puts another one in its place when
# four fifths are over. What is done after its end is done with another one.
slow_renewed_token_is_taken() {
    local began
    release_pods_start
    kubectl -n adjoint-system patch deployment adjoint --type=json -p '[
        {"op": "add", "path": "/spec/template/spec/volumes", "value": [{"name": "token",
            "projected": {"sources": [
                {"serviceAccountToken": {"path": "token", "expirationSeconds": 600}},
                {"configMap": {"name": "kube-root-ca.crt",
                    "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
                {"downwardAPI": {"items": [{"path": "namespace",
                    "fieldRef": {"fieldPath": "metadata.namespace"}}]}}]}}]},
        {"op": "add", "path": "/spec/template/spec/containers/0/volumeMounts", "value": [
            {"name": "token", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}]}]'
    kubectl -n adjoint-system rollout status deployment/adjoint --timeout=120s
    began=$(date +%s%3N)
    pool_apply shop 3 Swap
    wait_for 180 "a warm clone" pool_has_warm shop
    adj clone before -n dev --pool adjoint-pools/shop --wait --timeout 3m
    sleep 660
    adj clone renewed -n dev --pool adjoint-pools/shop --wait --timeout 3m
    kubectl -n dev delete instance before renewed --timeout=120s
    python3 "$here/lib/credentials.py" "$(audit_log)" "$began"
    ! kubectl -n adjoint-system logs "$(leader_pod)" | grep -i unauthorized
    expect "restarts" 0 "$(kubectl -n adjoint-system get pod "$(leader_pod)" \
        -o 'jsonpath={.status.containerStatuses[0].restartCount}')"
    release_pods_stop
}
