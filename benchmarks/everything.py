"""All of benchmarks/ one after the other: every script, in about a quarter of an hour; with --quick in two minutes.

Run `python benchmarks/everything.py [--quick] [--record] [--strict]`, or `mochac bench`. A script that fails leaves the
others; --record has every script write its results. Those that need a GPU or data sets are not among them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
STRICT = ("training", "prediction", "random_nets")
"""Scripts that know --strict."""


@dataclass(frozen=True)
class Stage:
    """A script, the options it gets, those of a quick pass (None: left out), and its limit."""

    script: str
    options: tuple[str, ...] = ()
    quick: tuple[str, ...] | None = None
    limit_s: int = 300


STAGES = (
    Stage("training", quick=("--quick",), limit_s=1200),
    Stage("prediction", quick=("lenet", "--quick"), limit_s=600),
    Stage("random_nets", quick=("--nets", "4"), limit_s=300),
    Stage("startup"),
    Stage("peak"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the stages; 1 where one failed or refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a short look: two threads, no torch.compile")
    parser.add_argument("--record", action="store_true", help="write results/")
    parser.add_argument("--strict", action="store_true", help="refuse tables taken while the machine was busy")
    args = parser.parse_args(argv)
    failed = []
    for stage in STAGES:
        given = stage.quick if args.quick else stage.options
        if given is None or not (HERE / f"{stage.script}.py").exists():
            continue
        command = [str(HERE / f"{stage.script}.py"), *given, *["--record"] * args.record]
        command += ["--strict"] * (args.strict and stage.script in STRICT)
        if not _succeeds(command, stage):
            failed.append(stage.script)
    if failed:
        print(f"not complete: {' '.join(failed)}")
    return int(bool(failed))


def _succeeds(command: list[str], stage: Stage) -> bool:
    begin = time.perf_counter()
    print(f"## {stage.script}\n", flush=True)
    try:
        done = subprocess.run([sys.executable, *command], check=False, timeout=stage.limit_s).returncode == 0
    except subprocess.TimeoutExpired:
        print(f"stopped after {stage.limit_s} s")
        return False
    print(f"({stage.script}: {time.perf_counter() - begin:.0f} s)\n", flush=True)
    return done


if __name__ == "__main__":
    raise SystemExit(main())
