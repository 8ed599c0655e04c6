"""Damages files of every kind that is read, and counts what comes of it: `damage.py COPIES [SEED]`.

A damaged copy has the right content, or is refused by one error that names the file; where the file is sealed, it never
has another content. Each copy is read within MOST_BYTES more memory and MOST_S of CPU time. COPIES are shared evenly
to the kinds; each kind has a process of its own, whose end by a signal is a fault, too. Prints a table, and each fault
by the number of its copy; the exit status is 1 if there is any.
"""

from __future__ import annotations

import json
import logging
import os
import re
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TextIO

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from model_readers import MODELS
from readers import KINDS as OTHER_KINDS
from readers import Kind

from mochac.base.errors import MochacError
from mochac.tools.cli.command import CliError

KINDS = {**OTHER_KINDS, **MODELS}
MOST_BYTES = 1 << 30
"""Of memory that reading a damaged copy of a small file may take."""
MOST_S = 20
"""CPU time that reading it may take; SIGPROF then ends the process. One takes a millisecond."""
PATIENCE_S = 900
"""After which SIGALRM ends a process that waits."""
NUMBER = re.compile(rb"(?<![\w.])\d+(?![\w.])")
OTHERS = (
    b"0",
    b"-1",
    b"1",
    b"7",
    b"16",
    b"100000",
    b"4294967296",
    b"9223372036854775807",
    b"0.5",
    b"(1,1)",
    b"true",
    b"'x'",
)


class Fault(AssertionError):
    """What a damaged copy must not do."""


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """A copy with flipped bits, a piece cut out, cut off, put in twice, zeroed or replaced by noise, or, where the file
    is text, another number in place of one."""
    at, to = sorted(rng.integers(0, len(content) + 1, 2).tolist())
    to = min(to, at + int(rng.integers(1, 64))) if rng.integers(2) else to
    numbers = list(NUMBER.finditer(content))
    match int(rng.integers(10 if len(numbers) > 10 else 7)):
        case 0 | 1:
            flipped = bytearray(content)
            for place in rng.integers(0, len(content), int(rng.integers(1, 4))).tolist():
                flipped[place] ^= 1 << int(rng.integers(8))
            return bytes(flipped)
        case 2:
            return content[:at]
        case 3:
            return content[:at] + content[to:]
        case 4:
            return content[:to] + content[at:]
        case 5:
            return content[:at] + bytes(to - at) + content[to:]
        case 7 | 8 | 9:
            number = numbers[int(rng.integers(len(numbers)))]
            return content[: number.start()] + OTHERS[int(rng.integers(len(OTHERS)))] + content[number.end() :]
        case _:
            return content[:at] + rng.bytes(to - at) + content[to:]


def outcome(kind: Kind, path: Path) -> str:
    """What reading gives: the content's repr, or "refused" by an error that names the file."""
    try:
        return repr(kind.read(path))
    except (MochacError, CliError) as error:
        return "refused" if path.name in str(error) else f"an error that does not name the file: {error}"


@contextmanager
def limits() -> Iterator[None]:
    """What is done inside may take MOST_BYTES more than what the process has, MemoryError beyond; and MOST_S."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MOST_BYTES, before[1]))
    signal.alarm(PATIENCE_S)
    signal.setitimer(signal.ITIMER_PROF, MOST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_AS, before)


class Damage:
    """Reads damaged copies of one kind of file, in `folder`."""

    def __init__(self, name: str, folder: Path, seed: int) -> None:
        self.kind, self.name, self.seed = KINDS[name], name, seed
        good, self.work = folder / f"good{self.kind.ending}", folder / f"damaged-{_plain(name)}{self.kind.ending}"
        self.kind.write(good)
        self.content = good.read_bytes()
        self.good = outcome(self.kind, good)
        assert self.good != "refused"
        self.rng = np.random.default_rng([seed, *name.encode()])
        self.copies = self.refused = 0
        self.longest_s = 0.0

    def read_another(self) -> None:
        """Damage a copy and read it.

        Raises:
            Fault: it is neither read right nor refused by an error that names it.
        """
        begin, copy = time.perf_counter(), self.copies
        self.copies += 1
        self.work.write_bytes(damaged(self.content, self.rng))
        try:
            with limits(), warnings.catch_warnings(action="ignore"):  # of Pillow's, about what it then refuses
                found = outcome(self.kind, self.work)
        except Exception as error:
            raise Fault(f"{self.name}, copy {copy} of seed {self.seed}: {type(error).__name__}: {error}") from error
        self.longest_s = max(self.longest_s, time.perf_counter() - begin)
        self.refused += found == "refused"
        if found.startswith("an error"):
            raise Fault(f"{self.name}, copy {copy} of seed {self.seed}: {found}")
        if self.kind.sealed and found not in (self.good, "refused"):
            raise Fault(f"{self.name}, copy {copy} of seed {self.seed} is taken for another content")


def _plain(name: str) -> str:
    return name.replace(" ", "-")


def kinds() -> list[str]:
    """Those that can be read here."""
    found = {package: _is_installed(package) for package in {kind.needs for kind in KINDS.values()}}
    return [name for name, kind in KINDS.items() if found[kind.needs]]


def _is_installed(package: str) -> bool:
    """Without an import, which takes a second when tests are collected."""
    try:
        return not package or find_spec(package) is not None
    except ModuleNotFoundError:  # of what the package is in
        return False


# -- many copies -----------------------------------------------------------------------------------------------------


def counted(name: str, copies: int, seed: int) -> tuple[dict[str, float], list[str]]:
    """Counts of one kind, and its faults, from a child process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            _child(name, copies, seed, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        lines = [json.loads(line) for line in pipe]
    _, status = os.waitpid(child, 0)
    counts = next((line for line in reversed(lines) if isinstance(line, dict)), {})
    faults = [line for line in lines if isinstance(line, str)]
    if os.WIFSIGNALED(status):
        at = f"{name}, after copy {counts.get('copies', 0)} of seed {seed}"
        faults.append(f"{at}: {signal.Signals(os.WTERMSIG(status)).name}")
    return counts, faults


EVERY = 100
"""Copies between two lines of a child."""


def _child(name: str, copies: int, seed: int, pipe: TextIO) -> None:
    """Write faults, and counts from time to time."""

    def say(line: object) -> None:
        print(json.dumps(line), file=pipe, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        damage = Damage(name, Path(folder), seed)
        while damage.copies < copies:
            try:
                damage.read_another()
            except Fault as fault:
                say(str(fault))
            if damage.copies % EVERY == 0 or damage.copies == copies:
                counts = {"copies": damage.copies, "refused": damage.refused, "longest_s": damage.longest_s}
                say(counts)


def main(copies: int, seed: int) -> int:
    """Print the table; the exit status."""
    logging.getLogger("mochac").setLevel(logging.ERROR)
    names, total, faults = kinds(), 0, 0
    for name in names:
        counts, found = counted(name, -(-copies // len(names)), seed)
        total, faults = total + int(counts.get("copies", 0)), faults + len(found)
        numbers = [int(counts.get(key, 0)) for key in ("copies", "refused")]
        print(f"{name:26}{numbers[0]:10}{numbers[1]:10} refused, longest {counts.get('longest_s', 0):.3f} s")
        print("\n".join(found), end="\n" * bool(found), flush=True)
    print(f"{total} copies of {len(names)} kinds, {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
