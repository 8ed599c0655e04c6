"""Predicted times beside measured ones: the kernels of the benchmark nets' training steps.

Run `python benchmarks/model.py [lenet cifar mlp autoencoder tiny] [--threads 1 2] [--rounds 9] [--record]`. The model
of the machine (mochac/codegen/machine.py, mochac/codegen/prediction/) predicts each kernel from its loops; a profile
measures it. Of several profiles the quickest quarter counts, since other work only slows kernels down.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import median, quantiles

from contest import report
from contest.task import task
from contest.with_mochac import net

import mochac
from mochac.base.support.array_like import duration
from mochac.inspect.profile_table import KernelTime, apart

NETS = ("lenet", "cifar", "mlp", "autoencoder", "tiny")
LEAST_SHARE, TOP_SHARE = 0.005, 0.05
"""Smaller parts of a step are left out; larger ones are listed one by one."""
FAR = 0.3
HEAD = ["net", "threads", "kernels", "median distance", f"beyond {FAR:.0%}", "step", "predicted"]
TOP_HEAD = ["net", "threads", "kernel", "share", "measured", "predicted", "predicted / measured"]
INTRO = f"""# Predicted times beside measured ones

Kernels of the benchmark nets' training steps that take at least {LEAST_SHARE:.1%} of a step; listed are those of at
least {TOP_SHARE:.0%}. A distance of 10 % is a prediction that is 1.1 times the measured time, or the other way round.
Peak and bandwidths are measured in the same minute. Written by `python benchmarks/model.py --record`.
"""


@dataclass(frozen=True)
class Compared:
    """A kernel: its share of the step, seconds measured and predicted."""

    name: str
    share: float
    measured: float
    predicted: float


def compare(name: str, threads: int, rounds: int) -> list[Compared]:
    """The kernels of a net's training step."""
    one = task(name)
    with closing(mochac.compile(net(one, one.data()), backend="cpu", threads=threads)) as program:
        policies = {"lr_policy": mochac.LRPolicy.Fixed(0.01), "mom_policy": mochac.MomPolicy.Fixed(0.9)}
        program.train(mochac.SGD(**policies), max_iter=2, verbose=0)
        profiles = [program.profile() for _ in range(rounds)]
    step = sum(_quick([profile.rows[k] for profile in profiles]) for k in range(len(profiles[0].rows)))
    found = []
    for rows in zip(*(profile.rows for profile in profiles), strict=True):
        said = median(row.predicted or 0.0 for row in rows)
        found.append(Compared(rows[0].kernel, _quick(rows) / step, _quick(rows), said))
    return [c for c in found if c.share >= LEAST_SHARE and c.predicted]


def _quick(rows: Sequence[KernelTime]) -> float:
    seconds = [row.seconds for row in rows]
    return quantiles(seconds, n=4, method="inclusive")[0] if len(seconds) > 1 else seconds[0]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; with --record, write them."""
    parser = argparse.ArgumentParser(description="Predicted times beside measured ones.")
    parser.add_argument("nets", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--record", action="store_true", help="write results/model.md")
    options = parser.parse_args(argv)
    rows, tops, every = [], [], []
    for threads in options.threads:
        for name in options.nets or NETS:
            found = compare(name, threads, options.rounds)
            far = [apart(c.predicted, c.measured) for c in found]
            every += far
            sums = [duration(sum(values)) for values in ([c.measured for c in found], [c.predicted for c in found])]
            beyond = f"{sum(d > FAR for d in far)}"
            rows.append([name, str(threads), str(len(found)), f"{median(far):.0%}", beyond, *sums])
            for c in sorted((c for c in found if c.share >= TOP_SHARE), key=lambda c: -c.share):
                times = (duration(c.measured), duration(c.predicted), f"{c.predicted / c.measured:.2f}")
                tops.append([name, str(threads), c.name, f"{c.share:.0%}", *times])
    beyond = sum(d > FAR for d in every)
    total = f"All {len(every)}: median distance {median(every):.0%}, {beyond} beyond {FAR:.0%}."
    text = f"{report.table(HEAD, rows)}\n\n{total}\n\n{report.table(TOP_HEAD, tops)}"
    print(text)
    if options.record:
        report.record_measured("model", INTRO, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
