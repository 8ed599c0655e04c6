"""`mochac fuzz --seed N --nets N [--shrink]`: random nets, each compared with twins that must compute the same."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter

from mochac.base.support.log import LOG
from mochac.tools.cli.command import command, natural, positive
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.drawing import drawn, twins_of
from mochac.tools.fuzzing.redrawn import script
from mochac.tools.fuzzing.shrinking import shrunk
from mochac.tools.fuzzing.twins import TWINS
from mochac.tools.fuzzing.verdicts import AGREE, NONE, Verdict, verdicts

DRAWN = 3
"""Twins of a net, besides the interpreter."""


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of the first net; the others follow")
    parser.add_argument("--nets", type=positive, default=10, metavar="N", help="how many (default 10)")
    parser.add_argument("--seconds", type=positive, metavar="S", help="begin with no further net after this long")
    text = f"comma-separated: {', '.join(TWINS)} (default: the interpreter and {DRAWN} others, drawn for each net)"
    parser.add_argument("--twins", type=_twins, metavar="NAMES", help=text)
    parser.add_argument("--shrink", action="store_true", help="print a short script for each net that disagrees")


def _twins(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in TWINS:
            raise ArgumentTypeError(f"no twin is called {name!r}; there are {', '.join(TWINS)}")
    return names


@command("fuzz", "compare random nets with twins that must compute the same", arguments)
def run(args: Namespace) -> int:
    """Print what disagrees, and how many were compared; 1 if any disagrees."""
    counts: Counter[tuple[str, str]] = Counter()
    nets, begin = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MOCHAC_CACHE_DIR"] = folder  # thousands of nets would fill the user's
        LOG.setLevel(logging.ERROR)
        for seed in range(args.seed, args.seed + args.nets):
            if args.seconds and time.monotonic() - begin > args.seconds:
                break
            nets += 1
            case = drawn(seed)
            for name, found in verdicts(case, args.twins or twins_of(seed, DRAWN)).items():
                counts[name, "fault" if found.fault else found.kind] += 1
                if found.fault:
                    print(f"seed {seed}, {case.net.name}, {name}: {found.kind}: {found.text}", flush=True)
                    if args.shrink:
                        print(_shrunk(case, name, found), flush=True)
    print(_table(nets, counts))
    return int(any(kind == "fault" for _, kind in counts))


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
