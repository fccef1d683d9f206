# SPDX-License-Identifier: Apache-2.0
"""A pod, in JSON, of the Deployment among the YAML documents on stdin."""

import json
import subprocess
import sys

for document in sys.stdin.read().split("\n---"):
    if "\nkind: Deployment\n" in document:
        deployment = json.loads(
            subprocess.run(
                ["kubectl", "create", "--dry-run=client", "-o", "json", "-f", "-"],
                input=document, capture_output=True, text=True, check=True,
            ).stdout
        )
        template = deployment["spec"]["template"]
        template["spec"]["serviceAccountName"] = "default"
        metadata = {"generateName": "adjoint-", "namespace": deployment["metadata"]["namespace"]}
        print(json.dumps({"apiVersion": "v1", "kind": "Pod", "spec": template["spec"],
                          "metadata": metadata}))
