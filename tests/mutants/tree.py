# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree, built once, and the mutants of it.

The sources are one shared library, and each test program is linked to it and, before it, to an
empty one. A mutant is the file with the bug in it compiled to a library of that name: what is
looked up first is found first. So a mutant costs the compiling of one file, and nothing has to be
put back.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

COPIED = ("Makefile", "crds", "include", "src", "tests")
# Tests of other things: a change of theirs is none of the tree's.
LEFT_OUT = {"mutants", "conformance", "crash_matrix", "end_to_end", "kubectl", ".py", ".pyc"}
FLAVOUR = "plain"  # asserts stay on; what sanitizers see is `make test`'s
FLAGS = "-O1 -g0 -w -fPIC"
MUTANT = "libmutant.so"


class BuildError(Exception):
    pass


def _run(command, cwd):
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFL"))
    }
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )
    if done.returncode != 0:
        raise BuildError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


class Tree:
    def __init__(self, source, root, jobs):
        self.source, self.root, self.jobs = source, root, jobs
        self.build_folder = root / f"build/{FLAVOUR}-gcc"
        self.digest = self.digest_of_code = ""  # of all that was copied; of what is compiled
        root.mkdir(parents=True, exist_ok=True)
        self.lock = open(root / "lock", "w", encoding="ascii")
        fcntl.flock(self.lock, fcntl.LOCK_EX)

    def _files(self, root):
        for name in COPIED:
            top = root / name
            for path in [top] if top.is_file() else sorted(top.rglob("*")):
                name = path.relative_to(root)
                if path.is_file() and not LEFT_OUT.intersection({*name.parts, name.suffix}):
                    yield name

    def refresh(self):
        """Makes the copy what the tree is."""
        digest, code = hashlib.sha256(), hashlib.sha256(FLAGS.encode())
        wanted = list(self._files(self.source))
        for path in set(self._files(self.root)) - set(wanted):
            (self.root / path).unlink()
        for path in wanted:
            content = (self.source / path).read_bytes()
            for one in [digest, code] if path.suffix in (".c", ".h", "") else [digest]:
                one.update(f"{path}\0{len(content)}\0".encode() + content)
            copy = self.root / path
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
                shutil.copymode(self.source / path, copy)
        self.digest, self.digest_of_code = digest.hexdigest(), code.hexdigest()

    def program(self, test):
        return self.build_folder / test

    def _packages(self, what):
        names = re.search(r"^LIBRARIES := (.*)$", (self.root / "Makefile").read_text(), re.M)
        return _run(["pkg-config", what, *names.group(1).split()], self.root).split()

    def _objects(self, test):
        """Of a program. The simulation has more than one source of its own."""
        folder = (self.root / test).parent
        sources = [self.root / f"{test}.c"]
        if folder.name == "simulation":
            sources = [*folder.glob("*.c"), *(self.root / "tests/demo").glob("[es]*.c")]
        return [
            self.build_folder / source.relative_to(self.root).with_suffix(".o")
            for source in sorted(sources)
        ]

    def build(self, tests):
        """Each is `tests/unit/plan/pool`, say. Only if the copy has changed."""
        stamp = self.root / "built"
        if stamp.exists() and stamp.read_text() == self.digest_of_code:
            return
        stamp.unlink(missing_ok=True)
        support = self.build_folder / "libsupport.a"
        objects = {test: self._objects(test) for test in tests}
        wanted = {path for some in objects.values() for path in some}
        _run(
            ["make", "CC=gcc", f"FLAVOUR={FLAVOUR}", f"CFLAGS={FLAGS}", "WERROR=",
             f"JOBS={self.jobs}", "archives",
             *(path.relative_to(self.root) for path in [support, *sorted(wanted)])],
            self.root,
        )
        libraries = [*self._packages("--libs"), "-lm"]
        folders = [path for path in self.build_folder.glob("lib*.a") if path != support]
        self._link("libadjoint.so", ["-shared", "-Wl,--whole-archive", *folders,
                                     "-Wl,--no-whole-archive", *libraries])
        self._link(MUTANT, ["-shared", "-xc", "/dev/null"])
        for test in tests:
            self._link(test, [*objects[test], support, "-Wl,--no-as-needed", "-lmutant",
                              "-ladjoint", "-lcmocka", *libraries])
        stamp.write_text(self.digest_of_code)

    def _link(self, name, arguments):
        _run(["gcc", "-o", self.build_folder / name, f"-L{self.build_folder}", *arguments],
             self.root)

    @contextlib.contextmanager
    def mutated(self, mutant):
        """The environment in which the programs have the bug."""
        with tempfile.TemporaryDirectory(dir=self.root) as folder:
            sources = []
            for path, text in mutant.apply(self.root).items():
                sources.append(pathlib.Path(folder) / path.replace("/", "-"))
                sources[-1].write_text(text)
            _run(
                ["gcc", "-std=gnu17", *FLAGS.split(), "-shared", "-o", f"{folder}/{MUTANT}",
                 "-Iinclude", "-Isrc", *self._packages("--cflags"), *sources],
                self.root,
            )
            yield self.environment(folder)

    def environment(self, *folders):
        return dict(os.environ, LD_LIBRARY_PATH=":".join([*folders, str(self.build_folder)]))
