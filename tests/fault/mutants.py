"""Applies each fault of mutant_list.py and more_mutants.py to a copy of mochac, and runs the tests that must notice.

    python tests/fault/mutants.py [--only WORDS] [--first N] [--record FILE]

Tests run in order until one fails; `survived` are faults that none of them noticed. Without a fault they must pass.
--record appends a line per fault.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from more_mutants import MORE
from mutant_list import MUTANTS, Mutant

ALL = [*MUTANTS, *MORE]
ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 500
"""Of a run of pytest. One that takes longer notices nothing: the machine may be busy."""


def main() -> int:
    """1 if a fault survives."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="faults whose name or kind contains this")
    parser.add_argument("--first", type=int, default=0, help="number of the first fault to try")
    parser.add_argument("--record", type=Path, help="file to which a line for each fault is appended")
    args = parser.parse_args()
    survived = 0
    for number, mutant in enumerate(ALL):
        if number < args.first or args.only not in f"{mutant.name} {mutant.kind}":
            continue
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = judge(mutant, Path(folder))
        survived += not found.startswith("caught")
        line = f"| {number} | {mutant.name} | {mutant.kind} | {found} | {time.monotonic() - begin:.0f} s |"
        print(line, flush=True)
        if args.record:
            with args.record.open("a") as file:
                file.write(line + "\n")
    return int(survived > 0)


def judge(mutant: Mutant, folder: Path) -> str:
    """The test that noticed a fault, or "survived"."""
    shutil.copytree(ROOT / "mochac", folder / "mochac", ignore=shutil.ignore_patterns("__pycache__"))
    apply(mutant, folder)
    for tests in mutant.tests:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not gpu and not soak"]
        environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        where = [str(ROOT / part) if part.startswith("tests/") else part for part in shlex.split(tests)]
        command += ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), *where]
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"no result: {tests} took longer than {LIMIT_S} s"
        if done.returncode:
            return f"caught: {reason(done)}"
    return "survived"


def apply(mutant: Mutant, folder: Path) -> None:
    """Change the file of a copy."""
    path = folder / mutant.path
    text = path.read_text()
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.name}: {mutant.path} has the text {text.count(mutant.old)} times: {mutant.old!r}")
    path.write_text(text.replace(mutant.old, mutant.new))


def reason(done: subprocess.CompletedProcess[str]) -> str:
    """The first test that failed, or how the process ended."""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if failed:
        return failed[1].rpartition("tests/")[2]
    return f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"


if __name__ == "__main__":
    raise SystemExit(main())
