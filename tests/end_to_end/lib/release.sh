# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The chart as it is installed, and the operator in its pods: from an image with nothing but the
# programs and their libraries.

release_image=localhost/adjoint-operator
release_chart=$repository/deploy/chart

# What an operator in the cluster has; without pods at first, as the one under test runs beside it.
release_install() { # HELM-OPTIONS...
    kubectl create namespace adjoint-system >/dev/null 2>&1 || true
    kubectl label --overwrite namespace adjoint-system \
        pod-security.kubernetes.io/enforce=restricted >/dev/null
    helm upgrade --install adjoint "$release_chart" -n adjoint-system --reset-values \
        --set "image.repository=$release_image" --set image.tag=test "$@" >/dev/null
}

release_upgrade() { # CHART HELM-OPTIONS...: other values stay as they are
    local chart=$1
    shift
    helm upgrade adjoint "$chart" -n adjoint-system --reuse-values --wait --timeout 3m "$@" \
        >/dev/null
}

# The next release: another version, and a column more in the CRD of Pools.
release_next() { # DIRECTORY
    cp -rL "$release_chart" "$1"
    sed -i 's/^version: .*/version: 0.1.1/' "$1/Chart.yaml"
    local column='- {name: Uid, type: string, jsonPath: .metadata.uid}'
    sed -i "0,/additionalPrinterColumns:/s//&\n        $column/" \
        "$1/files/crds/pools.adjoint.dev.yaml"
}

release_columns() {
    kubectl get crd pools.adjoint.dev \
        -o 'jsonpath={.spec.versions[0].additionalPrinterColumns[*].name}'
}

# ADJOINT_IMAGE is an OCI archive, as tests/image/run leaves one; else it is packed as the
# Dockerfile does it, without a registry.
release_import_image() {
    local archive=${ADJOINT_IMAGE:-} directory
    directory=$(mktemp -d)
    if [[ -z $archive ]]; then
        archive=$directory/image.tar
        make -s -C "$repository" FLAVOUR=release CC=gcc all
        "$repository/deploy/image/collect" "$directory/root" \
            "$repository/build/release-gcc/adjoint-operator" "$repository/build/release-gcc/adj"
        python3 "$here/rig/images/pack_image.py" "$directory/root" "$release_image:test" \
            '{"Entrypoint": ["/usr/bin/adjoint-operator"], "User": "65532:65532"}' "$archive"
    fi
    release_ctr images import --local "$archive" >/dev/null
    rm -rf "$directory"
}

release_ctr() { ctr --address /run/adjoint-rig/containerd.sock --namespace k8s.io "$@"; }

# From the operator beside the cluster to two pods, one of which leads.
release_pods_start() {
    operator_stop
    release_import_image
    release_upgrade "$release_chart" --set replicas=2
    wait_for 60 "a pod that leads" leader_is_a_pod
}

release_pods_stop() {
    kubectl -n adjoint-system scale deployment/adjoint --replicas=0
    wait_for 60 "no pod" operator_pods_gone
    operator_credentials
    operator_start
}

operator_pods_gone() { [[ -z $(kubectl -n adjoint-system get pods -o name) ]]; }

lease_field() {
    kubectl -n adjoint-system get lease adjoint-operator -o "jsonpath={.spec.$1}"
}
leader() { lease_field holderIdentity; }
leader_pod() { # the identity begins with the host's name, which is the pod's
    local holder
    holder=$(leader)
    echo "${holder%_*}"
}
leader_is_a_pod() { kubectl -n adjoint-system get pod "$(leader_pod)"; }
leader_is_not() { [[ -n $(leader) && $(leader) != "$1" ]]; }

# As this machine sees it.
operator_process_of() { # POD
    local container
    container=$(kubectl -n adjoint-system get pod "$1" \
        -o 'jsonpath={.status.containerStatuses[0].containerID}')
    release_ctr tasks list | awk -v id="${container#containerd://}" '$1 == id { print $2 }'
}
