"""Training steps of the contest's nets in bfloat16, compared with float32 and with PyTorch's autocast.

Run `python benchmarks/bfloat16.py`. Options: [NET ...] [--cpus znver4 znver5] [--threads 1 2] [--seconds 20]
[--record]. For CPUs by name, a model predicts the cycles of a step. A CPU with AVX512_BF16 also measures steps: train()
in both precisions, and PyTorch if it is installed, in the rounds of the contest (benchmarks/contest/rounds.py). PyTorch
runs eager, channels_last and torch.compile, each with CPU autocast.
"""

from __future__ import annotations

import argparse

from contest import report
from contest.contender import ROUNDED, TRAIN, field
from contest.rounds import run_rounds
from contest.table import Table
from contest.task import task
from contest.with_mochac import net

from mochac.inspect.roofline import Forecast
from mochac.lowering.main_plan import lowered_net
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.cpuinfo import named_cpu
from mochac.runtime.cpu.rates import PeakLoop

INTRO = """# bfloat16

Training steps with `precision="bfloat16"` beside those in float32. Written by `python benchmarks/bfloat16.py --record`.
Columns with the name of a CPU are predictions for one thread, not measurements: "cycles" is the step in bfloat16 over
the step in float32, and "pairs" is the share of kernels that only round. The other columns are measured, on a CPU with
AVX512_BF16: "over float32" is mochac's step in bfloat16 over its step in float32, and "autocast" the step of PyTorch's
fastest form with CPU autocast (eager, channels_last, torch.compile) over mochac's step in bfloat16: medians of the
ratios of rounds, in which each trains for a tenth of a second. "rounds" is their number, without busy ones if there are
enough quiet ones.
"""
NETS = ("mlp", "autoencoder", "lstm", "gru", "gpt", "lenet", "cifar", "resnet", "mobilenet", "convnext", "tabular")
BURST_S = 0.1


def cycles(name: str, cpu: str, precision: str) -> tuple[float, float]:
    """Predicted cycles of a step, and those of kernels that only round."""
    backend, found = CpuBackend(cpu=named_cpu(cpu), precision=precision), task(name)
    lowered = lowered_net(net(found, found.data()), backend)
    forecast, total, rounding = Forecast(lowered, backend, 1), 0.0, 0.0
    ops = {kernel.naive.name: set(kernel.naive.ops) for kernel in lowered.kernels}
    for launch in lowered.plan.launches:
        prediction = forecast.prediction(launch)
        spent = launch.trips * prediction.cycles if prediction else 0.0
        total += spent
        rounding += spent if ops[launch.kernel] == {"pairs"} else 0.0
    return total, rounding


def measured(name: str, threads: int, seconds: float) -> list[str]:
    """The time of a step in bfloat16 over that in float32, and that of the fastest peer over it."""
    found = task(name)
    table = Table(found.name, found.title, "training", threads, found.step_flops)
    contenders = field(found, found.data(), threads, "ROUNDED_TRAINERS", (), print)
    try:
        table.rounds = run_rounds(contenders, PeakLoop(threads).gflops, BURST_S, seconds)
    finally:
        for contender in contenders:
            contender.close()
    peer = table.fastest_peer
    cells = [table.ratio(ROUNDED, TRAIN), *([table.ratio(peer, ROUNDED)] if peer else [])]
    return [*(f"{cell:.2f}" for cell in cells), *([] if peer else [""]), f"{len(table.used)}{' busy' * table.busy}"]


def row(name: str, cpus: list[str], threads: list[int], seconds: float) -> list[str]:
    """A net's row of the table."""
    cells = [name]
    for cpu in cpus:
        (whole, _), (less, rounding) = (cycles(name, cpu, precision) for precision in ("float32", "bfloat16"))
        cells += [f"{less / whole:.2f}", f"{rounding / less:.2f}"]
    return [*cells, *(cell for n in threads for cell in measured(name, n, seconds))]


def main() -> None:
    parser = argparse.ArgumentParser(description="Training steps in bfloat16, compared with float32.")
    parser.add_argument("names", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--cpus", nargs="*", default=["znver4", "znver5"], help="for predictions")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2], help="for measurements")
    parser.add_argument("--seconds", type=float, default=20.0, help="for a net and number of threads")
    parser.add_argument("--record", action="store_true", help="write results/bfloat16.md")
    options = parser.parse_args()
    threads = options.threads if CpuBackend().generator.target.bfloat16 else []
    head = ["net", *(f"{cpu}, {what}" for cpu in options.cpus for what in ("cycles", "pairs"))]
    head += [f"{n} thread{'s' * (n > 1)}, {what}" for n in threads for what in ("over float32", "autocast", "rounds")]
    rows = []
    for name in options.names or NETS:
        rows.append(row(name, options.cpus, threads, options.seconds))
        print(" ".join(f"{cell:>11}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("bfloat16", INTRO, report.table(head, rows))


if __name__ == "__main__":
    main()
