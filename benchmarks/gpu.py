"""Everything that wants a GPU, in one command of under ten minutes that writes all it finds to files.

    python benchmarks/gpu.py OUT                     # all stages
    python benchmarks/gpu.py OUT --only device start contest --seconds 10

Each stage is a process of its own with a limit, so that one that fails or hangs leaves the others. OUT gets a file per
stage and report.md, which is written anew after each of them. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
from gpu_contest.tasks import TASKS  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description="Everything that wants a GPU.")
    parser.add_argument("out", type=Path, help="folder for results")
    parser.add_argument("--only", nargs="+", choices=list(STAGES), help="these stages alone")
    parser.add_argument("--seconds", type=float, default=12, help="of rounds a task of the contest")
    parser.add_argument("--tasks", nargs="+", choices=list(TASKS), default=list(TASKS))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    took: dict[str, float] = {}
    for name, stage in STAGES.items():
        if args.only is None or name in args.only:
            begin = time.perf_counter()
            stage(args)
            took[name] = time.perf_counter() - begin
            (args.out / "report.md").write_text(report(args, took))


def device(args: argparse.Namespace) -> None:
    run(args.out / "device.json", module("device"), 60)
    run(args.out / "nvidia-smi.txt", ["nvidia-smi"], 20)


def start(args: argparse.Namespace) -> None:
    """Cold: an empty cache; warm: the one it left."""
    cache = {"MOCHAC_CACHE_DIR": str((args.out / "cache").resolve())}
    for name in ("start-cold", "start-warm"):
        run(args.out / f"{name}.txt", module("start", "lenet-64"), 60, cache)


def contest(args: argparse.Namespace) -> None:
    for task in args.tasks:
        file = (args.out / f"contest-{task}.json").resolve()
        command = module("rounds", task, str(args.seconds), str(file))
        run(args.out / f"contest-{task}.txt", command, 60 + 2 * args.seconds)


def profile(args: argparse.Namespace) -> None:
    profiled = [task for task in args.tasks if not task.endswith("1024")]
    run(args.out / "profile.txt", module("profiles", *profiled), 90)


def accuracy(args: argparse.Namespace) -> None:
    if "MOCHAC_DATA" in os.environ:
        run(args.out / "mnist.txt", module("mnist"), 60)


def tests(args: argparse.Namespace) -> None:
    workers = ["-n", "8"] if importable("xdist") else []
    command = [sys.executable, "-m", "pytest", "-m", "gpu", "--tb=short", *workers, "tests/runtime/cuda"]
    run(args.out / "tests.txt", command, 180)


def sanitizer(args: argparse.Namespace) -> None:
    """The first step of a small net, every access watched."""
    for tool in ("memcheck", "racecheck"):
        command = ["compute-sanitizer", "--tool", tool, *module("start", "tiny-mlp-16")]
        run(args.out / f"sanitizer-{tool}.txt", command, 60)


STAGES: dict[str, Callable[[argparse.Namespace], None]] = {
    "device": device,
    "start": start,
    "tests": tests,
    "contest": contest,
    "profile": profile,
    "accuracy": accuracy,
    "sanitizer": sanitizer,
}


def module(name: str, *args: str) -> list[str]:
    return [sys.executable, "-m", f"gpu_contest.{name}", *args]


def importable(module: str) -> bool:
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def run(file: Path, command: list[str], limit_s: float, variables: dict[str, str] | None = None) -> None:
    """Run a command; what it says, and how it ended, go to the file."""
    path = os.pathsep.join([str(HERE), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": path, **(variables or {})}
    with file.open("w") as out:
        try:
            done = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env=env, timeout=limit_s)
            ending = f"exit status {done.returncode}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            ending = f"stopped after {limit_s:.0f} s"
        except FileNotFoundError:
            ending = f"{command[0]} is not installed"
        if ending:
            out.write(f"\n{ending}\n")
    print(f"{file.name}: {ending or 'done'}", flush=True)


def report(args: argparse.Namespace, took: dict[str, float]) -> str:
    """Medians over rounds, ratios within rounds, and the other files as they are."""
    parts = ["# mochac on a GPU", "", ", ".join(f"{name} {s:.0f} s" for name, s in took.items()), ""]
    for task in args.tasks:
        file = args.out / f"contest-{task}.json"
        if file.exists():
            parts += [f"## {task}", "", *contest_table(json.loads(file.read_text())), ""]
    for name in ("device.json", "start-cold.txt", "start-warm.txt", "profile.txt", "mnist.txt", "tests.txt"):
        if (args.out / name).exists():
            text = (args.out / name).read_text().strip().splitlines()
            parts += [f"## {name}", "", "```", *text[-120:], "```", ""]
    return "\n".join(parts)


def contest_table(found: dict) -> list[str]:
    lines = [
        "| contender | us a step, median | min | of mochac plan | until the third step |",
        "| --- | --- | --- | --- | --- |",
    ]
    rounds = found["rounds"]
    for name in rounds[0] if rounds else ():
        times = [r[name] for r in rounds]
        ratio = statistics.median(r[name] / r["mochac plan"] for r in rounds) if "mochac plan" in rounds[0] else 0.0
        row = (f"{1e6 * statistics.median(times):.1f}", f"{1e6 * min(times):.1f}", f"{ratio:.2f}")
        lines.append(f"| {name} | {' | '.join(row)} | {found['first_s'][name]:.2f} s |")
    return [*lines, *(f"\n{name} left out: {why[:300]}" for name, why in found["absent"].items())]


if __name__ == "__main__":
    main()
