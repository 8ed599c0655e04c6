"""The command that compares random nets with twins; a file of its own, since what it imports takes as long to load as
all other commands together."""

from __future__ import annotations

import logging
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from mochac.base.support.log import LOG
from mochac.tools.cli.command import command, natural, positive
from mochac.tools.fuzzing.blocks import drawn, twins_of
from mochac.tools.fuzzing.children import Task, compared, verdicts
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.twins import TWINS
from mochac.tools.fuzzing.verdicts import AGREE, NONE, Verdict, script, shrunk

DRAWN = 3
"""Twins of a net, besides the interpreter."""


def _arguments_fuzz(parser: ArgumentParser) -> None:
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of the first net; the others follow")
    parser.add_argument("--nets", type=positive, default=10, metavar="N", help="how many (default 10)")
    parser.add_argument("--seconds", type=positive, metavar="S", help="begin with no further net after this long")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="nets compared at a time (default 1)")
    text = f"comma-separated: {', '.join(TWINS)} (default: the interpreter and {DRAWN} others, drawn for each net)"
    parser.add_argument("--twins", type=_twins, metavar="NAMES", help=text)
    parser.add_argument("--shrink", action="store_true", help="print a short script for each net that disagrees")


def _twins(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in TWINS:
            raise ArgumentTypeError(f"no twin is called {name!r}; there are {', '.join(TWINS)}")
    return names


@command("fuzz", "compare random nets with twins that must compute the same", _arguments_fuzz)
def run_fuzz(args: Namespace) -> int:
    """Print what disagrees, and how many were compared, also if a signal ends it; 1 if any disagrees."""
    counts: Counter[tuple[str, str]] = Counter()
    nets = 0
    LOG.setLevel(logging.ERROR)
    seeds = range(args.seed, args.seed + args.nets)
    tasks = {Task(partial(drawn, seed), args.twins or twins_of(seed, DRAWN)): seed for seed in seeds}
    with _exit_at_sigterm():
        try:
            for task, found in compared([*tasks], args.jobs, args.seconds):
                _count(tasks[task], found, args.shrink, counts)
                nets += 1
        finally:
            print(_table(nets, counts), flush=True)
    return int(any(kind == "fault" for _, kind in counts))


@contextmanager
def _exit_at_sigterm() -> Iterator[None]:
    """Make SIGTERM an exception, so that child processes end and counts are printed; a second one changes nothing."""

    def leave(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _count(seed: int, verdicts: Mapping[str, Verdict], shrink: bool, counts: Counter[tuple[str, str]]) -> None:
    """Count the verdicts on the net of a seed, and print those that are faults."""
    for name, found in verdicts.items():
        counts[name, "fault" if found.fault else found.kind] += 1
        if found.fault:
            print(f"seed {seed}, {name}: {found.kind}: {found.text}", flush=True)
            if shrink:
                print(_shrunk(drawn(seed), name, found), flush=True)


def _shrunk(case: DrawnNet, name: str, found: Verdict) -> str:
    """A script of the smallest case that shows the same fault."""

    def fails(other: DrawnNet) -> bool:
        return verdicts(other, [name])[name].like(found)

    return script(shrunk(case, fails, lambda what: print(f"  {what}", flush=True)), name)


def _table(nets: int, counts: Counter[tuple[str, str]]) -> str:
    """How often each twin agreed."""
    kinds = (AGREE, NONE, "fault")
    rows = {name: [counts[name, kind] for kind in kinds] for name in TWINS}
    rows = {"all": [sum(column) for column in zip(*rows.values(), strict=True)], **rows}
    head = f"{nets:6} nets    agree  not comparable  fault"
    return "\n".join([head, *(f"  {name:12}{a:8}{n:16}{f:7}" for name, (a, n, f) in rows.items() if a + n + f)])
