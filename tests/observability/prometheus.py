# SPDX-License-Identifier: Apache-2.0
"""A real Prometheus that scrapes operators as the chart's ServiceMonitor has it scrape them."""

import json
import re
import socket
import urllib.error
import urllib.parse
import urllib.request

from morning import REPOSITORY
from morning.processes import Program

CHART = REPOSITORY / "deploy" / "chart"
ALERTS = CHART / "files" / "alerts.yaml"
SCRAPE_S = 1
STARTING = 503


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _configuration(addresses):
    """JSON, which is YAML, too. A ServiceMonitor puts the namespace of the operator's pods into
    each series, unless the series has one and its labels are honoured.
    """
    monitor = (CHART / "templates" / "servicemonitor.yaml").read_text(encoding="utf-8")
    labels = {"namespace": "adjoint-system", "service": "adjoint"}
    job = {
        "job_name": "adjoint",
        "honor_labels": bool(re.search(r"^ *honorLabels: true$", monitor, re.MULTILINE)),
        "static_configs": [{"targets": addresses, "labels": labels}],
    }
    interval = f"{SCRAPE_S}s"
    return json.dumps(
        {
            "global": {"scrape_interval": interval, "evaluation_interval": interval},
            "rule_files": [str(ALERTS)],
            "scrape_configs": [job],
        }
    )


class Prometheus(Program):
    def __init__(self, program, folder, addresses):
        folder.mkdir(parents=True, exist_ok=True)
        configuration = folder / "prometheus.yaml"
        configuration.write_text(_configuration(addresses), encoding="utf-8")
        self.address = f"127.0.0.1:{free_port()}"
        super().__init__(
            program,
            folder,
            f"--config.file={configuration}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address={self.address}",
        )

    def ask(self, path, **parameters):
        """The reply's data; None while it cannot be asked yet."""
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url) as reply:
                return json.load(reply)["data"]
        except urllib.error.HTTPError as error:
            if error.code == STARTING:
                return None
            raise ValueError(f"{parameters}: {error.read().decode()}") from error
        except urllib.error.URLError:
            self.check()
            return None

    def series(self, query, begin_s, end_s):
        """Of a range: [{metric, values}]."""
        return self.ask("query_range", query=query, start=begin_s, end=end_s, step=SCRAPE_S)[
            "result"
        ]

    def value(self, query):
        """Of the one series that the query gives; None when there is none."""
        data = self.ask("query", query=query)
        return float(data["result"][0]["value"][1]) if data and data["result"] else None
