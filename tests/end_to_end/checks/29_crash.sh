# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What a crash costs with each durability, with one writer whose rows are numbered: the rows that
# are left must be the first so many. Postgres is killed; and, as when power fails, the volume is
# frozen by a snapshot of FSx in the middle of its writes, and a clone of that is started.

crash_instance() { # NAME POOL POOLS_NAMESPACE DURABILITY
    kubectl apply -f - <<YAML
apiVersion: adjoint.dev/v1alpha1
kind: Instance
metadata: {name: $1, namespace: dev}
spec: {pool: {name: $2, namespace: $3}, durability: $4}
YAML
    wait_for 240 "$1 is Ready" instance_phase_is "$1" Ready
}

in_pod() { kubectl -n dev exec -i "$1-1" -c postgres -- bash -c "$2"; }

# Numbers of rows that were acknowledged are lines of /controller/run/acknowledged.
writer_start() { # INSTANCE
    query "$1" 'create table if not exists history (n bigserial primary key)'
    kubectl -n dev exec -i "$1-1" -c postgres -- bash -c 'cat >/controller/run/writer' <<'SH'
echo $$ >/controller/run/writer.pid
yes "insert into history default values returning n;" |
    psql -U postgres -qAt app >/controller/run/acknowledged
SH
    in_pod "$1" 'setsid bash /controller/run/writer >/dev/null 2>&1 </dev/null &'
    wait_for 30 "rows are written" acknowledged_are_over "$1" 200
}
writer_stop() { in_pod "$1" 'kill -- -$(cat /controller/run/writer.pid)'; }
acknowledged() { # INSTANCE: the last whole line
    in_pod "$1" 'head -c -1 /controller/run/acknowledged | tail -n 2 | head -n 1'
}
acknowledged_are_over() { (($(acknowledged "$1") > $2)); }

postmaster() { in_pod "$1" 'head -n 1 "$PGDATA/postmaster.pid"'; }
postmaster_is_another() { # INSTANCE PID
    [[ $(query "$1" 'select 1') == 1 && $(postmaster "$1") != "$2" ]]
}

rows() { query "$1" 'select count(*) from history'; }
rows_are_a_prefix() { # INSTANCE
    expect "rows of $1 are the first ones" t \
        "$(query "$1" 'select min(n) = 1 and max(n) = count(*) from history')"
}

crash_postgres() { # INSTANCE: prints the last number acknowledged before
    local pid last
    writer_start "$1" >&2
    pid=$(postmaster "$1")
    last=$(in_pod "$1" "tail -n 2 /controller/run/acknowledged | head -n 1; kill -9 $pid")
    wait_for 120 "Postgres of $1 runs again" postmaster_is_another "$1" "$pid" >&2
    echo "$last"
}

check_postgres_killed_leaves_a_prefix() {
    local last
    pool_apply crash 1 Swap
    crash_instance certain crash adjoint-pools Standard
    last=$(crash_postgres certain)
    rows_are_a_prefix certain
    figure "Standard: $last acknowledged, $(rows certain) there"
    (($(rows certain) >= last))
    crash_instance ordered crash adjoint-pools Ordered
    last=$(crash_postgres ordered)
    rows_are_a_prefix ordered
    figure "Ordered: $last acknowledged before it was killed, $(rows ordered) there"
}

frozen_pool() {
    kubectl apply -f - <<YAML
apiVersion: adjoint.dev/v1alpha1
kind: Pool
metadata: {name: frozen, namespace: dev}
spec:
  golden: {snapshot: frozen, systemID: "$(cluster_identity dev ordered)"}
  database: app
  owner: app
  size: 1
  storage: {storageClassName: fsx-clone}
  allowedNamespaces: {from: All}
  cluster: {imageName: "localhost/postgresql:15", imagePullPolicy: IfNotPresent}
YAML
}

check_a_volume_frozen_mid_write_leaves_a_prefix() {
    local before
    query ordered 'drop table history'
    writer_start ordered
    before=$(acknowledged ordered)
    kubectl apply -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: frozen, namespace: dev}
spec: {volumeSnapshotClassName: fsx, source: {persistentVolumeClaimName: ordered-1}}
YAML
    kubectl -n dev wait --for=jsonpath='{.status.readyToUse}'=true volumesnapshot/frozen \
        --timeout=120s
    writer_stop ordered
    frozen_pool
    crash_instance thawed frozen dev Standard
    rows_are_a_prefix thawed
    figure "frozen after $before were acknowledged and before $(rows ordered): $(rows thawed) there"
    (($(rows thawed) > 0 && $(rows thawed) <= $(rows ordered)))
    kubectl -n dev delete instance thawed --timeout=180s
    kubectl -n dev delete pool frozen --timeout=120s
}

# FSx destroys no volume with a snapshot, and no snapshot with a clone; the class retains them.
check_a_volume_whose_snapshot_goes_is_destroyed() {
    local content handle
    handle=$(instance_field ordered volume.handle)
    content=$(kubectl -n dev get volumesnapshot frozen \
        -o jsonpath='{.status.boundVolumeSnapshotContentName}')
    kubectl -n dev delete instance certain ordered --timeout=180s
    fsx_has "$handle"
    kubectl patch volumesnapshotcontent "$content" --type=merge \
        -p '{"spec": {"deletionPolicy": "Delete"}}'
    kubectl -n dev delete volumesnapshot frozen --timeout=120s
    wait_for 300 "FSx has destroyed it" fsx_lacks "$handle"
    kubectl -n adjoint-pools delete pool crash --timeout=120s
}
