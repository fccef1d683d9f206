# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree that mutants are put into, one at a time.

The copy is kept from one run to the next, with what was built of it: make compiles what has
changed, which is one file a mutant. After a mutant the object of that file is put back, and the
archive it was in removed, so that the next build packs it anew and links whatever it needs.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess

COPIED = ("Makefile", "crds", "include", "src", "tests")
LEFT_OUT = {"__pycache__", "mutants"}
FLAVOUR = "plain"  # asserts stay on; what sanitizers see is `make test`'s
FLAGS = "-O1 -g0 -w"


class BuildError(Exception):
    pass


class Tree:
    def __init__(self, source, root, jobs):
        self.source, self.root, self.jobs = source, root, jobs
        self.build_folder = root / f"build/{FLAVOUR}-gcc"
        self.digest = ""  # of all that was copied
        root.mkdir(parents=True, exist_ok=True)
        self.lock = open(root / "lock", "w", encoding="ascii")
        fcntl.flock(self.lock, fcntl.LOCK_EX)

    def _files(self, root):
        for name in COPIED:
            top = root / name
            for path in [top] if top.is_file() else sorted(top.rglob("*")):
                name = path.relative_to(root)
                if path.is_file() and not LEFT_OUT.intersection(name.parts):
                    yield name

    def refresh(self):
        """Makes the copy what the tree is. What differs gets a new time, whatever its own is: a
        run that was killed may have left a mutant and its object."""
        digest = hashlib.sha256()
        wanted = list(self._files(self.source))
        for path in set(self._files(self.root)) - set(wanted):
            (self.root / path).unlink()
        for path in wanted:
            content = (self.source / path).read_bytes()
            digest.update(f"{path}\0{len(content)}\0".encode() + content)
            copy = self.root / path
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
                shutil.copymode(self.source / path, copy)
        self.digest = digest.hexdigest()

    def program(self, test):
        return self.build_folder / test

    def build(self, tests):
        """Each is `tests/unit/plan/pool`, say."""
        programs = [str(self.program(test).relative_to(self.root)) for test in tests]
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("MAKE", "MFL"))
        }
        done = subprocess.run(
            ["make", "CC=gcc", f"FLAVOUR={FLAVOUR}", f"CFLAGS={FLAGS}", "WERROR=",
             f"JOBS={self.jobs}", *programs],
            cwd=self.root, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=False,
        )
        if done.returncode != 0:
            raise BuildError(done.stderr.strip() or done.stdout.strip())

    @contextlib.contextmanager
    def mutated(self, mutant):
        """The bug is in the copy as long as this lasts. Everything has to be built before."""
        texts = mutant.apply(self.root)
        kept = []
        for path in texts:
            compiled = self.build_folder / path
            for file in (self.root / path, compiled.with_suffix(".o"), compiled.with_suffix(".d")):
                kept.append((file, file.read_bytes(), file.stat()))
        try:
            for path, text in texts.items():
                (self.root / path).write_text(text)
            yield
        finally:
            for file, content, stat in kept:
                file.write_bytes(content)
                os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            for path in texts:
                (self.build_folder / f"lib{path.split('/')[1]}.a").unlink(missing_ok=True)
