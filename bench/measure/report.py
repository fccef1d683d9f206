# SPDX-License-Identifier: Apache-2.0
"""What a benchmark prints, and the samples it leaves for others to look at again."""

import json
import os
import pathlib
import signal
import statistics
import sys


def p50(values):
    return statistics.median(values)


def milliseconds(value):
    if value >= 1000:
        return f"{value / 1000:.2f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


def _end(*_):
    sys.exit(143)


class Report:
    def __init__(self, directory, name):
        signal.signal(signal.SIGTERM, _end)  # so that what was started is stopped
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.path = self.directory / f"{name}.json"
        self.samples, self.checks = [], []

    @staticmethod
    def say(text):
        """Progress."""
        print(f"      {text}", file=sys.stderr, flush=True)

    def sample(self, phase, variant, **figures):
        load = round(os.getloadavg()[0], 2)
        self.samples.append({"phase": phase, "variant": variant, "load": load, **figures})
        self.save()

    def figures(self, phase, variant, key):
        return [
            sample[key]
            for sample in self.samples
            if sample["phase"] == phase and sample["variant"] == variant
        ]

    @staticmethod
    def table(title, header, rows):
        """Rows of texts; the first column is a name."""
        rows = [[title, *header], *rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        print()
        for row in rows:
            cells = [text.rjust(width) for text, width in zip(row[1:], widths[1:])]
            print("  ".join([row[0].ljust(widths[0]), *cells]).rstrip(), flush=True)

    def times(self, title, phase, variants, key):
        """A table of how often, p50 and max of a figure in milliseconds."""
        rows = []
        for variant in variants:
            values = self.figures(phase, variant, key)
            rows.append(
                [variant, str(len(values)), milliseconds(p50(values)), milliseconds(max(values))]
            )
        self.table(title, ("n", "p50", "max"), rows)

    def check(self, what, figure, limit, unit):
        """One threshold: the figure is to be at most the limit."""
        passed = figure <= limit
        self.checks.append(
            {"what": what, "figure": figure, "limit": limit, "unit": unit, "passed": passed}
        )
        verdict = "ok  " if passed else "FAIL"
        print(f"{verdict}  {what}: {figure:.3g}{unit} (at most {limit:.3g}{unit})", flush=True)

    def save(self):
        content = {"processors": os.cpu_count(), "checks": self.checks, "samples": self.samples}
        text = json.dumps(content, indent=1)
        self.path.write_text(text + "\n", encoding="utf-8")

    def close(self):
        """Returns the exit code."""
        self.save()
        failed = sum(not check["passed"] for check in self.checks)
        print(f"\nsamples: {self.path}")
        print(f"{len(self.checks) - failed} passed, {failed} failed")
        return 1 if failed or not self.checks else 0
