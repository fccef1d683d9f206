# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# A real node on this machine: containerd, kubelet, kube-proxy, kube-scheduler, and CloudNativePG's
# operator in a pod. It makes do with little: cgroup v1, no CAP_SYS_RESOURCE, and no dummy
# interfaces (a bridge without ports carries the node's address).

node_ctr() { ctr --address "$rig_node/containerd.sock" --namespace k8s.io "$@"; }

# node_config NAME: prints a file of config/ with this instance's paths and names
node_config() {
    sed -e "s|@NODE@|$rig_node|g" -e "s|@CGROUP@|$rig_cgroup|g" \
        -e "s|@ADDRESS@|$rig_node_address|g" -e "s|@POD_BRIDGE@|$rig_pod_bridge|g" \
        -e "s|@POD_NETWORK@|$rig_pod_network|g" "$rig_source/config/$1"
}

# In memory: images are unpacked and thrown away at each start, which on a disk takes longer than
# everything else together.
node_make_directory() {
    mkdir -p "$rig_node"
    mount -t tmpfs -o mode=755 adjoint-rig "$rig_node"
    mkdir "$rig_node/cni"
}

node_make_network() {
    ip link add "$rig_node_bridge" type bridge
    ip address add "$rig_node_address/32" dev "$rig_node_bridge"
    ip link set "$rig_node_bridge" up
    sysctl -qw net.ipv4.ip_forward=1
    # Only there if br_netfilter is; without it, traffic between pods of one node goes past
    # iptables, which nothing here depends on.
    sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || true
}

# The kubelet wants its root cgroup to exist in every hierarchy; a new cpuset is useless until it
# has processors and memory.
node_make_cgroups() {
    local hierarchy file
    for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/*; do
        [[ -e $hierarchy/cgroup.procs ]] || continue
        mkdir -p "$hierarchy/$rig_cgroup"
        for file in cpuset.cpus cpuset.mems; do
            [[ ! -e $hierarchy/$rig_cgroup/$file || -s $hierarchy/cgroup.controllers ]] ||
                cat "$hierarchy/$file" >"$hierarchy/$rig_cgroup/$file"
        done
    done
}

# node_start_runtime: containerd with the images; takes as long as the control plane's start and
# needs nothing of it
node_start_runtime() {
    local image
    node_make_cgroups
    node_config network.conflist >"$rig_node/cni/10-rig.conflist"
    node_config containerd.toml >"$rig_node/containerd.toml"
    node_config kubelet.yaml >"$rig_node/kubelet.yaml"
    process_start containerd containerd --config "$rig_node/containerd.toml"
    wait_until 30 "containerd serving" node_ctr version
    for image in "$rig_images"/*.tar; do
        node_ctr images import --local --discard-unpacked-layers "$image" >/dev/null 2>&1 ||
            fail "containerd refuses $image"
    done
    say "containerd has the images"
}

node_start_scheduler() {
    process_start kube-scheduler kube-scheduler --kubeconfig="$rig_kubeconfig" \
        --leader-elect=false --bind-address=127.0.0.1 --secure-port="$rig_scheduler_port" \
        --cert-dir="$rig_run/pki/scheduler"
}

node_start_kubelet() {
    KUBECONFIG=$rig_kubeconfig process_start name-server \
        "$rig_source/name_server.py" "$rig_node_address"
    process_start kubelet kubelet --config="$rig_node/kubelet.yaml" \
        --kubeconfig="$rig_kubeconfig" --hostname-override="$rig_node_name" \
        --node-ip="$rig_node_address" --root-dir="$rig_node/kubelet" \
        --cert-dir="$rig_run/pki/kubelet"
    process_start kube-proxy kube-proxy --kubeconfig="$rig_kubeconfig" \
        --hostname-override="$rig_node_name" --proxy-mode=iptables \
        --cluster-cidr="$rig_pod_network" --conntrack-max-per-core=0 \
        --healthz-bind-address="$rig_node_address:10256" \
        --metrics-bind-address="$rig_node_address:10249"
}

# CloudNativePG's operator looks for the snapshot API once, when it starts, so the kinds come first.
node_define_kinds_and_operator() {
    control_plane_define_kinds
    kubectl create --validate=false -f "$rig_manifests/cloudnative-pg.yaml" >/dev/null
}

node_is_ready() {
    local path='{.status.conditions[?(@.type=="Ready")].status}'
    [[ $(kubectl get node "$rig_node_name" -o "jsonpath=$path") == True ]]
}

node_await() {
    wait_until 60 "node ready" node_is_ready
    say "the node is ready"
    kubectl -n cnpg-system wait --for=condition=Available deployment/cnpg-controller-manager \
        --timeout=120s >/dev/null
    say "CloudNativePG's operator is ready"
}
