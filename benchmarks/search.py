"""How often the first choice of the machine's model is the best that a search for schedules finds.

Run `python benchmarks/search.py [lenet cifar mlp autoencoder tiny] [--threads 1] [--seconds 300] [--record]`. For each
kernel, the search (`tune="full"`) predicts all candidates, then measures them, those of the shortest predictions first.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from contest import report
from contest.task import task
from contest.with_mochac import net

import mochac
from mochac.lowering.tuning.schedules import LEVELS, WORTH, TunedSchedule
from mochac.lowering.tuning.search import PlanSearch
from mochac.runtime.cpu.backend import CpuBackend

NETS = ("lenet", "cifar", "mlp", "autoencoder", "tiny")
HEAD = ["net", "threads", "kernels", "candidates", "model's first is best", "rule's is best", "most gained"]
INTRO = f"""# The search for schedules: what the model of the machine chooses first

Kernels of the benchmark nets' training steps for which there is more than one schedule. "model's first is best": the
best schedule measured is less than {WORTH:.2f} times as fast as the one that was predicted to be the fastest of all.
"rule's is best": the search gains nothing. Written by `python benchmarks/search.py --record`.
"""


def searched(name: str, threads: int, seconds: float) -> list[TunedSchedule]:
    """The results for a net's kernels."""
    one = task(name)
    backend = CpuBackend()
    backend.cache = None
    with closing(mochac.compile(net(one, one.data()), backend="cpu", threads=threads)) as program:
        policies = {"lr_policy": mochac.LRPolicy.Fixed(0.01), "mom_policy": mochac.MomPolicy.Fixed(0.9)}
        program.train(mochac.SGD(**policies), max_iter=1, verbose=0)
        source = program.session.main_plan().source
    level = replace(LEVELS["full"], total_s=seconds)
    found = PlanSearch(source, backend, "f32", level, threads).run()
    return [tuned for tuned in found.by_kernel.values() if tuned.candidates > len(tuned.refused)]


def is_first(tuned: TunedSchedule) -> bool:
    """Whether nothing is much faster than the model's first choice."""
    return tuned.first * WORTH > tuned.ratio


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; with --record, write it."""
    parser = argparse.ArgumentParser(description="The search's results, and the model's first choices.")
    parser.add_argument("nets", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--seconds", type=float, default=LEVELS["full"].total_s, help="per net")
    parser.add_argument("--record", action="store_true", help="write results/search.md")
    options = parser.parse_args(argv)
    rows = []
    for threads in options.threads:
        for name in options.nets or NETS:
            found = searched(name, threads, options.seconds)
            tried = sum(tuned.candidates for tuned in found)
            best, own = sum(map(is_first, found)), sum(not tuned.schedule for tuned in found)
            gained = max((tuned.ratio for tuned in found), default=1.0)
            rows.append([name, str(threads), str(len(found)), str(tried), str(best), str(own), f"{gained:.2f}"])
    text = f"At most {options.seconds:.0f} s a net.\n\n{report.table(HEAD, rows)}"
    print(text)
    if options.record:
        report.record_measured("search", INTRO, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
