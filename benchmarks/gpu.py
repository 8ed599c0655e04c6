"""Everything that needs a GPU, in one command of under ten minutes that writes its results to three files.

    python benchmarks/gpu.py OUT                     # all stages
    python benchmarks/gpu.py OUT --only device start contest --seconds 10

Each stage is a process of its own with a time limit, so that one that fails or hangs does not stop the others. What
would begin or end after --minutes is interrupted, as by Ctrl-C, and may report how far it got. If the device stage
finds no usable device, the rest is left out. OUT gets report.md to read, report.json with every figure, and log.txt
with the output of the stages, all rewritten after each stage. Nothing is asserted or downloaded; the exit status is 1
if a stage failed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
from gpu_contest.report import report  # noqa: E402
from gpu_contest.tasks import TASKS  # noqa: E402

SMALL = [name for name in TASKS if not name.endswith("1024")]
LARGE = [name for name in TASKS if name not in SMALL]
NO_TIME = "no time left"
LEAST_S = 10
"""What would have less time is not begun."""
STARTS_S = 150
"""For the starts of all contenders of a task: imports from a cold disk, torch.compile, JAX's choice of algorithms."""
GRACE_S = 5
"""Of its time, what an interrupted stage has left for its last words: pytest's failures and counts."""
TAIL = 4000
"""Characters of a stage's words that report.json keeps; log.txt has them all."""


@dataclass
class Session:
    """One run of this script.

    Attributes:
        work: folder for what stages leave behind, the cache of compiled code among it.
        stages: by name, how each part ended and what it found.
    """

    args: argparse.Namespace
    work: Path
    end: float
    began: float = field(default_factory=time.time)
    stages: dict[str, dict[str, Any]] = field(default_factory=dict)
    logs: list[str] = field(default_factory=list)

    def run(self, name: str, command: list[str], limit_s: float, variables: dict[str, str] | None = None) -> None:
        """Run a command; a stage's module writes what it found to the file that its last argument names."""
        found = self.work / f"{name}.json"
        command = [str(found) if word == RESULT else word for word in command]
        limit = min(limit_s * self.args.patience, self.end - time.monotonic())
        begin = time.monotonic()
        words, ending = called(command, limit, self.environment(variables)) if limit > LEAST_S else ("", NO_TIME)
        result = json.loads(found.read_text()) if found.exists() else None
        seconds = round(time.monotonic() - begin, 1)
        self.stages[name] = {"seconds": seconds, "ending": ending or "done", "result": result, "said": words[-TAIL:]}
        self.logs.append(f"===== {name}: {' '.join(command)}\n{words}\n===== {ending or 'done'}, {seconds} s\n")
        print(f"{name}: {ending or 'done'}, {seconds} s", flush=True)
        self.write()

    def leave_out(self, name: str, why: str) -> None:
        """Tell why a stage is not begun."""
        self.stages[name] = {"seconds": 0, "ending": "left out", "result": None, "said": why}
        self.logs.append(f"===== {name}: left out: {why}\n")
        print(f"{name}: left out: {why}", flush=True)
        self.write()

    @property
    def failed(self) -> bool:
        return any(stage["ending"].startswith("exit status") for stage in self.stages.values())

    def environment(self, variables: dict[str, str] | None) -> dict[str, str]:
        path = os.pathsep.join([str(HERE), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        cache = {"MOCHAC_CACHE_DIR": str(self.work / "cache"), "TORCHINDUCTOR_CACHE_DIR": str(self.work / "inductor")}
        return {**os.environ, **cache, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **PEERS, **(variables or {})}

    def write(self) -> None:
        out, facts = self.args.out, {"date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.began))}
        (out / "report.json").write_text(json.dumps({**facts, "stages": self.stages}, indent=1))
        (out / "report.md").write_text(report(facts["date"], self.stages))
        (out / "log.txt").write_text("\n".join(self.logs))


RESULT = "{result}"
PEERS = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
"""JAX leaves room for the others."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Run everything that needs a GPU.")
    parser.add_argument("out", type=Path, help="folder for results")
    parser.add_argument("--only", nargs="+", choices=list(STAGES), help="run only these stages")
    parser.add_argument("--minutes", type=float, default=9.5, help="time limit of the whole run")
    parser.add_argument("--seconds", type=float, default=8, help="seconds of rounds per task of the contest")
    parser.add_argument("--patience", type=float, default=1, help="multiply the time limits of stages")
    parser.add_argument("--tasks", nargs="+", choices=list(TASKS), default=list(TASKS))
    args = parser.parse_args()
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"OUT {args.out} cannot be a folder: {error.strerror}")
    end = time.monotonic() + 60 * args.minutes
    with tempfile.TemporaryDirectory(prefix="mochac-gpu-") as work:
        session = Session(args, Path(work), end)
        wanted = [name for name in STAGES if args.only is None or name in args.only]
        for k, name in enumerate(wanted):
            STAGES[name](session)
            if name == "device" and session.stages[name]["ending"] not in ("done", NO_TIME):
                for rest in wanted[k + 1 :]:
                    session.leave_out(rest, "no usable device; log.txt says why")
                return 1
        return int(session.failed)


def device(s: Session) -> None:
    s.run("device", module("device", RESULT), 60)


def start(s: Session) -> None:
    """Cold: an empty cache; warm: the one it left."""
    for task in [task for task in ("lenet-64", "cifar-100") if task in s.args.tasks] or s.args.tasks[:1]:
        cache = {"MOCHAC_CACHE_DIR": str(s.work / f"cache-{task}")}
        for name in ("cold", "warm"):
            s.run(f"start-{task}-{name}", module("start", task, RESULT), 40, cache)


def ways(s: Session) -> None:
    """Everything that a fault may be worked around with: a first step that each of them ends well."""
    for task in [task for task in SMALL if task in s.args.tasks]:
        for name, variables in WAYS.items():
            cache = {"MOCHAC_CACHE_DIR": str(s.work / f"cache-{task}-{name}")}
            s.run(f"way-{task}-{name}", module("start", task, RESULT), 60, cache | variables)


def streams(s: Session) -> None:
    for task in [task for task in SMALL if task in s.args.tasks]:
        seconds = str(s.args.seconds / 4)
        s.run(f"streams-{task}", module("streams", task, seconds, RESULT), 60 + s.args.seconds)


def tests(s: Session) -> None:
    workers = ["-n", "8"] if importable("xdist") else []
    s.run("tests", [*PYTEST, *workers, "tests/runtime/cuda"], 150)


def contest(s: Session) -> None:
    for task in SMALL:
        compete(s, task)


def large(s: Session) -> None:
    for task in LARGE:
        compete(s, task)


def compete(s: Session, task: str) -> None:
    if task in s.args.tasks:
        s.run(f"contest-{task}", module("rounds", task, str(s.args.seconds), RESULT), STARTS_S + 2 * s.args.seconds)


def profile(s: Session) -> None:
    for task in s.args.tasks:
        if task in SMALL:
            s.run(f"profile-{task}", module("profiles", task, RESULT), 45)


def accuracy(s: Session) -> None:
    if os.environ.get("MOCHAC_DATA", "").strip():
        s.run("mnist", module("mnist", RESULT), 60)
    else:
        s.leave_out("mnist", "MOCHAC_DATA is not set; it names a folder with mnist/")


def sanitizer(s: Session) -> None:
    """The first sample of every op and a small net's training, every access watched."""
    for tool in ("memcheck", "racecheck"):
        watched = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9"]
        if tool == "memcheck":  # libraries probe the driver with calls that may fail
            watched += ["--report-api-errors", "no"]
        s.run(f"{tool}-net", [*watched, *module("start", "tiny-mlp-16", RESULT)], 40)
        s.run(f"{tool}-ops", [*watched, *PYTEST, "-k", "0-f32", "tests/runtime/cuda/test_ops_on_device.py"], 60)


PYTEST = [  # pytest-benchmark, where installed, warns that xdist disables it: an error here
    sys.executable,
    "-m",
    "pytest",
    "-m",
    "gpu",
    "--tb=short",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:benchmark",
]
WAYS = {
    "watched": {"MOCHAC_CUDA_WATCH": "1"},
    "streamed": {"MOCHAC_RESIDENT": "0"},
    "in-a-row": {"MOCHAC_CUDA_STREAMS": "1"},
    "untimed": {"MOCHAC_CUDA_TIME_CALLS": "0"},
    "nvcc": {"MOCHAC_CUDA_COMPILER": "nvcc"},
}
STAGES: dict[str, Callable[[Session], None]] = {
    "device": device,
    "start": start,
    "ways": ways,
    "tests": tests,
    "contest": contest,
    "profile": profile,
    "streams": streams,
    "accuracy": accuracy,
    "large": large,
    "sanitizer": sanitizer,
}


def module(name: str, *args: str) -> list[str]:
    return [sys.executable, "-m", f"gpu_contest.{name}", *args]


def importable(module: str) -> bool:
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def called(command: list[str], limit_s: float, environment: dict[str, str]) -> tuple[str, str]:
    """What a command says, and how it ended where that is not well; its children end with it."""
    how: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    how |= {"start_new_session": True, "preexec_fn": interruptible}
    try:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, **how)
    except FileNotFoundError:
        return "", f"{command[0]} is not installed"
    try:
        words, _ = process.communicate(timeout=limit_s - GRACE_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    else:
        return words, f"exit status {process.returncode}" if process.returncode else ""
    try:
        words, _ = process.communicate(timeout=GRACE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        words, _ = process.communicate()
    return words, f"stopped after {limit_s:.0f} s"


def interruptible() -> None:
    """Shells let what they start in the background ignore interrupts, and its children with it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
