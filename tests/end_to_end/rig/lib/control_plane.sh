# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# etcd, kube-apiserver and kube-controller-manager, always from an empty etcd. Keys are elliptic
# because they are made at every start.

# certificate NAME SUBJECT OPENSSL-OPTIONS...: a key and a certificate; signed by itself unless the
# options say by whom
certificate() {
    local name=$1 subject=$2
    shift 2
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
        -subj "/CN=$subject" -keyout "$rig_run/pki/$name.key" -out "$rig_run/pki/$name.crt" \
        "$@" 2>/dev/null
}

control_plane_certificates() {
    local pki=$rig_run/pki
    mkdir -p "$pki"
    local names=DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc
    certificate ca adjoint-rig-ca -addext basicConstraints=critical,CA:TRUE \
        -addext keyUsage=critical,keyCertSign,cRLSign
    names+=,IP:127.0.0.1,IP:$rig_service_first_address,IP:$rig_node_address
    certificate apiserver kube-apiserver -CA "$pki/ca.crt" -CAkey "$pki/ca.key" \
        -addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=serverAuth \
        -addext "subjectAltName=$names"
    openssl ecparam -name prime256v1 -genkey -noout -out "$pki/service-accounts.key"
    openssl ec -in "$pki/service-accounts.key" -pubout -out "$pki/service-accounts.pub" 2>/dev/null
}

# control_plane_kubeconfig ADDRESS: an administrator's. In JSON, which is YAML too, so that scripts
# can read it without a library.
control_plane_kubeconfig() {
    local token
    token=$(openssl rand -hex 16)
    printf '%s,admin,admin,"system:masters"\n' "$token" >"$rig_run/pki/tokens.csv"
    cat >"$rig_kubeconfig" <<JSON
{
  "apiVersion": "v1", "kind": "Config", "current-context": "rig",
  "clusters": [{"name": "rig", "cluster": {
    "server": "https://$1:$rig_api_port", "certificate-authority": "$rig_run/pki/ca.crt"}}],
  "users": [{"name": "admin", "user": {"token": "$token"}}],
  "contexts": [{"name": "rig", "context": {"cluster": "rig", "user": "admin"}}]
}
JSON
    chmod 600 "$rig_kubeconfig" "$rig_run/pki/tokens.csv"
}

# Nothing here has to survive a crash of the machine, hence no fsync.
control_plane_start_etcd() {
    local client=http://127.0.0.1:$rig_etcd_port peer=http://127.0.0.1:$rig_etcd_peer_port
    process_start etcd etcd --data-dir "$rig_run/etcd" --unsafe-no-fsync \
        --listen-client-urls "$client" --advertise-client-urls "$client" \
        --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" \
        --initial-cluster "default=$peer"
}

# control_plane_start_apiserver ADDRESS: the Service `kubernetes` gets an endpoint only where pods
# can reach it; one on loopback is refused by validation, so without pods the address is one that is
# reserved for documentation: it is told, and never used.
control_plane_start_apiserver() {
    local advertise=("--advertise-address=$1") pki=$rig_run/pki
    [[ $1 != 127.* ]] || advertise=(--advertise-address=192.0.2.1)
    local audit=(--audit-policy-file="$rig_source/config/audit.yaml" --audit-log-path="$rig_audit")
    [[ -n ${RIG_AUDIT:-} ]] || audit=()
    process_start kube-apiserver kube-apiserver --etcd-servers="http://127.0.0.1:$rig_etcd_port" \
        --bind-address="$1" --secure-port="$rig_api_port" "${advertise[@]}" \
        --tls-cert-file="$pki/apiserver.crt" --tls-private-key-file="$pki/apiserver.key" \
        --client-ca-file="$pki/ca.crt" --token-auth-file="$pki/tokens.csv" \
        --authorization-mode=Node,RBAC --allow-privileged=true \
        --service-cluster-ip-range="$rig_service_network" \
        --service-account-issuer=https://kubernetes.default.svc \
        --service-account-key-file="$pki/service-accounts.pub" \
        --service-account-signing-key-file="$pki/service-accounts.key" \
        --kubelet-preferred-address-types=InternalIP "${audit[@]}"
}

# Client limits are left at their defaults, since the time to bind is measured here, unless
# RIG_CONTROLLERS_QPS says otherwise.
control_plane_start_controllers() {
    local pki=$rig_run/pki limits=()
    [[ -z ${RIG_CONTROLLERS_QPS:-} ]] ||
        limits=("--kube-api-qps=$RIG_CONTROLLERS_QPS" "--kube-api-burst=$RIG_CONTROLLERS_QPS")
    process_start kube-controller-manager kube-controller-manager "${limits[@]}" \
        --kubeconfig="$rig_kubeconfig" --leader-elect=false --bind-address=127.0.0.1 \
        --secure-port="$rig_controllers_port" --cert-dir="$pki/controllers" \
        --root-ca-file="$pki/ca.crt" \
        --service-account-private-key-file="$pki/service-accounts.key" \
        --cluster-signing-cert-file="$pki/ca.crt" --cluster-signing-key-file="$pki/ca.key" \
        --allocate-node-cidrs=false --cluster-cidr="$rig_pod_network"
}

control_plane_answers_or_died() {
    ! processes_run etcd kube-apiserver || kubectl get --raw /readyz
}

# control_plane_start ADDRESS: returns when the API answers and its controllers work
control_plane_start() {
    control_plane_certificates
    control_plane_kubeconfig "$1"
    control_plane_start_etcd
    control_plane_start_apiserver "$1"
    export KUBECONFIG=$rig_kubeconfig
    wait_until 60 "kube-apiserver ready" control_plane_answers_or_died
    processes_run etcd kube-apiserver || fail "ports taken? See $rig_run/logs"
    control_plane_start_controllers
    say "kube-apiserver answers"
}

# The definitions of CloudNativePG's kinds and of snapshots. Nothing is there yet, so plain creation
# does, without validation: it is faster.
control_plane_define_kinds() {
    kubectl create --validate=false -f "$rig_manifests/kinds" >/dev/null
    # One that has no conditions yet is an error to `kubectl wait`, hence asked again.
    wait_until 60 "kinds established" kubectl wait --for=condition=Established --all \
        customresourcedefinitions --timeout=5s
    say "kinds of CloudNativePG and of the snapshotter defined"
}

control_plane_await_controllers() {
    wait_until 60 "kube-controller-manager working" kubectl -n default get serviceaccount default
}
