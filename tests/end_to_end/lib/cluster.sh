# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Questions to the cluster and to the stand-in FSx.

wait_for() { # SECONDS WHAT COMMAND...
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || { echo "not within its time: $what" && return 1; }
        sleep 0.2
    done
}

pool_apply() { # NAME SIZE ORDER
    kubectl apply -f - <<YAML
apiVersion: adjoint.dev/v1alpha1
kind: Pool
metadata: {name: $1, namespace: adjoint-pools}
spec:
  golden: {snapshot: $golden}
  size: $2
  storage: {storageClassName: fsx-clone}
  claim: {order: $3}
  allowedNamespaces: {from: All}
  cluster: {imageName: "localhost/postgresql:15", imagePullPolicy: IfNotPresent}
YAML
}

pool_field() { kubectl -n adjoint-pools get pool "$1" -o "jsonpath={.status.$2}"; }
pool_warm_is() { [[ $(pool_field "$1" warm) == "$2" ]]; }
pool_reason_is() { # NAME CONDITION REASON
    [[ $(pool_field "$1" "conditions[?(@.type==\"$2\")].reason") == "$3" ]]
}
pool_has_warm() { (($(pool_field "$1" warm) > 0)); }

instance_field() { kubectl -n dev get instance "$1" -o "jsonpath={.status.$2}"; }
instance_reason() { instance_field "$1" "conditions[?(@.type==\"$2\")].reason"; }
instance_phase_is() { [[ $(instance_field "$1" phase) == "$2" ]]; }
instance_reason_is() { [[ $(instance_reason "$1" "$2") == "$3" ]]; } # NAME CONDITION REASON
instance_gone() { ! kubectl -n dev get instance "$1"; }

query() { # INSTANCE SQL
    kubectl -n dev exec "$1-1" -c postgres -- psql -U postgres -At app -c "$2"
}

cluster_identity() { # NAMESPACE NAME: Postgres' system identifier
    kubectl -n "$1" get cluster "$2" -o jsonpath='{.status.systemID}'
}

fsx() { # PYTHON: an expression over the stand-in's state, s
    curl -sf "$FSX_URL/rig/state" | python3 -c "import json,sys; s=json.load(sys.stdin); print($1)"
}
fsx_post() { curl -sf -d "$2" "$FSX_URL/rig/$1" >/dev/null; } # settings or faults
fsx_speed() { fsx_post settings "{\"create_s\": $1, \"gap_s\": $2}"; }
fsx_has() { [[ $(fsx "'$1' in [v['id'] for v in s['volumes']]") == True ]]; }
fsx_lacks() { [[ $(fsx "'$1' in [v['id'] for v in s['volumes']]") == False ]]; }
fsx_names() { fsx "' '.join(v['name'] for v in s['volumes'])"; }
fsx_name() { fsx "[v['name'] for v in s['volumes'] if v['id'] == '$1'][0]"; }

fsx_clones() { fsx "sum(1 for v in s['volumes'] if v['origin_id'])"; }
fsx_clones_are() { [[ $(fsx_clones) == "$1" ]]; }

volume_gone() { ! kubectl get pv "$1"; }
volume_phase_is() { [[ $(kubectl get pv "$1" -o jsonpath='{.status.phase}') == "$2" ]]; }
volume_policy() { kubectl get pv "$1" -o jsonpath='{.spec.persistentVolumeReclaimPolicy}'; }
volume_labels_of_ours() {
    kubectl get pv "$1" -o jsonpath='{.metadata.labels}' | grep -o 'adjoint[^"]*' || true
}
volumes_of_ours_gone() { [[ -z $(kubectl get pv -l adjoint.dev/state -o name) ]]; }
no_volume_is_disposed_of() { [[ -z $(kubectl get pv -l adjoint.dev/state=disposing -o name) ]]; }
