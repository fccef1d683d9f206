# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The Go programs. Each component has a module of its own under modules/, so that their dependencies
# never mix; its go.mod and go.sum are the pins, and nothing is resolved while building. build_NAME
# leaves its programs in the directory it is given.

# module_version MODULE PATH: what its go.mod requires
module_version() {
    awk -v path="$2" '$1 == path { print $2; exit } $2 == path { print $3; exit }' \
        "$rig_source/modules/$1/go.mod"
}

# go_build MODULE ARGUMENTS...
go_build() {
    local module=$1
    shift
    (cd "$rig_source/modules/$module" && go build -mod=readonly -buildvcs=false "$@")
}

go_build_kubernetes() {
    local output=$1 version
    version=$(module_version kubernetes k8s.io/kubernetes)
    shift
    local variables="-X k8s.io/component-base/version.gitVersion=$version"
    variables+=" -X k8s.io/client-go/pkg/version.gitVersion=$version"
    go_build kubernetes -trimpath -ldflags="-s -w $variables" -o "$output/" \
        "${@/#/k8s.io/kubernetes/cmd/}"
}

build_etcd() { go_build etcd -o "$1/etcd" go.etcd.io/etcd/server/v3; }
build_kubernetes() { go_build_kubernetes "$1" kube-apiserver kube-controller-manager kubectl; }
build_kubernetes_node() { go_build_kubernetes "$1" kube-scheduler kubelet kube-proxy; }

build_containerd() {
    local commands=github.com/containerd/containerd/v2/cmd
    go_build containerd -tags "no_btrfs no_zfs no_devmapper no_aufs" -o "$1/" \
        $commands/containerd $commands/containerd-shim-runc-v2 $commands/ctr
}

build_cloudnative_pg() {
    local root=github.com/cloudnative-pg/cloudnative-pg version
    version=$(module_version cloudnative-pg $root)
    CGO_ENABLED=0 go_build cloudnative-pg -trimpath \
        -ldflags="-s -w -X $root/pkg/versions.buildVersion=${version#v}" \
        -o "$1/cnpg-manager" $root/cmd/manager
}

build_csi_provisioner() {
    go_build csi-provisioner -o "$1/csi-provisioner" \
        github.com/kubernetes-csi/external-provisioner/v5/cmd/csi-provisioner
}

build_fsx_driver() {
    local root=github.com/kubernetes-sigs/aws-fsx-openzfs-csi-driver version
    version=$(module_version fsx-driver $root)
    local variables="-X $root/pkg/driver.driverVersion=$version"
    variables+=" -X $root/pkg/cloud.driverVersion=$version"
    go_build fsx-driver -ldflags "$variables" -o "$1/aws-fsx-openzfs-csi-driver" $root/cmd
}

build_snapshotter() {
    local root=github.com/kubernetes-csi/external-snapshotter/v8 version
    version=$(module_version snapshotter $root)
    go_build snapshotter -ldflags "-X main.version=$version" -o "$1/" \
        $root/cmd/snapshot-controller $root/cmd/csi-snapshotter
}

build_helm() { go_build helm -trimpath -ldflags="-s -w" -o "$1/helm" helm.sh/helm/v3/cmd/helm; }

# Without its pages and without service discovery, which is most of it.
build_prometheus() {
    local root=github.com/prometheus/prometheus/cmd
    go_build prometheus -trimpath -ldflags="-s -w" -tags remove_all_sd -o "$1/" \
        $root/prometheus $root/promtool
}

build_registrar() { go_build registrar -o "$1/csi-registrar" .; }

# component NAME [MODULE]: builds it unless it is built; MODULE if several components share one
component() {
    local name=$1 module=${2:-$1} build=build_${1//-/_} digest staging programs
    digest=$(stamp_digest "$(go env GOVERSION GOARCH)" \
        "$(declare -f "$build" go_build go_build_kubernetes)" "$rig_source/modules/$module"/*)
    if stamp_holds "$name" "$digest"; then return; fi
    staging=$(mktemp -d "$ADJOINT_RIG/.build.XXXXXX")
    "$build" "$staging"
    mapfile -t programs < <(cd "$staging" && ls)
    mkdir -p "$rig_bin"
    mv -f "${programs[@]/#/$staging/}" "$rig_bin/"
    stamp_write "$name" "$digest" "${programs[@]/#/bin/}"
    rmdir "$staging"
    say "built $name"
}
