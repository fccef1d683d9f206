# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The storage stack beside a running node: the real driver (controller and node part),
# csi-provisioner, snapshot-controller and csi-snapshotter, against a stand-in for FSx whose volumes
# are btrfs subvolumes of one file. Outside of pods: what runs where is not what the tests are
# about, and starting takes no time.

storage_disk=$rig_node/fsx
storage_image=$rig_run/fsx.img
storage_controller_socket=$rig_node/csi-controller.sock
storage_node_directory=$rig_node/kubelet/plugins/$fsx_driver_name

storage_make_disk() {
    mkdir -p "$storage_disk"
    truncate -s "${FSX_DISK_GIB:-6}G" "$storage_image"
    mkfs.btrfs -q -f -m single "$storage_image" >/dev/null
    mount -o loop,noatime "$storage_image" "$storage_disk"
}

storage_start_stand_in() {
    process_start fsx-stand-in python3 "$rig_source/fsx/fsx_stand_in.py" \
        "$rig_fsx_port" "$storage_disk"
}

# storage_start_driver PART SOCKET: its endpoints, AWS's metadata service included, are the stand-in
storage_start_driver() {
    process_start "fsx-driver-$1" env AWS_REGION=us-east-1 \
        AWS_ACCESS_KEY_ID=stand-in AWS_SECRET_ACCESS_KEY=stand-in \
        "AWS_ENDPOINT_URL_FSX=$fsx_url" "AWS_EC2_METADATA_SERVICE_ENDPOINT=$fsx_url" \
        "CSI_NODE_NAME=$rig_node_name" "FSX_DISK=$storage_disk" "PATH=$rig_source/fsx:$PATH" \
        aws-fsx-openzfs-csi-driver --mode="$1" --endpoint="unix://$2" --logging-format=text --v=4
}

storage_start_drivers() {
    mkdir -p "$storage_node_directory"
    storage_start_driver controller "$storage_controller_socket"
    storage_start_driver node "$storage_node_directory/csi.sock"
    wait_until 20 "driver's controller serving" test -S "$storage_controller_socket"
    wait_until 20 "driver's node part serving" test -S "$storage_node_directory/csi.sock"
    process_start csi-registrar csi-registrar -driver "$fsx_driver_name" \
        -endpoint "$storage_node_directory/csi.sock" \
        -socket "$rig_node/kubelet/plugins_registry/$fsx_driver_name-reg.sock"
}

# The five minutes are the driver's chart's; the provisioner's own ten seconds are less than the
# driver's first look at a new volume.
storage_start_sidecars() {
    local common=(--kubeconfig="$rig_kubeconfig" --leader-election=false --v=2)
    process_start csi-provisioner csi-provisioner "${common[@]}" \
        --csi-address="$storage_controller_socket" --timeout=5m --extra-create-metadata
    process_start snapshot-controller snapshot-controller "${common[@]}"
    process_start csi-snapshotter csi-snapshotter "${common[@]}" \
        --csi-address="$storage_controller_socket"
}

storage_is_registered() {
    local drivers
    drivers=$(kubectl get csinode "$rig_node_name" -o 'jsonpath={.spec.drivers[*].name}')
    [[ " $drivers " == *" $fsx_driver_name "* ]]
}

storage_processes=(csi-provisioner csi-snapshotter snapshot-controller csi-registrar
    fsx-driver-node fsx-driver-controller fsx-stand-in)
