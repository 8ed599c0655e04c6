"""Compares a case with its twins in a child process, which may crash, hang or run out of memory."""

from __future__ import annotations

import faulthandler
import gc
import logging
import os
import resource
import select
import signal
import tempfile
import traceback
import warnings
from importlib import import_module

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.twins import TWINS, Mismatch, NotComparable, Trial

LIMIT_S = 300
LIMIT_BYTES = 16 << 30
"""Maximum bytes of addresses of a child."""
NEEDED = (
    "jinja2", "mochac.codegen.cpu.module", "mochac.codegen.cpu.schedules", "mochac.lowering.pipeline",
    "mochac.runtime.cpu.executor", "mochac.runtime.cpu.team",
)  # fmt: skip
"""What children would import; once in the parent, that takes no quarter of a second for each."""
AGREE, NONE, DIFFER, ERROR, CRASH, HANG = "agree", "not comparable", "differ", "error", "crash", "hang"
FAULTS = (DIFFER, ERROR, CRASH, HANG)


@record
class Verdict:
    """What a comparison found: one of the words above, and details."""

    kind: str
    text: str = ""

    @property
    def fault(self) -> bool:
        """Whether something is wrong with mochac."""
        return self.kind in FAULTS

    def like(self, other: Verdict) -> bool:
        """Whether both may have one cause: errors of one class, or the same kind."""
        return self.kind == other.kind and (self.kind != ERROR or self.text.split(":")[0] == other.text.split(":")[0])


def verdicts(case: DrawnNet, twins: list[str]) -> dict[str, Verdict]:
    """By twin. The first that ends the child is the last that is tried. The case has a compile cache of its own, since
    a process measures a cache before it adds to it, and that of thousands of nets is large."""
    for name in NEEDED:
        import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        return _verdicts(case, twins, folder)


def _verdicts(case: DrawnNet, twins: list[str], folder: str) -> dict[str, Verdict]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.environ["MOCHAC_CACHE_DIR"] = folder
        _child(case, twins, writer)
    os.close(writer)
    lines, ended = _read(reader, len(twins))
    if not ended:
        os.kill(child, signal.SIGKILL)
    os.close(reader)
    _, status = os.waitpid(child, 0)
    found: dict[str, Verdict] = {}
    for name, line in zip(twins, lines, strict=False):
        kind, _, text = line.partition("\t")
        found[name] = Verdict(kind, text)
    if len(lines) < len(twins):
        kind, text = (CRASH, _reason(status)) if ended else (HANG, f"no result after {LIMIT_S} s")
        found[twins[len(lines)]] = Verdict(kind, text)
    return found


def _reason(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit status {os.WEXITSTATUS(status)}"


def _read(reader: int, count: int) -> tuple[list[str], bool]:
    """Lines of the child, and whether it closed its end in time."""
    text = b""
    while select.select([reader], [], [], LIMIT_S)[0]:
        more = os.read(reader, 1 << 16)
        if not more:
            return text.decode().splitlines(), True
        text += more
    return text.decode().splitlines(), False


def _child(case: DrawnNet, twins: list[str], writer: int) -> None:
    """Write a line for each twin, and end the process."""
    try:
        faulthandler.enable()
        gc.freeze()  # what the parent made lives on
        warnings.simplefilter("ignore")
        logging.getLogger("mochac").setLevel(logging.ERROR)
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
        trial = Trial(case)
        for name in twins:
            found = judged(trial, name)
            os.write(writer, f"{found.kind}\t{' '.join(found.text.split())[:4000]}\n".encode())
        os._exit(0)
    finally:
        os._exit(1)


def judged(trial: Trial, name: str) -> Verdict:
    """The verdict of one twin, in this process."""
    try:
        TWINS[name](trial)
    except NotComparable as reason:
        return Verdict(NONE, str(reason))
    except Mismatch as found:
        return Verdict(DIFFER, str(found))
    except MochacError as error:
        return Verdict(ERROR, f"{type(error).__name__}: {error}")
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Verdict(ERROR, f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})")
    return Verdict(AGREE)
