# SPDX-License-Identifier: Apache-2.0
"""Who is there: a Pool of ten and thirteen developers, who all come within a minute."""

import random

POOLS = "adjoint-pools"
POOL = "orders"
SNAPSHOT = "orders-golden"
CLONE_CLASS = "fsx-clone"
SIZE = 10
DEVELOPERS = "alice bob carol dave erin frank grace heidi ivan judy mike nina olivia".split()
MINUTE_S = 60
# The name of everybody's Instance, each in a namespace of their own.
INSTANCE = "db"

POOLS_PATH = f"/apis/adjoint.dev/v1alpha1/namespaces/{POOLS}/pools"
EVERY_INSTANCE_PATH = "/apis/adjoint.dev/v1alpha1/instances"


def namespace_of(developer):
    return f"dev-{developer}"


def arrivals_s(seed):
    """When each of them comes, in seconds from the morning's begin: the same for all who are
    compared.
    """
    chance = random.Random(seed)
    share_s = MINUTE_S / len(DEVELOPERS)
    # Not in the same second, in which creationTimestamp could not tell who was first.
    return {
        name: (index + chance.uniform(0, 0.7)) * share_s for index, name in enumerate(DEVELOPERS)
    }


def pool_body():
    """deploy/examples/pool.yaml, with ten clones."""
    return {
        "apiVersion": "adjoint.dev/v1alpha1",
        "kind": "Pool",
        "metadata": {"name": POOL, "namespace": POOLS},
        "spec": {
            "golden": {"snapshot": SNAPSHOT},
            "size": SIZE,
            "storage": {"storageClassName": CLONE_CLASS},
            "allowedNamespaces": {
                "from": "Selector",
                "selector": {"matchLabels": {"stage": "development"}},
            },
            "cluster": {
                "imageName": "ghcr.io/cloudnative-pg/postgresql:15",
                "resources": {"requests": {"cpu": "500m", "memory": "512Mi"}},
            },
        },
    }


def make_namespaces(connection):
    for developer in DEVELOPERS:
        metadata = {"name": namespace_of(developer), "labels": {"stage": "development"}}
        connection.write("POST", "/api/v1/namespaces", {"metadata": metadata})


def make_pool(connection):
    connection.write("POST", POOLS_PATH, pool_body())


def ask(connection, developer):
    """What `adj clone db -n dev-NAME --pool adjoint-pools/orders` does."""
    namespace = namespace_of(developer)
    connection.write(
        "POST",
        f"/apis/adjoint.dev/v1alpha1/namespaces/{namespace}/instances",
        {
            "apiVersion": "adjoint.dev/v1alpha1",
            "kind": "Instance",
            "metadata": {"name": INSTANCE, "namespace": namespace},
            "spec": {"pool": {"name": POOL, "namespace": POOLS}},
        },
    )
