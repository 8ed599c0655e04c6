"""What training.py and prediction.py are made of: options, one process a table, printing and recording.

It knows the kinds of tables and no framework.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from contest import figures, report
from contest.summary import section
from contest.table import Table, loaded
from contest.task import names

QUICK = {"threads": [2], "seconds": 2.0, "burst": 0.1, "without": ["torch.compile"]}
STARTING_S = 240
"""Longest time for making contenders: torch.compile takes long on a busy machine."""


def parsed(about: str, nets: Sequence[str], seconds: float, argv: Sequence[str] | None) -> argparse.Namespace:
    """Options of both scripts, `seconds` of rounds by default; those given win over --quick's."""
    made = _parser(about, nets, seconds)
    if made.parse_args(argv).quick:
        made.set_defaults(**QUICK)
    return made.parse_args(argv)


def _parser(about: str, nets: Sequence[str], seconds: float) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=about)
    made.add_argument("nets", nargs="*", metavar="NET", default=list(nets), help=f"of {' '.join(names())}")
    made.add_argument("--threads", type=int, nargs="*", default=[1, 2], help="a process each")
    made.add_argument("--seconds", type=float, default=seconds, help="of rounds, per table")
    made.add_argument("--burst", type=float, default=0.15, help="seconds of one contender's turn")
    made.add_argument("--batch", type=int, nargs="+", default=[1, 8, 64], help="of predictions")
    made.add_argument("--without", nargs="*", default=[], metavar="PART", help="peers whose name contains PART")
    made.add_argument("--quick", action="store_true", help="two threads, few rounds, no torch.compile")
    made.add_argument("--record", action="store_true", help="write results/NAME.md, figures.json and the plot")
    made.add_argument("--strict", action="store_true", help="refuse tables taken while the machine was busy")
    return made


def run(kind: str, options: argparse.Namespace, intro: str) -> int:
    """Every net asked for; 0, or 1 where a table could not be taken or was refused."""
    if unknown := sorted(set(options.nets) - set(names())):
        print(f"no net {unknown[0]!r}; there are: {' '.join(names())}", file=sys.stderr)
        return 2
    status = 0
    for name in options.nets:
        tables: list[Table] = []
        for threads in options.threads:
            found, complete = _measured(kind, name, threads, options)
            status |= not complete
            for one in found:
                print(section(one) + "\n", flush=True)
                refused = options.strict and one.busy
                if refused:
                    print(f"refused: the machine was busy ({one.title}, {threads} threads)\n", flush=True)
                    status = 1
                else:
                    tables.append(one)
        if options.record and tables:
            _record(kind, name, intro, tables)
    return int(status)


def _measured(kind: str, name: str, threads: int, options: argparse.Namespace) -> tuple[list[Table], bool]:
    """The tables of one process, and whether these are all it was to take."""
    how = ["--threads", threads, "--seconds", options.seconds, "--burst", options.burst]
    how += ["--batch", *options.batch, "--without", *options.without]
    command = [sys.executable, "-m", "contest.measure", kind, name, *map(str, how)]
    path = os.pathsep.join(filter(None, [str(report.FOLDER), os.environ.get("PYTHONPATH", "")]))
    env = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": str(threads), "JAX_PLATFORMS": "cpu"}
    limit = STARTING_S + 6 * options.seconds
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=env, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        print(f"{name}, {threads} threads: stopped after {limit:.0f} s", file=sys.stderr)
        return [], False
    lines = done.stdout.splitlines()
    return (loaded(lines[-1]) if lines else []), done.returncode == 0


def _record(kind: str, name: str, intro: str, tables: Sequence[Table]) -> None:
    from contest import plot, readme

    parts = [report.circumstances() + ".", *map(section, tables)]
    file = name if kind == "training" else f"{kind}-{name}"
    path = report.record(file, intro.format(title=tables[0].title.partition(", ")[0]), "\n\n".join(parts))
    figures.add([figures.figure(t) for t in tables])
    plot.write()
    readme.write()
    print(f"written: {path}")
