# SPDX-License-Identifier: Apache-2.0
"""How slow and how big the file system is. Seconds, unless a name says otherwise."""

import dataclasses
import os


@dataclasses.dataclass
class Settings:
    # A volume is AVAILABLE create_s after it was asked for, but not before gap_s after the one
    # before it: FSx makes one at a time.
    create_s: float = 12.0
    gap_s: float = 6.0
    snapshot_s: float = 2.0
    delete_s: float = 5.0
    # Each call's own latency.
    call_ms: float = 50.0
    # The root volume counts.
    volumes_max: int = 100
    # One shot: the next volume alone takes so long, outside the queue; the next one to be finished
    # becomes FAILED.
    next_create_s: float | None = None
    next_create_fails: bool = False

    @classmethod
    def from_environment(cls):
        """FSX_CREATE_S and so on; an empty variable counts as unset."""
        settings = cls()
        settings.update(
            {
                field.name: float(os.environ["FSX_" + field.name.upper()])
                for field in dataclasses.fields(cls)
                if os.environ.get("FSX_" + field.name.upper())
            }
        )
        return settings

    def update(self, values):
        """Raises KeyError for a name that is no setting."""
        known = {field.name for field in dataclasses.fields(self)}
        for name, value in values.items():
            if name not in known:
                raise KeyError(name)
            setattr(self, name, value)

    def take(self, name):
        """The value of a one-shot setting, which is over with this."""
        value = getattr(self, name)
        setattr(self, name, type(self).__dataclass_fields__[name].default)
        return value

    def to_json(self):
        return dataclasses.asdict(self)
