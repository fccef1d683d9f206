# SPDX-License-Identifier: Apache-2.0
"""What may catch a mutant, from cheap to dear: the tests of its folder and of those that use it,
then the simulation, seed by seed. Whoever fails, dies or does not end has caught it."""

import os
import pathlib
import re
import resource
import selectors
import subprocess
import time

HANGS_AFTER_S = 120  # of its own without a line; a test takes a second or two, a seed less
MEMORY_BYTES = 4 << 30  # a bug that hoards must not take the machine along

# Whose tests see a folder's bugs, the nearest first.
STEPS = {
    "plan": ["plans", "unit/plan", "unit/operator"],
    "operator": ["unit/operator", "plans"],
    "kube": ["unit/kube", "unit/operator"],
}
SIMULATION = "tests/simulation/main"


def _programs(tree, groups, path):
    """tests/unit/kube/store before the others, when src/kube/store.c is the one."""
    own = path.rsplit("/", 1)[-1].removesuffix(".c")
    found = []
    for group in groups:
        if group == "plans":
            found.append("tests/plans/run")
            continue
        names = [source.stem for source in (tree.root / "tests" / group).glob("*.c")]
        names.sort(key=lambda name: (not name.startswith(own), name))
        found += [f"tests/{group}/{name}" for name in names]
    return found


def all_programs(tree):
    groups = sorted({group for groups in STEPS.values() for group in groups})
    return _programs(tree, groups, "")


def _limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Run:
    """A program's lines as they come; leaves nothing running."""

    def __init__(self, command, tree, environment):
        self.silent = False  # it hung
        self.code = None
        self.process = subprocess.Popen(
            ["stdbuf", "-oL", *command], cwd=tree.root, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=_limit,
        )

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.stdout.close()
        self.process.wait()

    def _waits_for_the_processor(self, since_s):
        """On a busy machine, which is not its fault."""
        state = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        own_s = (int(state[11]) + int(state[12])) / os.sysconf("SC_CLK_TCK")
        return state[0] == "R" and own_s - since_s < HANGS_AFTER_S, own_s

    def lines(self):
        rest, since_s = b"", 0
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while True:
                readable = selector.select(HANGS_AFTER_S)
                waits, own_s = self._waits_for_the_processor(since_s)
                if not readable and not waits:
                    break
                if not readable:
                    continue
                since_s = own_s
                chunk = self.process.stdout.read1()
                if not chunk:
                    self.code = self.process.wait()
                    return
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    yield line.decode(errors="replace")
        self.silent = True


def _ending(run):
    return " hangs" if run.silent else "" if run.code in (0, None) else " ends it"


def run_tests(tree, program, environment, is_quick):
    """The test case that failed, or in which it died; None: all pass. Quickly: without the hours
    of a whole operator, which come last."""
    running = "its beginning"
    with _Run([str(tree.program(program))], tree, environment) as run:
        for line in run.lines():
            if is_quick and line.endswith(" comes to rest"):
                return None
            if line.startswith("[ RUN      ] "):
                running = line[13:]
            elif line.startswith("[  FAILED  ] "):
                running = line[13:]
                break
        else:
            if not _ending(run):
                return None
        return f"{program.removeprefix('tests/')}: {running}{_ending(run)}"


def simulate(tree, seeds, environment):
    """The scenario and seed that failed, and what was broken; None: all pass."""
    command = [str(tree.program(SIMULATION)), "-v", "--seeds", str(seeds)]
    running, verdict = "its beginning", ""
    with _Run(command, tree, environment) as run:
        for line in run.lines():
            if line.startswith("[ RUN      ] "):
                running, verdict = line[13:], ""
            elif not verdict and re.match(r"  (?!trace|    )\S", line):
                verdict = f" ({line.strip()})"
            elif line.startswith("[  FAILED  ] "):
                return f"simulation: {running}{verdict}"
        return f"simulation: {running}{_ending(run)}" if _ending(run) else None


class Catcher:
    def __init__(self, tree, options):
        """options: seeds, and whether simulation or quick alone."""
        self.tree, self.options = tree, options

    def build(self):
        self.tree.build([*all_programs(self.tree), SIMULATION])

    def _find(self, programs, environment):
        for program in [] if self.options.simulation else programs:
            found = run_tests(self.tree, program, environment, self.options.quick)
            if found is not None:
                return found
        return None if self.options.quick else simulate(self.tree, self.options.seeds, environment)

    def check_tree(self):
        """What fails without any mutant; None: nothing."""
        return self._find(all_programs(self.tree), self.tree.environment())

    def catch(self, mutant):
        """(who caught it or None, seconds of testing)."""
        with self.tree.mutated(mutant) as environment:
            began = time.monotonic()
            programs = _programs(self.tree, STEPS[mutant.folder], mutant.path)
            return self._find(programs, environment), time.monotonic() - began
