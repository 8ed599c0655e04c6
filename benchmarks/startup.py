"""Process start to the third finished step of a net, and peak memory until then: mochac, PyTorch and JAX.

Run `python benchmarks/startup.py [NET ...] [--runs 5] [--record]`. Cold means empty caches of compiled code (a new
folder for each run), warm the same folder again; Python's own byte code is cached in both. Peers that are not
installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contest import report
from contest.contender import FRAMEWORKS
from contest.load import BUSY, Load, average
from contest.starting import save
from contest.task import Task, task
from contest.task import names as tasks

INTRO = """# Process start to the third finished step

Seconds from the start of a Python process until the third training step is finished, and the largest resident memory
until then. Cold: no compiled code is cached; warm: the same run again. Every framework has its disk cache on. The runs
of the contenders alternate. Written by `python benchmarks/startup.py --record`.
"""
NETS = ("lenet", "cifar", "mlp")
CONTENDERS = {"mochac": "mochac", "PyTorch eager": "torch", "torch.compile": "torch", "JAX jit": "jax"}
"""Names as in contest/starting.py, and the module each needs."""
HEAD = ("contender", "cold: median s", "min s", "warm: median s", "min s", "cold: max MiB", "warm: max MiB")


@dataclass
class Start:
    """One process: seconds, bytes, and the share of the machine's time that went elsewhere."""

    seconds: float
    peak_bytes: int
    other: float


Starts = dict[str, tuple[list[Start], list[Start]]]
"""By contender, its cold and its warm ones."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", metavar="NET", default=list(NETS), help=f"of {' '.join(tasks())}")
    parser.add_argument("--runs", type=int, default=5, help="cold and warm ones each")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=list(CONTENDERS), choices=list(CONTENDERS), metavar="NAME")
    parser.add_argument("--record", action="store_true", help="write results/startup.md, or with NETs startup-NETS.md")
    options = parser.parse_args(argv)
    names = [name for name in options.only if _present(name)]
    sections = [f"{report.circumstances()}."]
    for net in options.nets:
        starts = measure(task(net), names, options.threads, options.runs)
        if not starts:
            print(f"{net}: there is no contender that runs, and nothing to record", file=sys.stderr)
            return 1
        sections.append(section(task(net), starts, options.threads))
        print(f"{sections[-1]}\n", flush=True)
    if options.record:
        name = "startup" if options.nets == list(NETS) else f"startup-{'-'.join(options.nets)}"
        path = report.record(name, INTRO, "\n\n".join(sections))
        print(f"written: {path}")
    return 0


def measure(net: Task, names: Sequence[str], threads: int, runs: int) -> Starts:
    """By contender, its (cold, warm) starts."""
    found: Starts = {name: ([], []) for name in names}
    with tempfile.TemporaryDirectory(prefix="mochac-startup-") as folder:
        file = Path(folder) / "task.npz"
        save(net.data(), file)
        for run in range(runs):
            for k, name in enumerate(list(found)):
                cache = Path(folder) / f"cache-{run}-{k}"
                try:
                    for warm in (0, 1):
                        found[name][warm].append(start(net, name, threads, file, cache))
                except subprocess.CalledProcessError as error:
                    del found[name]
                    print(f"{name} fails and is left out:\n{error.stderr[-500:]}", file=sys.stderr)
    return found


def start(net: Task, name: str, threads: int, file: Path, cache: Path) -> Start:
    """One process."""
    folder = Path(__file__).resolve().parent
    env = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
        "OMP_NUM_THREADS": str(threads),
        "MOCHAC_CACHE_DIR": str(cache),
        "TORCHINDUCTOR_CACHE_DIR": str(cache),
        "JAX_PLATFORMS": "cpu",
        "JAX_COMPILATION_CACHE_DIR": str(cache),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    command = [sys.executable, "-m", "contest.starting", name, str(threads), net.name, str(file)]
    load, begin = Load(children=True), time.monotonic()
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    wall = time.monotonic() - begin
    said = json.loads(done.stdout.splitlines()[-1])
    return Start(said["finished"] - begin, said["peak_bytes"], sum(load.shares(wall)))


def section(net: Task, starts: Starts, threads: int) -> str:
    """Markdown; figures from a busy machine are marked."""
    others = [s.other for pair in starts.values() for kind in pair for s in kind]
    rows = [[name, *_seconds(cold), *_seconds(warm), _most(cold), _most(warm)] for name, (cold, warm) in starts.items()]
    note = (
        f"{threads} threads, {len(others) // len(starts) // 2} runs each. Load average {average():.1f}; "
        f"other processes and stolen time took {statistics.median(others):.0%} of the CPUs (median)."
    )
    return f"### {net.title}\n\n{report.table(HEAD, rows)}\n\n{note}"


def _seconds(starts: Sequence[Start]) -> list[str]:
    mark = " (busy)" if statistics.median(s.other for s in starts) > BUSY else ""
    times = [s.seconds for s in starts]
    return [f"{statistics.median(times):.2f}{mark}", f"{min(times):.2f}"]


def _most(starts: Sequence[Start]) -> str:
    return f"{max(s.peak_bytes for s in starts) / 2**20:.0f}"


def _present(name: str) -> bool:
    module = CONTENDERS[name]
    if importlib.util.find_spec(module):
        return True
    print(f"{FRAMEWORKS[module]} is not installed: {name} left out", file=sys.stderr)
    return False


if __name__ == "__main__":
    raise SystemExit(main())
