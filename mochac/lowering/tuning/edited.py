"""EditedSchedules: schedules that the user took from a dump and edited, for compile(schedules=).

A file applies to every kernel with the staged loop nest beside it, whatever its name. Each schedule is applied when it
is read, so that one that does not fit is an error before anything is compiled.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mochac.base.errors import OptionError
from mochac.base.files.reading import text_of
from mochac.base.support.log import LOG
from mochac.codegen.canonical import canonical, named
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_schedule
from mochac.lowering.tuning.schedules import BY_RULE
from mochac.runtime.lowered import BY_LIBRARY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mochac.codegen.generator import Generator

EDITED, STAGED = ".schedule", ".staged.kernel"
SHOWN = 3
"""How many files a message names."""


@dataclass
class EditedSchedules:
    """Schedules of canonical kernels (codegen/canonical.py), with the files they come from.

    Attributes:
        directory: of the dump.
    """

    directory: Path
    by_kernel: dict[Kernel, tuple[str, Schedule]]
    _used: set[Kernel] = field(default_factory=set)
    _was_searched: bool = False

    def choose(self, kernel: Kernel) -> Schedule | None:
        """The edited schedule of a canonical kernel; None: the rules choose."""
        self._was_searched = True
        if kernel not in self.by_kernel:
            return None
        self._used.add(kernel)
        return self.by_kernel[kernel][1]

    def origin(self, kernel: Kernel) -> str:
        """Where a canonical kernel's schedule comes from, in words."""
        return f"from {self.by_kernel[kernel][0]}" if kernel in self.by_kernel else BY_RULE

    @property
    def schedules(self) -> str:
        """The schedules, by kernel, as text: what generated code depends on."""
        return json.dumps(sorted((str(kernel), str(schedule)) for kernel, (_, schedule) in self.by_kernel.items()))

    def require_used(self) -> None:
        """Check that a plan just lowered, the one that dumps show, has kernels for these schedules. A plan from the
        cache was checked when it was put there.

        Raises:
            OptionError: it has none of them. If it has some, the others are named in the log.
        """
        left = [file for kernel, (file, _) in self.by_kernel.items() if kernel not in self._used]
        hint = "dump this net on this machine, with this batch size, dtype, parts and solver, and edit that"
        if not self._was_searched:
            return
        if left and not self._used:
            raise OptionError(f"no kernel has a loop nest of {self.directory}, so no schedule applies", hint=hint)
        if left:
            LOG.warning("schedules=: no kernel has the loop nest of %s in %s", _some(left), self.directory)


def read_edited(directory: Path, generator: Generator) -> EditedSchedules:
    """The schedules of a dump.

    Args:
        generator: prints the scheduled kernels, to see that it can.

    Raises:
        OptionError: there is no dump, a file is damaged, a schedule does not fit its loop nest, or two files give equal
            kernels different schedules.
    """
    files = sorted((directory / "kernels").glob(f"*{EDITED}"))
    if not files:
        hint = "program.dump(directory) or `mochac dump FILE DIR` makes one"
        raise OptionError(f"{directory} holds no schedules", expected="the folder of a dump", hint=hint)
    found: dict[Kernel, tuple[str, Schedule]] = {}
    for file in files:
        kernel, schedule = _read(file, generator)
        if schedule == BY_LIBRARY:
            continue
        other, before = found.setdefault(kernel, (file.name, schedule))
        if str(before) != str(schedule):
            rule = f"{other} and {file.name} are schedules of equal kernels, but differ"
            raise OptionError(rule, got=str(directory), hint=f"delete {other}, or edit both")
    return EditedSchedules(directory, found)


def _read(file: Path, generator: Generator) -> tuple[Kernel, Schedule]:
    """The canonical kernel of a file's schedule, and the schedule with its names."""
    try:
        staged = parse_kernel(text_of(file.with_name(file.name.removesuffix(EDITED) + STAGED)))
        plain, names = canonical(staged)
        schedule = named(parse_schedule(text_of(file)), {old: new for new, old in names.items()})
        scheduled = apply(schedule, plain)
        verify_kernel(scheduled, printable=True)
        generator.print_kernel(scheduled)
    except (ScheduleError, KernelVerifyError) as error:
        hint = "`mochac replay DIR schedule` shows what a schedule makes of its loop nest"
        raise OptionError(f"{file} is no schedule of its loop nest", details=[str(error)], hint=hint) from None
    except ValueError as error:
        raise OptionError(f"{file} is damaged", details=[str(error)]) from None
    return plain, schedule


def _some(files: Iterable[str]) -> str:
    names = list(files)
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
