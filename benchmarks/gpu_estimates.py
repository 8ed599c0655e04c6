"""What the model of a multiprocessor predicts for every launch of a step, beside what a device measured; and the
launches of steps of larger nets.

    python benchmarks/gpu_estimates.py                        # no device needed: the measured columns stay empty
    python benchmarks/gpu_estimates.py OUT/report.json        # of a run of benchmarks/gpu.py
    python benchmarks/gpu_estimates.py OUT/report.json --record       # writes results/gpu.md

Estimates are of a kernel alone, as `profile` measures it: without what a launch takes by itself.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import contest.task as contest
import contest.with_mochac as contender
from gpu_contest.tasks import TASKS
from gpu_contest.with_mochac import METHOD, net

import mochac
from mochac.codegen.cuda.estimate import launch_seconds
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.plan import Launch
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace
from mochac.runtime.cuda.branches import outline
from mochac.runtime.lowered import Lowered

RESULTS = Path(__file__).resolve().parent / "results" / "gpu.md"
TARGET = CudaTarget(90, multiprocessors=132)
STREAMS = 4
SHOWN = ("tiny-mlp-16", "mlp-64", "lenet-64", "cifar-100")
STEPS = ("lenet", "mlp", "cifar", "lstm", "gpt", "gru", "resnet", "mobilenet", "convnext")
"""Tasks of benchmarks/contest."""
BEFORE = {
    "lenet": (20, 13, 46),
    "mlp": (16, 10, 60),
    "cifar": (30, 21, 234),
    "lstm": (117, 108, 560),
    "gpt": (100, 68, 233),
    "gru": (15, 8, 130),
    "resnet": (177, 131, 1413),
    "mobilenet": (104, 60, 192),
    "convnext": (78, 39, 342),
}
"""Launches, those of the longest path, and simulated microseconds at commit 76aad7c6 (2026-11-30). Its tiles are timed
by today's model; those of pointwise convolutions, which read panels in another way then, by the issue model."""
STEPS_HEAD = """## Steps of larger nets, simulated

Nets of benchmarks/contest, every kernel generated. **Every figure is simulated**: launches of a step and of its longest
path, which follow each other, as `explain` counts them, and the sum of the estimates of all kernels, without launches.
"Before" is commit 76aad7c6 (2026-11-30), when convolutions had a model of their own that made them too fast: by it, a
step of ResNet-20 took 1164 us, of CIFAR-10 189. Its tiles have the times of today's model, which follows the issue
model of machine code (tests/codegen/cuda/issue_model.py); those of its pointwise convolutions, whose panels were read
in another way, have the times of the issue model itself. By the issue model, contractions take 0.80 (ConvNeXt) to 0.98
(GPT) of the cycles of then (docs/developers/cuda.md). The model counts blocks, not threads, of kernels that are no
products. Of a loop over time in one launch, it counts what the steps of a sample wait for. The measured column is
filled once a device runs them.

| net | launches, before | now | longest path, before | now | simulated us, before | now | ratio | measured us |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""
HEAD = """# A training step on a GPU: estimated and measured

Written by `python benchmarks/gpu_estimates.py --record`; the measured columns are filled from the report.json of
`benchmarks/gpu.py`. Estimates are of an H100 or H200 (132 multiprocessors at 1.7 GHz): products and convolutions by the
model of a multiprocessor (codegen/cuda/schedules/tiles.py), everything else by operations and bytes. Every
kernel is generated; a launch by itself is not counted.
"""


def lowered(task: str) -> Lowered:
    """The training step of a task, every kernel generated."""
    plan = step_plan(trace(net(TASKS[task]), "train", "float32"), Update(METHOD, 0.0))
    return lower(plan.graph, CudaGenerator(TARGET), **plan.how)


def estimates(step: Lowered) -> Iterator[tuple[Launch, float]]:
    """Every launch with its estimated seconds."""
    kernels = {kernel.naive.name: kernel for kernel in step.kernels}
    for launch in step.plan.launches:
        kernel = kernels[launch.of or launch.kernel]
        yield launch, launch_seconds(launch, kernel.staged, kernel.naive, kernel.schedule, TARGET)


def measured(report: Mapping[str, Any], task: str) -> tuple[dict[str, float], float]:
    """Seconds of every kernel, all generated, and of a step of the contest; 0 for what is not in a report."""
    stages = report.get("stages", {})
    plans = ((stages.get(f"profile-{task}") or {}).get("result") or {}).get("plans") or [{"rows": []}]
    rounds = ((stages.get(f"contest-{task}") or {}).get("result") or {}).get("rounds") or []
    steps = sorted(r["mochac"] for r in rounds if "mochac" in r)
    return {row["kernel"]: row["seconds"] for row in plans[0]["rows"]}, steps[len(steps) // 2] if steps else 0.0


def table(task: str, report: Mapping[str, Any]) -> str:
    """One task: a row for every launch, then the sums, the longest path, and the step."""
    step = lowered(task)
    works, branches = outline(step.plan, TARGET.multiprocessors, STREAMS)
    path = {works[k].name for k in branches.path}
    spent, whole = measured(report, task)
    found = [(x.kernel, f"{x.grid} x {x.block}", guess, spent.get(x.kernel, 0.0)) for x, guess in estimates(step)]
    rows = [*found, ("all kernels", "", *_sums(found))]
    rows += [("those of the longest path", "", *_sums([row for row in found if row[0] in path]))]
    rows += [("a step in a graph", "", 0.0, whole)]
    lines = [
        f"## {task}",
        "",
        f"{len(works)} launches, {len(branches.path)} one after the other.",
        "",
        "| kernel | blocks x threads | estimated us | measured us |",
        "| --- | --- | --- | --- |",
        *(f"| {name} | {grid} | {_us(guess)} | {_us(seconds)} |" for name, grid, guess, seconds in rows),
    ]
    return "\n".join(lines)


def steps_table() -> str:
    """A row for each of STEPS."""
    return "\n".join([STEPS_HEAD, *map(step_row, STEPS)])


def step_row(name: str) -> str:
    """A net of benchmarks/contest, before and now."""
    task = contest.task(name)
    traced = trace(contender.net(task, task.data()), "train", "float32")
    momentum = mochac.MomPolicy.Fixed(task.sgd.momentum)
    method = mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(task.sgd.lr), mom_policy=momentum)
    plan = step_plan(traced, Update(method, 0.0))
    step = lower(plan.graph, CudaGenerator(TARGET), **plan.how)
    works, branches = outline(step.plan, TARGET.multiprocessors, STREAMS)
    now = round(1e6 * sum(launch.trips * seconds for launch, seconds in estimates(step)))
    launches, path, before = BEFORE[name]
    found = (task.title, launches, len(works), path, len(branches.path), before, now, f"{now / before:.2f}", "")
    return f"| {' | '.join(map(str, found))} |"


def _sums(rows: Sequence[tuple[str, str, float, float]]) -> tuple[float, float]:
    return sum(row[2] for row in rows), sum(row[3] for row in rows)


def _us(seconds: float) -> str:
    return f"{1e6 * seconds:.1f}" if seconds else ""


def text(report: Mapping[str, Any]) -> str:
    """The whole file."""
    said = "Nothing has been measured yet."
    if report:
        facts = (report["stages"].get("device") or {}).get("result") or {}
        said = f"Measured {report['date']} on {facts.get('name', 'a device')}, commit {facts.get('commit', 'unknown')}."
    return "\n".join([HEAD, f"{said}\n", "\n\n".join([*(table(task, report) for task in SHOWN), steps_table()]), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("report", type=Path, nargs="?", help="report.json of benchmarks/gpu.py")
    parser.add_argument("--record", action="store_true", help="write results/gpu.md")
    args = parser.parse_args()
    made = text(json.loads(args.report.read_text()) if args.report else {})
    if args.record:
        RESULTS.write_text(made)
    else:
        print(made, end="")


if __name__ == "__main__":
    main()
