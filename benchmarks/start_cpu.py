"""CPU time from process start to the third finished LeNet step, of this checkout and of others, in turns.

Run `python benchmarks/start_cpu.py [CHECKOUT ...] [--runs 10] [--record]`, such as `git worktree add --detach ../before
COMMIT`, then `start_cpu.py ../before`. A busy machine delays a process, but hardly adds to the CPU time of its fastest
run. All processes run this checkout's benchmark with the mochac of theirs.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from contest import report
from contest.starting import save
from contest.task import task

INTRO = """# CPU time until the third LeNet step

CPU seconds of a Python process, of all threads, from its start to the third step (batch 64). Cold: no compiled code is
cached; warm: the same run again. Processes of several commits alternate; the fastest counts. Written by
`python benchmarks/start_cpu.py --record`.
"""
HEAD = ("commit", "cold: min s", "warm: min s", "of it user", "warm: median s", "warm, first = 1")
Times = list[tuple[float, float]]
"""(user, system) seconds by process."""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="*", type=Path, help="further ones; this one comes last")
    parser.add_argument("--runs", type=int, default=10, help="warm ones of each; a quarter as many cold ones")
    parser.add_argument("--record", action="store_true", help="write results/start_cpu.md")
    options = parser.parse_args(argv)
    checkouts = [*(path.resolve() for path in options.checkouts), Path(__file__).resolve().parents[1]]
    text = report.table(HEAD, rows(checkouts, *measure(checkouts, options.runs)))
    print(text)
    if options.record:
        report.record_measured("start_cpu", INTRO, text)
    return 0


def measure(checkouts: Sequence[Path], runs: int) -> tuple[dict[Path, Times], dict[Path, Times]]:
    """Times of cold and warm processes, by checkout."""
    cold: dict[Path, Times] = {path: [] for path in checkouts}
    warm: dict[Path, Times] = {path: [] for path in checkouts}
    with tempfile.TemporaryDirectory(prefix="mochac-start-") as folder:
        net = task("lenet")
        save(net.data(), Path(folder) / "task.npz")
        for run in range(runs):
            for k, path in enumerate(checkouts):
                if run % 4 == 0:
                    cold[path].append(times(path, Path(folder), Path(folder) / f"cache-{k}-{run}"))
                warm[path].append(times(path, Path(folder), Path(folder) / f"cache-{k}-{run // 4 * 4}"))
    return cold, warm


def times(checkout: Path, folder: Path, cache: Path) -> tuple[float, float]:
    """(user, system) CPU seconds of one process."""
    benchmarks = Path(__file__).resolve().parent
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPATH": os.pathsep.join([str(checkout), str(benchmarks)]), "MOCHAC_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "contest.starting", "mochac", "2", "lenet", str(folder / "task.npz")]
    child = subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return used.ru_utime, used.ru_stime


def rows(checkouts: Sequence[Path], cold: dict[Path, Times], warm: dict[Path, Times]) -> list[list[str]]:
    """Of the table."""
    found: list[list[str]] = []
    first = min(map(sum, warm[checkouts[0]]))
    for path in checkouts:
        sums = [sum(pair) for pair in warm[path]]
        figures = [min(map(sum, cold[path])), min(sums), min(user for user, _ in warm[path]), statistics.median(sums)]
        found.append([commit_of(path), *(f"{seconds:.2f}" for seconds in figures), f"{min(sums) / first:.2f}"])
    return found


def commit_of(checkout: Path) -> str:
    """What git calls the state of a checkout."""
    said = subprocess.run(
        ["git", "-C", str(checkout), "describe", "--always", "--dirty=+"], capture_output=True, text=True
    )
    return said.stdout.strip() or checkout.name


if __name__ == "__main__":
    sys.exit(main())
