"""Run all scripts of benchmarks/ one after the other, in about half an hour; with --quick in five minutes.

Run `python benchmarks/everything.py [--quick] [--record] [--strict] [--data DIR]`, or `mochac bench`. A script that
fails does not stop the others; with --record every script writes its results. DIR has MNIST as written by
examples/mnist/get_mnist.py; without it mnist.py is left out. gpu.py is a separate command.
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


@dataclass(frozen=True)
class Stage:
    """A script of this folder.

    Attributes:
        options, quick: what it gets; in a quick pass (None: left out).
        strict: whether it knows --strict. data: whether it needs --data.
    """

    script: str
    options: tuple[str, ...] = ()
    quick: tuple[str, ...] | None = None
    strict: bool = False
    data: bool = False
    limit_s: int = 300

    def given(self, args: argparse.Namespace) -> list[str] | None:
        """Its options in this run; None where it is left out."""
        options = self.quick if args.quick else self.options
        if options is None or (self.data and args.data is None):
            return None
        flags = ["--record"] * args.record + ["--strict"] * (args.strict and self.strict)
        return [*options, *flags, *(["--data", str(args.data)] if self.data else [])]


STAGES = (
    Stage("training", quick=("--quick",), strict=True, limit_s=1200),
    Stage("prediction", quick=("lenet", "--quick"), strict=True, limit_s=600),
    Stage("random_nets", quick=("--nets", "4"), strict=True),
    Stage("startup", options=("lenet", "cifar", "--runs", "3"), limit_s=600),
    Stage("neighbour", options=("--seconds", "2", "--without", "torch.compile")),
    Stage("single_steps", quick=("--rounds", "5")),
    Stage("c_library", quick=("tiny", "lenet", "--seconds", "1")),
    Stage("many_nets", quick=("--rounds", "1")),
    Stage("embeddings", quick=("--rounds", "1")),
    Stage("parts", quick=("mlp", "--rounds", "1")),
    Stage("image_input"),
    Stage("mnist", data=True),
    Stage("peak"),
    Stage("model", quick=("lenet", "--rounds", "3")),
    Stage("spills", quick=("25", "--rounds", "1")),
    Stage("report_page"),
    Stage("search", options=("--seconds", "60"), limit_s=600),
    Stage("layers", options=("--batch", "16", "--threads", "1"), limit_s=600),
    Stage("products", options=("--threads", "1")),
    Stage("user_ops", options=("--threads", "1")),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the stages; 1 where one failed or refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a short look: two threads, no torch.compile")
    parser.add_argument("--record", action="store_true", help="write results/")
    parser.add_argument("--strict", action="store_true", help="refuse tables taken while the machine was busy")
    parser.add_argument("--data", type=Path, metavar="DIR", help="MNIST's files, for mnist.py")
    args = parser.parse_args(argv)
    failed = []
    for stage in STAGES:
        given = stage.given(args)
        if given is not None and not _succeeds([str(HERE / f"{stage.script}.py"), *given], stage):
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
