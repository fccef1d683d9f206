# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# `adj doctor` on a cluster that is well, and on one that has lost a volume.

doctor() { # OPTION...: what it says, with what it found as its exit code
    AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=stand-in AWS_SECRET_ACCESS_KEY=stand-in \
        AWS_ENDPOINT_URL_FSX=$FSX_URL adj doctor --fsx "$@"
}

fsx_failed() { fsx "' '.join(v['id'] for v in s['volumes'] if v['lifecycle'] == 'FAILED')"; }
fsx_has_failed() { [[ -n $(fsx_failed) ]]; }

clone_claim_apply() { # NAME: a PVC of the golden, as anybody could make one
    kubectl -n adjoint-pools apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1}
spec:
  accessModes: [ReadWriteOncePod]
  storageClassName: fsx-clone
  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: $golden}
  resources: {requests: {storage: 1Gi}}
YAML
}

check_doctor_has_nothing_against_this() {
    pool_apply examined 1 Swap
    wait_for 180 "a warm clone" pool_warm_is examined 1
    doctor
    expect "what is not well" "" "$(doctor 2>&1 | grep -E '^(FAIL|warn)' || true)"
}

# The second of the two known ways: FSx could not make it, and its PVC is deleted.
check_doctor_finds_a_volume_that_nobody_names() {
    local handle status=0 said=$report_directory/doctor
    curl -sf "$FSX_URL/rig/settings" -d '{"next_create_fails": true}' >/dev/null
    clone_claim_apply hapless
    wait_for 60 "a volume that failed" fsx_has_failed
    handle=$(fsx_failed)
    doctor >"$said" || true
    grep -F "FAIL  fsx            $handle: " "$said" | grep -F "its PVC adjoint-pools/hapless"
    kubectl -n adjoint-pools delete pvc hapless --wait
    doctor >"$said" || status=$?
    expect "exit code" 5 "$status"
    grep -F "FAIL  fsx            $handle: " "$said" |
        grep -F "aws fsx delete-volume --region us-east-1 --volume-id $handle"
    fsx_has "$handle"
    curl -sf "$FSX_URL" -H 'X-Amz-Target: AWSSimbaAPIService_v20180301.DeleteVolume' \
        -d "{\"VolumeId\": \"$handle\"}" >/dev/null
    wait_for 60 "FSx has destroyed it" fsx_lacks "$handle"
    doctor
}
