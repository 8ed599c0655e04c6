"""Schedules of real kernels, edited at random: whatever is accepted computes what the kernel computes.

compile(schedules=) promises it. An edit drops, repeats, swaps or inserts steps, or changes their fields; it goes
through the text, as a user's would.
"""

import functools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from mochac import (
    BatchNormLayer,
    ConvolutionLayer,
    InnerProductLayer,
    LayerNormLayer,
    LRNLayer,
    MemoryDataLayer,
    MultiHeadAttentionLayer,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
)
from mochac.base.options import CompileOptions, Options
from mochac.codegen.canonical import canonical
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel, Loop, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, Step, parse_schedule
from mochac.ir.types import DTYPES
from mochac.lowering.backends import open_backend
from mochac.lowering.main_plan import lowered_net

TARGETS = {"haswell": "cpu", "cascadelake": "cpu", "sm_90": "cuda"}
WORDS = ("*", "cut", "pad", "guard", "register", "scratch", "shared")
Arrays = dict[str, np.ndarray]


def net(batch: int, shape: tuple[int, ...], *layers: Any) -> Net:
    data = np.zeros((8, *shape), np.float32), np.zeros(8, int)
    out = InnerProductLayer(name="out", output_dim=3, bottoms=[layers[-1].name])
    loss = SoftmaxLossLayer(name="loss", bottoms=["out", "label"])
    return Net("n", [MemoryDataLayer(data=data, batch_size=batch), *layers, out, loss])


def nets() -> list[Net]:
    """Nets with every kind of kernel, small enough for the interpreter."""
    return [
        net(
            5, (3, 6, 6),
            ConvolutionLayer(name="a", n_filter=4, kernel=(3, 3), pad=(1, 1), neuron=Neurons.ReLU(), bottoms=["data"]),
            PoolingLayer(name="b", kernel=(2, 2), stride=(2, 2), bottoms=["a"]),
            ConvolutionLayer(name="c", n_filter=5, kernel=(2, 2), bottoms=["b"]),
        ),
        net(
            4, (3, 6, 6),
            ConvolutionLayer(name="a", n_filter=4, kernel=(3, 3), stride=(2, 2), pad=(1, 1), bottoms=["data"]),
            BatchNormLayer(name="b", neuron=Neurons.ReLU(), bottoms=["a"]),
            PoolingLayer(name="c", kernel=(3, 3), stride=(1, 1), pooling=Pooling.Mean(), bottoms=["b"]),
        ),
        net(
            4, (6, 5, 5),
            LRNLayer(name="a", bottoms=["data"]),
            ConvolutionLayer(name="b", n_filter=4, n_group=2, kernel=(3, 3), bottoms=["a"]),
            SoftmaxLayer(name="c", bottoms=["b"]),
        ),
        net(
            6, (7,),
            InnerProductLayer(name="a", output_dim=9, neuron=Neurons.Tanh(), bottoms=["data"]),
            LayerNormLayer(name="b", bottoms=["a"]),
        ),
        net(4, (5, 8), MultiHeadAttentionLayer(name="a", heads=2, causal=True, bottoms=["data"])),
    ]  # fmt: skip


class Edits:
    """Random edits of schedules for a kernel.

    Args:
        others: steps of other kernels, which may be inserted.
    """

    def __init__(self, kernel: Kernel, schedule: Schedule, others: Sequence[Step], seed: str) -> None:
        self.schedule, self.others, self.rng = schedule, others, random.Random(seed)
        loops = {s.var for s in walk(kernel.body) if isinstance(s, Loop)}
        words = {word for step in schedule.steps for word in _words(step)}
        self.words = sorted({*loops, *kernel.buffers(), *words, *WORDS} - {""})

    def edited(self) -> Schedule:
        """The schedule after one to three edits."""
        steps = list(self.schedule.steps)
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            self._edit(steps)
        return Schedule("edited", tuple(steps))

    def _edit(self, steps: list[Step]) -> None:
        k = self.rng.randrange(len(steps) + 1)
        kind = self.rng.choice(["drop", "repeat", "swap", "change", "change", "insert", "shorten"])
        if kind == "insert" or k == len(steps):
            steps.insert(k, self._changed(self._changed(self.rng.choice(self.others))))
        elif kind == "drop":
            del steps[k]
        elif kind == "repeat":
            steps.insert(self.rng.randrange(len(steps) + 1), steps[k])
        elif kind == "swap":
            other = self.rng.randrange(len(steps))
            steps[k], steps[other] = steps[other], steps[k]
        elif kind == "change":
            steps[k] = self._changed(steps[k])
        else:
            del steps[k + self.rng.randrange(4) :]

    def _changed(self, step: Step) -> Step:
        if not fields(step):
            return step
        name = self.rng.choice(fields(step)).name
        return replace(step, **{name: self._other(getattr(step, name))})

    def _other(self, value: Any) -> Any:
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self.rng.choice([value + 1, value - 1, value * 2, value // 2, self.rng.randint(-1, 17)])
        if isinstance(value, Step):
            return self._changed(value)
        if isinstance(value, tuple) and value:
            k = self.rng.randrange(len(value))
            new: tuple[Any, ...] = self.rng.choice([(), (self._other(value[k]),), (value[k], value[k])])
            return (*value[:k], *new, *value[k + 1 :])
        return (self.rng.choice(self.words),) if isinstance(value, tuple) else self.rng.choice(self.words)


def _words(value: object) -> list[str]:
    """All strings in a step."""
    if isinstance(value, Step):
        return [word for field in fields(value) for word in _words(getattr(value, field.name))]
    if isinstance(value, tuple):
        return [word for part in value for word in _words(part)]
    return [value] if isinstance(value, str) else []


@functools.cache
def kernels(target: str) -> dict[Kernel, Schedule]:
    """The canonical kernels of all nets, and the rules' schedules."""
    backend = open_backend(CompileOptions(backend=TARGETS[target], target=target), Options.from_env(), run=False)
    lowered = [kernel for each in nets() for kernel in lowered_net(each, backend).kernels]
    return {canonical(k.staged)[0]: k.canonical.schedule for k in lowered if k.canonical.schedule.name != "library"}


@functools.cache
def expected(kernel: Kernel) -> tuple[Arrays, Arrays]:
    """Inputs of a kernel, and its outputs."""
    rng = np.random.default_rng(7)
    kinds = {b.name: (b.type.shape, np.dtype(DTYPES[b.type.dtype])) for b in kernel.inputs}
    feeds = {
        name: rng.uniform(0.2, 1.5, shape).astype(dtype) if dtype.kind == "f" else rng.integers(0, 3, shape, dtype)
        for name, (shape, dtype) in kinds.items()
    }
    return feeds, run_kernel(kernel, feeds)


def check(kernel: Kernel, schedule: Schedule) -> str:
    """Whether an edited schedule is refused, or right; anything else raises."""
    try:
        result = apply(parse_schedule(str(schedule)), kernel)
        verify_kernel(result, printable=True)
    except (ScheduleError, KernelVerifyError):
        return "refused"
    feeds, want = expected(kernel)
    got = run_kernel(result, {b.name: feeds[b.name].reshape((b.passed or b.type).shape) for b in result.inputs})
    for name, array in want.items():
        np.testing.assert_allclose(got[name].reshape(array.shape), array, rtol=1e-3, atol=1e-3)
    return "right"


def check_all(target: str, seeds: range) -> Counter[str]:
    """Edit the schedule of every kernel with every seed."""
    cases = kernels(target)
    others = [step for schedule in cases.values() for step in schedule.steps]
    found: Counter[str] = Counter()
    for number, (kernel, schedule) in enumerate(cases.items()):
        for seed in seeds:
            edited = Edits(kernel, schedule, others, f"{target} {number} {seed}").edited()
            try:
                found[check(kernel, edited)] += 1
            except Exception as error:
                error.add_note(f"{target}, kernel {number}, seed {seed}\n{kernel}\n{edited}")
                raise
    return found


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_edited_schedules_are_refused_or_right(target: str) -> None:
    found = check_all(target, range(8))
    assert min(found["refused"], found["right"]) > 40


@pytest.mark.soak
@pytest.mark.parametrize("target", TARGETS)
def test_more_edited_schedules(target: str) -> None:
    check_all(target, range(8, 2000))
