# SPDX-License-Identifier: Apache-2.0
"""What is shown while it runs: on a terminal a picture that is redrawn, else a line for each thing
that happened.
"""

import os
import shutil
import sys

from .scene import INSTANCE, POOL, SIZE, namespace_of

ENTER, LEAVE = "\033[?1049h\033[?25l", "\033[?25h\033[?1049l"
HOME, CLEAR_LINE, CLEAR_BELOW = "\033[H", "\033[K", "\033[J"
BOLD, DIM, GREEN, YELLOW, PLAIN = "\033[1m", "\033[2m", "\033[32m", "\033[33m", "\033[0m"


def duration(seconds):
    """11.4s, 3m04s: as people read it."""
    if seconds is None:
        return "-"
    if seconds < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m{rest:02d}s"


def age(seconds):
    """58s, 3m04s: of what is looked at in passing."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


class Terminal:
    """In the alternate screen, so that what was there before comes back."""

    def __init__(self, speed):
        self.speed = speed

    def __enter__(self):
        sys.stdout.write(ENTER)
        return self

    def __exit__(self, *_):
        sys.stdout.write(LEAVE)
        sys.stdout.flush()

    def show(self, title, picture):
        columns, rows = shutil.get_terminal_size()
        lines = [
            (BOLD, f"Adjoint on a SIMULATED cluster, speed {self.speed}: {self._scale()}"),
            ("", f"{age(picture.now_s):>7}  {title}"),
            ("", ""),
            *_pool_lines(picture),
            ("", ""),
            *_developer_lines(picture),
            (DIM, "Ctrl-C stops all of it."),
        ]
        drawn = "".join(
            f"{style}{text[: columns - 1]}{PLAIN}{CLEAR_LINE}\n"
            for style, text in lines[: rows - 1]
        )
        sys.stdout.write(HOME + drawn + CLEAR_BELOW)
        sys.stdout.flush()

    def _scale(self):
        if self.speed == 60:
            return "a second here is a minute there"
        return f"a second here is {age(self.speed)} there"


def _pool_lines(picture):
    asked = picture.asked
    bar = "#" * picture.warm + "." * (SIZE - picture.warm)
    filling = "  ".join(
        f"{name.removeprefix(POOL + '-')}: {age(age_s)}" for name, age_s in picture.filling
    )
    queue = "  ".join(f"{one.position} {one.name}" for one in picture.queue)
    return [
        (
            "",
            f"Pool   {POOL}  [{bar}]  {picture.warm} of {SIZE} warm, {len(picture.filling)} "
            f"filling, {picture.claimed} claimed",
        ),
        ("", f"Lane   being made, one a minute  {filling or 'none'}"),
        ("", f"Queue  {queue or 'nobody waits'}"),
        (
            "",
            f"Calls  {asked.for_pool} of CreateVolume for the pool, {asked.for_claims} for claims",
        ),
    ]


def _developer_lines(picture):
    yield BOLD, f"{'INSTANCE':<18}{'PHASE':<12}{'QUEUED':>8}{'READY IN':>11}"
    for one in picture.developers:
        style = GREEN if one.is_ready else YELLOW if one.phase == "Waiting" else ""
        name = f"{namespace_of(one.name)}/{INSTANCE}"
        queued = duration(one.queued_s) if one.phase else ""
        ready = duration(one.ready_s) if one.is_ready else ""
        yield style if one.phase else DIM, f"{name:<18}{one.phase:<12}{queued:>8}{ready:>11}"


class Lines:
    """Where nothing can be redrawn."""

    def __init__(self, speed):
        self.speed = speed
        self.said = {}

    def __enter__(self):
        print(f"Adjoint on a SIMULATED cluster, at {self.speed} times real time", flush=True)
        return self

    def __exit__(self, *_):
        pass

    def show(self, title, picture):
        self._say(picture, "title", f"== {title}")
        self._say(picture, "pool", f"pool {POOL}: {picture.warm} of {SIZE} warm")
        for one in picture.developers:
            if one.is_ready:
                text = f"Ready after {duration(one.ready_s)}"
            elif one.position:
                text = f"waits for a clone, position {one.position}"
            else:
                text = one.phase and not self.said.get(one.name) and "asks for an Instance"
            self._say(picture, one.name, text and f"{one.name}: {text}")

    def _say(self, picture, topic, text):
        if text and self.said.get(topic) != text:
            self.said[topic] = text
            print(f"{age(picture.now_s):>7}  {text}", flush=True)


def screen(speed):
    can_redraw = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return Terminal(speed) if can_redraw else Lines(speed)
