"""Training steps of the contest's nets in bfloat16, compared with float32.

Run `python benchmarks/bfloat16.py`. Options: [NET ...] [--cpus znver4 znver5] [--threads 1 2] [--turns 40] [--record].
For CPUs by name, a model predicts the cycles of a step. On a CPU with AVX512_BF16, steps are also measured: both
programs train in turns, a few steps each, and the least time of each counts.
"""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack

from contest import report
from contest.task import task
from contest.with_mochac import net, regu_coef, sgd

import mochac
from mochac.inspect.forecast import Forecast
from mochac.lowering.main_plan import lowered_net
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.cpuinfo import named_cpu

INTRO = """# bfloat16

Training steps with `precision="bfloat16"` beside those in float32. Written by `python benchmarks/bfloat16.py --record`.
Columns with the name of a CPU are predictions for one thread, not measurements: "cycles" is the step in bfloat16 over
the step in float32, and "pairs" is the share of kernels that only round. Columns "1 thread", ... are measured, on a CPU
with AVX512_BF16.
"""
NETS = ("mlp", "autoencoder", "lstm", "gru", "gpt", "lenet", "resnet", "mobilenet")
STEPS = 5


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


def ratio(name: str, threads: int, turns: int) -> float:
    """Measured time of a step in bfloat16 over that in float32."""
    found = task(name)
    with ExitStack() as programs:
        both = []
        for precision in ("float32", "bfloat16"):
            made = mochac.compile(net(found, found.data()), precision=precision, threads=threads, backend="cpu")
            both.append(programs.enter_context(made))
        least = [float("inf")] * 2
        for turn in range(turns + 1):
            for k, program in enumerate(both):
                start = time.perf_counter()
                program.train(sgd(found.sgd), max_iter=STEPS, regu_coef=regu_coef(found.sgd), verbose=0)
                if turn:
                    least[k] = min(least[k], time.perf_counter() - start)
    return least[1] / least[0]


def row(name: str, cpus: list[str], threads: list[int], turns: int) -> list[str]:
    """A net's row of the table."""
    cells = [name]
    for cpu in cpus:
        (whole, _), (less, rounding) = (cycles(name, cpu, precision) for precision in ("float32", "bfloat16"))
        cells += [f"{less / whole:.2f}", f"{rounding / less:.2f}"]
    return [*cells, *(f"{ratio(name, n, turns):.2f}" for n in threads)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Training steps in bfloat16, compared with float32.")
    parser.add_argument("names", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--cpus", nargs="*", default=["znver4", "znver5"], help="for predictions")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2], help="for measurements")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--record", action="store_true", help="write results/bfloat16.md")
    options = parser.parse_args()
    measured = options.threads if CpuBackend().generator.target.bfloat16 else []
    head = ["net", *(f"{cpu}, {what}" for cpu in options.cpus for what in ("cycles", "pairs"))]
    head += [f"{n} thread{'s' * (n > 1)}" for n in measured]
    rows = []
    for name in options.names or NETS:
        rows.append(row(name, options.cpus, measured, options.turns))
        print(" ".join(f"{cell:>11}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("bfloat16", INTRO, report.table(head, rows))


if __name__ == "__main__":
    main()
