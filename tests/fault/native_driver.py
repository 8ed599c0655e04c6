"""Compiles the native step driver and its worker team with a sanitizer, as a program: `native_driver.py KIND PLANS`.

KIND is "thread" (ThreadSanitizer: which accesses no barrier, lock or other atomic operation orders) or "address"
(AddressSanitizer). LLVM's `opt` instruments the text of step_driver.py and worker_team.py, `llc` compiles it, and gcc
links it with team_harness.c and its own runtime of the sanitizer. Runs random plans with 1 to 8 threads; the exit
status is not 0 if one is wrong or the sanitizer finds a fault.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from enum import EnumType
from pathlib import Path

from mochac.codegen.cpu import worker_team
from mochac.codegen.cpu.step_driver import mochac_run, mochac_worker
from mochac.codegen.cpu.system import FUNCTIONS, system_text
from mochac.codegen.cpu.worker_team import Job, Kind, Row, SlotWord
from mochac.codegen.native.llvm_text import llvm_text

HARNESS = Path(__file__).with_name("team_harness.c")
PASSES = {"thread": "tsan-module,function(tsan)", "address": "asan-module"}
THREADS = (1, 2, 3, 4, 8)
NEEDED = ("opt", "llc", "gcc")
HEAD = """target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
"""


def missing() -> list[str]:
    """Programs that are not on PATH."""
    return [name for name in NEEDED if shutil.which(name) is None]


def layout() -> str:
    """The header of the harness."""
    names = {"LINE": worker_team.LINE_BYTES, "MAILBOXES": worker_team.MAILBOXES, "BOX_TEAM": worker_team.BOX_TEAM}
    enums: tuple[EnumType, ...] = (Job, Row, SlotWord, Kind)
    names |= {f"{e.__name__.upper()}_{word.name}": int(word) for e in enums for word in e}
    return "".join(f"#define {name} {number}\n" for name, number in names.items())


def built(folder: Path, kind: str, edit: Callable[[str], str] = str) -> Path:
    """The program, with the driver's text changed by `edit`."""
    text = HEAD + edit(system_text("x86_64", "linux") + llvm_text([mochac_run, mochac_worker], FUNCTIONS))
    (folder / "layout.h").write_text(layout())
    (folder / "team.ll").write_text(re.sub(r"nounwind \{", f"nounwind sanitize_{kind} {{", text))
    opaque = ["-opaque-pointers"] if _version("opt") < 15 else []
    how = {
        "opt": [*opaque, f"-passes={PASSES[kind]}", "team.ll", "-o", "team.bc"],
        "llc": [*opaque, "-relocation-model=pic", "-filetype=obj", "team.bc", "-o", "team.o"],
        "gcc": ["-g", "-O1", f"-fsanitize={kind}", "-I.", HARNESS, "team.o", "-o", "harness", "-pthread"],
    }
    for program, arguments in how.items():
        subprocess.run([program, *map(str, arguments)], cwd=folder, check=True)
    return folder / "harness"


def _version(program: str) -> int:
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"LLVM version (\d+)", said)
    return int(found[1]) if found else 0


def run(program: Path, threads: int, seed: int, count: int, *how: str) -> subprocess.CompletedProcess[str]:
    """Random plans of two callers. The first report ends the program: what is wrong may as well never end."""
    environment = {"TSAN_OPTIONS": "report_thread_leaks=0:halt_on_error=1", "ASAN_OPTIONS": "detect_leaks=0"}
    return subprocess.run(
        [program, *map(str, (threads, seed, count, *how))], env=environment, capture_output=True, text=True
    )


def main(kind: str, plans: str) -> int:
    """Print counts; the exit status."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(folder), kind)
        for number, threads in enumerate(THREADS):
            done = run(program, threads, 10000 * number, int(plans) // (2 * len(THREADS)))
            print(f"{threads} threads: {done.stdout.strip()}, exit status {done.returncode}", flush=True)
            print(done.stderr[:4000], end="")
            wrong += done.returncode != 0
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
