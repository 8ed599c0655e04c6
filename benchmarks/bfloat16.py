"""Training steps of the contest's nets in bfloat16, compared with float32 and with PyTorch's autocast.

Run `python benchmarks/bfloat16.py`. Options: [NET ...] [--cpus znver4 znver5] [--threads 1 2] [--turns 40]
[--seconds 60] [--record]. For CPUs by name, a model predicts the cycles of a step. A CPU with AVX512_BF16 also
measures steps: the programs, and PyTorch if it is installed, train a few steps in turns until --turns or --seconds are
reached; the fastest turn of each counts. PyTorch runs eager, channels_last and torch.compile, each with CPU autocast.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from contest import report
from contest.task import Data, Task, task
from contest.with_mochac import net, regu_coef, sgd

import mochac
from mochac.inspect.roofline import Forecast
from mochac.lowering.main_plan import lowered_net
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.cpuinfo import named_cpu

INTRO = """# bfloat16

Training steps with `precision="bfloat16"` beside those in float32. Written by `python benchmarks/bfloat16.py --record`.
Columns with the name of a CPU are predictions for one thread, not measurements: "cycles" is the step in bfloat16 over
the step in float32, and "pairs" is the share of kernels that only round. The other columns are measured, on a CPU with
AVX512_BF16: "over float32" is mochac's step in bfloat16 over its step in float32, and "autocast" the step of PyTorch's
fastest form with CPU autocast (eager, channels_last, torch.compile) over mochac's step in bfloat16, all in one process
in turns.
"""
NETS = ("mlp", "autoencoder", "lstm", "gru", "gpt", "lenet", "cifar", "resnet", "mobilenet", "convnext", "tabular")
STEPS = 2


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


def measured(name: str, threads: int, turns: int, seconds: float) -> list[str]:
    """The time of a step in bfloat16 over that in float32, and that of the fastest peer over it."""
    found = task(name)
    data = found.data()
    with ExitStack() as programs:
        runs: list[Callable[[], object]] = []
        for precision in ("float32", "bfloat16"):
            made = mochac.compile(net(found, data), precision=precision, threads=threads, backend="cpu")
            how = {"max_iter": STEPS, "regu_coef": regu_coef(found.sgd), "verbose": 0}
            runs.append(partial(programs.enter_context(made).train, sgd(found.sgd), **how))
        plain, rounded, *peers = least_times([*runs, *autocast(found, data, threads)], turns, seconds)
    return [f"{rounded / plain:.2f}", f"{min(peers) / rounded:.2f}" if peers else ""]


def least_times(runs: list[Callable[[], object]], turns: int, seconds: float) -> list[float]:
    """The least time of each, in turns."""
    for run in runs:
        run()
    least, end = [float("inf")] * len(runs), time.perf_counter() + seconds
    for _ in range(turns):
        for k, run in enumerate(runs):
            start = time.perf_counter()
            run()
            least[k] = min(least[k], time.perf_counter() - start)
        if time.perf_counter() > end:
            break
    return least


def autocast(found: Task, data: Data, threads: int) -> list[Callable[[], object]]:
    """PyTorch's forms of the net, with CPU autocast; the others are named with the reason."""
    runs: list[Callable[[], object]] = []
    if importlib.util.find_spec("torch") is None:
        return runs
    for make in importlib.import_module("contest.with_torch").ROUNDED:
        if make.suits(found):
            try:
                runs.append(partial(make(found, data, threads).steps, STEPS))
            except Exception as error:  # a peer's compiler may be missing or fail in any way
                print(f"{make.name} is left out: {type(error).__name__}: {str(error).strip().splitlines()[:1]}")
    return runs


def row(name: str, cpus: list[str], threads: list[int], turns: int, seconds: float) -> list[str]:
    """A net's row of the table."""
    cells = [name]
    for cpu in cpus:
        (whole, _), (less, rounding) = (cycles(name, cpu, precision) for precision in ("float32", "bfloat16"))
        cells += [f"{less / whole:.2f}", f"{rounding / less:.2f}"]
    return [*cells, *(cell for n in threads for cell in measured(name, n, turns, seconds))]


def main() -> None:
    parser = argparse.ArgumentParser(description="Training steps in bfloat16, compared with float32.")
    parser.add_argument("names", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--cpus", nargs="*", default=["znver4", "znver5"], help="for predictions")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2], help="for measurements")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=60.0, help="for the turns of a net and number of threads")
    parser.add_argument("--record", action="store_true", help="write results/bfloat16.md")
    options = parser.parse_args()
    threads = options.threads if CpuBackend().generator.target.bfloat16 else []
    head = ["net", *(f"{cpu}, {what}" for cpu in options.cpus for what in ("cycles", "pairs"))]
    head += [f"{n} thread{'s' * (n > 1)}, {what}" for n in threads for what in ("over float32", "autocast")]
    rows = []
    for name in options.names or NETS:
        rows.append(row(name, options.cpus, threads, options.turns, options.seconds))
        print(" ".join(f"{cell:>11}" for cell in rows[-1]), flush=True)
    if options.record:
        report.record_measured("bfloat16", INTRO, report.table(head, rows))


if __name__ == "__main__":
    main()
