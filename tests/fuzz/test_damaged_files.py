"""Damaged files of every kind: the right content or one error of mochac's that names the file, and nothing else."""

from __future__ import annotations

import re
import resource
import warnings
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from model_readers import MODELS
from readers import KINDS, Kind

from mochac.base.errors import MochacError
from mochac.tools.cli.command import CliError

KINDS = {**KINDS, **MODELS}
QUICK, SLOW, SOAK = 4, 250, 3000
"""Damaged copies of each kind."""
MOST_BYTES = 1 << 30
"""Of memory that reading a damaged copy of a small file may take."""


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
def little_memory():
    """What is done inside may take MOST_BYTES more than what the process has; MemoryError beyond."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MOST_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def fuzz(name: str, folder: Path, n: int, seed: int) -> int:
    """Read n damaged copies; how many were refused."""
    kind = KINDS[name]
    path, work = folder / f"good{kind.ending}", folder / f"damaged-{name.replace(' ', '-')}{kind.ending}"
    kind.write(path)
    content = path.read_bytes()
    good = outcome(kind, path)
    assert good != "refused"
    rng, n_refused = np.random.default_rng([seed, *name.encode()]), 0
    for k in range(n):
        bad = damaged(content, rng)
        work.write_bytes(bad)
        try:
            with little_memory(), warnings.catch_warnings(action="ignore"):  # of Pillow's, about what it then refuses
                found = outcome(kind, work)
        except Exception as error:
            error.add_note(f"{name}: copy {k} of seed {seed}")
            raise
        assert not found.startswith("an error"), f"{name}, copy {k} of seed {seed}: {found}"
        n_refused += found == "refused"
        if kind.sealed:
            assert found in (good, "refused"), f"{name}: copy {k} of seed {seed} is taken for another content"
    return n_refused


def kinds() -> list[str]:
    """Those that can be read here."""
    found = {"": True}
    for package in ("google.protobuf", "PIL", "onnx", "lmdb"):
        try:
            found[package] = bool(import_module(package))
        except ImportError:
            found[package] = False
    return [name for name, kind in KINDS.items() if found[kind.needs]]


@pytest.mark.slow
def test_a_damaged_file_is_refused_by_name_or_read_right(tmp_path):
    assert sum(fuzz(name, tmp_path, QUICK, seed=0) for name in kinds()) > len(kinds())


@pytest.mark.slow
@pytest.mark.parametrize("name", kinds())
def test_many_damaged_files(name, tmp_path):
    assert fuzz(name, tmp_path, SLOW, seed=1) > 0


@pytest.mark.soak
@pytest.mark.parametrize("name", kinds())
def test_thousands_of_damaged_files(name, tmp_path):
    assert fuzz(name, tmp_path, SOAK, seed=2) > 0
