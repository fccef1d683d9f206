/* SPDX-License-Identifier: Apache-2.0 */
/* Every name that is written into the cluster or read from it. */
#ifndef ADJOINT_API_NAMES_H
#define ADJOINT_API_NAMES_H

#define NAME_GROUP "adjoint.dev"
#define NAME_API_VERSION "adjoint.dev/v1alpha1"
#define NAME_FIELD_MANAGER "adjoint-operator"

/* On a Pool: its volumes are still there. On an Instance: its volume is. */
#define NAME_FINALIZER "adjoint.dev/volumes"

/* What a labelled object is to us; lists and watches of PVCs and Clusters select by it. */
#define LABEL_ROLE "adjoint.dev/role"
#define ROLE_HOLDING "holding"   /* a PVC that keeps a warm clone bound */
#define ROLE_SANITIZE "sanitize" /* a ConfigMap, by whoever writes its Pool */
#define ROLE_ERRAND "errand"     /* a pod that runs once before an Instance is Ready */
#define ROLE_EGRESS "egress"     /* a NetworkPolicy of an Instance's */
#define ROLE_DATA "data"         /* a developer's PVC, and the Cluster that runs on it */

/* A volume's state, on its PV: the one object that claiming and destroying contend on. */
#define LABEL_STATE "adjoint.dev/state"
#define STATE_WARM "warm"           /* claimable */
#define STATE_RESERVED "reserved"   /* promised to an Instance that is reset; not its own yet */
#define STATE_CLAIMED "claimed"     /* an Instance's; policy Retain */
#define STATE_RETIRING "retiring"   /* was warm, is being destroyed */
#define STATE_DISPOSING "disposing" /* was claimed, its Instance asked for its end */

/* The Pool's uid: names come back, uids do not. */
#define LABEL_POOL_UID "adjoint.dev/pool-uid"
#define LABEL_POOL "adjoint.dev/pool"
#define LABEL_POOL_NAMESPACE "adjoint.dev/pool-namespace"
#define LABEL_INSTANCE_UID "adjoint.dev/instance-uid"
#define LABEL_INSTANCE "adjoint.dev/instance"
#define LABEL_INSTANCE_NAMESPACE "adjoint.dev/instance-namespace"

/* On what a field test of `adj` makes, and deletes again: which test, and which run of it. */
#define LABEL_FIELD_TEST "adjoint.dev/field-test"
#define LABEL_FIELD_TEST_RUN "adjoint.dev/field-test-run"

/* On a PV. */
#define ANNOTATION_GOLDEN "adjoint.dev/golden"         /* the VolumeSnapshot's name */
#define ANNOTATION_GOLDEN_UID "adjoint.dev/golden-uid" /* and uid */
#define ANNOTATION_SYSTEM_ID "adjoint.dev/system-id"   /* Postgres' system identifier */
#define ANNOTATION_DATABASE "adjoint.dev/database"
#define ANNOTATION_OWNER "adjoint.dev/owner"
#define ANNOTATION_MAJOR_VERSION "adjoint.dev/major-version"     /* of a golden: Postgres' */
#define ANNOTATION_DELETION_POLICY "adjoint.dev/deletion-policy" /* its Instance's */
#define ANNOTATION_DATA_CLAIM_UID "adjoint.dev/data-claim-uid"   /* the PVC it was given to */
#define ANNOTATION_HOLDING_UID "adjoint.dev/holding-claim-uid"   /* the PVC it was taken from */
/* A clone that a claim has given up is offered anew: this is another value then (the PV's
   resourceVersion), so that a write of that claim, still on its way, does not fit any more. */
#define ANNOTATION_OFFER "adjoint.dev/offer"
/* On a Cluster whose Pool sanitizes: have its statements been run? Nobody is let in before. */
#define ANNOTATION_SANITIZED "adjoint.dev/sanitized"
#define SANITIZED_NO "no"
#define SANITIZED_YES "yes"
/* RFC 3339 with milliseconds: when we sent the write that made this step. */
#define ANNOTATION_AT "adjoint.dev/at"
/* On an Instance whose Cluster or PVC somebody deleted: adopt the volume again. Any value; removed
   when the adoption has begun. */
#define ANNOTATION_ADOPT "adjoint.dev/adopt"

/* On a Cluster: we hibernated it, and may wake it. */
#define ANNOTATION_HIBERNATED "adjoint.dev/hibernated"
/* spec.volumeName of a PVC whose claim was cancelled: no volume has this name, and the field is set
   once, so the PVC was never bound and never will be. */
#define NAME_CANCELLED_VOLUME "cancelled.adjoint.dev"

/* The class nobody provisions for (kubernetes.io/no-provisioner, WaitForFirstConsumer). */
#define NAME_INERT_CLASS "adjoint-handoff"

/* A VolumeSnapshot that is never made: with it as its source a bootstrap waits for ever instead of
   running initdb (CloudNativePG: VerifyDataSourceCoherence before any PVC or Job). */
#define NAME_GUARD_SNAPSHOT "adopt-only-never-create-this"

#define DRIVER_FSX_OPENZFS "fsx.openzfs.csi.aws.com"
#define PROVISIONER_NONE "kubernetes.io/no-provisioner"

/* On a PV: the binder picked it for its claim, so nobody made it for that claim (kubernetes
   pkg/controller/volume/persistentvolume, GetBindVolumeToClaim). */
#define ANNOTATION_BOUND_BY_CONTROLLER "pv.kubernetes.io/bound-by-controller"

/* CloudNativePG's (pkg/utils/labels_annotations.go). */
#define CNPG_API_VERSION "postgresql.cnpg.io/v1"
#define CNPG_LABEL_CLUSTER "cnpg.io/cluster"
#define CNPG_LABEL_INSTANCE_NAME "cnpg.io/instanceName"
#define CNPG_LABEL_PVC_ROLE "cnpg.io/pvcRole"
#define CNPG_LABEL_INSTANCE_ROLE "cnpg.io/instanceRole"
#define CNPG_LABEL_ROLE "role"
#define CNPG_LABEL_MAJOR_VERSION "cnpg.io/majorVersion"
#define CNPG_ANNOTATION_NODE_SERIAL "cnpg.io/nodeSerial"
#define CNPG_ANNOTATION_PVC_STATUS "cnpg.io/pvcStatus"
#define CNPG_ANNOTATION_CONTROLDATA "cnpg.io/pgControldata"
#define CNPG_ANNOTATION_MANIFEST "cnpg.io/clusterManifest"
#define CNPG_ANNOTATION_SKIP_ARCHIVING "cnpg.io/skipWalArchiving"
#define CNPG_LABEL_RELOAD "cnpg.io/reload" /* on a Secret: a change is to be seen at once */
#define CNPG_ANNOTATION_HIBERNATION "cnpg.io/hibernation" /* on; also the condition's type */
#define CNPG_ROLE_PG_DATA "PG_DATA"
#define CNPG_PORT 5432

#endif
