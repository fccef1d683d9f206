# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The components' own manifests, taken from the very modules that are pinned: definitions of kinds,
# which a control plane alone needs too, and CloudNativePG's deployment.

# module_directory MODULE PATH: of the module's sources, fetched alone if they are not there
module_directory() {
    (cd "$rig_source/modules/$1" && go mod download "$2" &&
        go list -mod=readonly -m -f '{{.Dir}}' "$2")
}

# yaml_documents FILE TEST: the documents for which awk's TEST holds
yaml_documents() { awk -v RS='(^|\n)---\n' "$2"' { printf "---\n%s\n", $0 }' "$1"; }

# The deployment as published, but with the image built here, and asked more often whether it is
# ready: a test waits for the answer.
manifests_write_cloudnative_pg() {
    local manifest=$1 output=$2 version=$3 is_definition='/\nkind: CustomResourceDefinition\n/'
    yaml_documents "$manifest" "$is_definition" >"$output/kinds/cloudnative-pg.yaml"
    yaml_documents "$manifest" "NF && !$is_definition" |
        sed -e "s|[^ ]*/cloudnative-pg:${version#v}|localhost/cloudnative-pg:$version|" \
            -e 's/imagePullPolicy: Always/imagePullPolicy: IfNotPresent/' \
            -e 's/periodSeconds: [0-9]*/periodSeconds: 1/' \
            -e 's/^\( *\)readinessProbe:/&\n\1  periodSeconds: 1/' \
            -e 's/failureThreshold: [0-9]*/failureThreshold: 60/' >"$output/cloudnative-pg.yaml"
}

manifests() {
    local operator=github.com/cloudnative-pg/cloudnative-pg
    local snapshots=github.com/kubernetes-csi/external-snapshotter/client/v8
    local digest staging version sources kind
    digest=$(stamp_digest "$(declare -f manifests yaml_documents manifests_write_cloudnative_pg)" \
        "$rig_source/modules/cloudnative-pg/go.mod" "$rig_source/modules/snapshotter/go.mod")
    if stamp_holds manifests "$digest"; then return; fi
    staging=$(mktemp -d "$ADJOINT_RIG/.build.XXXXXX")
    chmod 755 "$staging"
    mkdir "$staging/kinds"
    version=$(module_version cloudnative-pg $operator)
    sources=$(module_directory cloudnative-pg $operator)
    manifests_write_cloudnative_pg "$sources/releases/cnpg-${version#v}.yaml" "$staging" "$version"
    sources=$(module_directory snapshotter $snapshots)
    for kind in volumesnapshotclasses volumesnapshotcontents volumesnapshots; do
        install -m 644 "$sources/config/crd/snapshot.storage.k8s.io_$kind.yaml" \
            "$staging/kinds/$kind.yaml"
    done
    rm -rf "$rig_manifests"
    mv "$staging" "$rig_manifests"
    stamp_write manifests "$digest" manifests/kinds manifests/cloudnative-pg.yaml
    say "took the manifests"
}
