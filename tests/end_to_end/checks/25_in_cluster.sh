# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The operator where it belongs: two pods of the chart's Deployment, from an image with nothing but
# the programs and their libraries, with a service account's token that is renewed.

operator_image=localhost/adjoint-operator:test

# Packed as the Dockerfile does it, without a registry.
in_cluster_image() {
    local directory images=${ADJOINT_RIG:-$HOME/.cache/adjoint/rig}/images
    directory=$(mktemp -d)
    make -s -C "$repository" FLAVOUR=release CC=gcc all
    "$repository/deploy/image/collect" "$directory/root" \
        "$repository/build/release-gcc/adjoint-operator" "$repository/build/release-gcc/adj"
    python3 "$here/rig/images/pack_image.py" "$directory/root" "$operator_image" \
        '{"Entrypoint": ["/usr/bin/adjoint-operator"], "User": "65532:65532"}' \
        "$directory/image.tar"
    figure "image: $(du -k "$directory/image.tar" | cut -f1) KiB, CloudNativePG's operator's:" \
        "$(du -k "$images/cloudnative-pg.tar" | cut -f1) KiB"
    ctr --address "/run/adjoint-rig/containerd.sock" --namespace k8s.io \
        images import --local "$directory/image.tar" >/dev/null
    rm -rf "$directory"
}

leader() {
    kubectl -n adjoint-system get lease adjoint-operator -o jsonpath='{.spec.holderIdentity}'
}
leader_pod() { # the identity begins with the host's name, which is the pod's
    local holder
    holder=$(leader)
    echo "${holder%_*}"
}
leader_is_a_pod() { kubectl -n adjoint-system get pod "$(leader_pod)"; }
leader_is_not() { [[ -n $(leader) && $(leader) != "$1" ]]; }

take_over() { # HOW ARGUMENTS: the leader's pod is deleted so; another leads
    local how=$1 before began
    shift
    before=$(leader)
    began=$(date +%s%3N)
    kubectl -n adjoint-system delete pod "$(leader_pod)" --wait=false "$@" >/dev/null
    wait_for 60 "another leader" leader_is_not "$before"
    figure "another leads after $how: $(($(date +%s%3N) - began)) ms"
}

operator_pods_gone() { [[ -z $(kubectl -n adjoint-system get pods -o name) ]]; }

answer_of() { # POD PATH
    kubectl get --raw "/api/v1/namespaces/adjoint-system/pods/$1:8080/proxy/$2"
}

check_operator_in_pods_hands_over() {
    local name pod
    operator_stop
    in_cluster_image
    kubectl -n adjoint-system set image deployment/adjoint operator=$operator_image
    kubectl -n adjoint-system scale deployment/adjoint --replicas=2
    kubectl -n adjoint-system rollout status deployment/adjoint --timeout=120s
    wait_for 60 "a pod that leads" leader_is_a_pod
    wait_for 180 "a warm clone" pool_has_warm shop

    adj clone pods -n dev --pool adjoint-pools/shop --no-wait
    take_over "a crash" --grace-period=0 --force
    wait_for 120 "pods is Ready" instance_phase_is pods Ready
    expect "marker of pods" 42 "$(query pods 'select answer from marker')"
    kubectl -n adjoint-system rollout status deployment/adjoint --timeout=120s
    take_over "a stop"

    pod=$(leader_pod)
    expect "metric" "adjoint_leader 1" "$(answer_of "$pod" metrics | grep '^adjoint_leader ')"
    expect "ready" ok "$(answer_of "$pod" readyz)"
    for name in $(kubectl -n adjoint-system get pods -o name); do
        ! kubectl -n adjoint-system logs "$name" | grep -i 'forbidden' || return 1
    done
    ! kubectl -n adjoint-system exec "$pod" -- sh -c true 2>/dev/null # nothing but the operator
    kubectl -n adjoint-system scale deployment/adjoint --replicas=0
    wait_for 60 "no pod" operator_pods_gone
    operator_start
    kubectl -n dev delete instance pods --timeout=120s
}
