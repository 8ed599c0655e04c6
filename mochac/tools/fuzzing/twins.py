"""Twins of a random net, which must compute the same: the net written otherwise, on other samples, or run otherwise.

Twins that add in the same order have the same bits. Others agree within a tolerance for their dtype. Where training
amplifies rounding, the tolerance follows the difference of two runs whose initial parameters differ by one rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

from mochac.base.errors import UnsupportedError
from mochac.ir.passes import pair_factors
from mochac.nets.layers.data import MemoryDataLayer
from mochac.nets.net import Net
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.outcome import Outcome, Way, by_library, has_random, interpreted, outcome, start_of
from mochac.tools.fuzzing.rewriting import rewritten

TOLERANCE = {"float32": 3e-4, "float64": 1e-10}
ROUNDING = {"float32": 1e-7, "float64": 4e-16}
SLACK = 100
"""Differences up to this multiple of the effect of ROUNDING at the start count as rounding."""
DIVERGED = 1e3
"""A loss beyond which rounding errors grow as fast as the loss; such trainings are not compared."""
CPUS = ("haswell", "cascadelake", "znver4", "x86-64")


class NotComparable(Exception):
    """The net has no such twin; the text says why."""


class Mismatch(Exception):
    """Twins that disagree."""


def dtype_of(seed: int) -> str:
    """The dtype of a case and its twins: one, so that they share what is compiled. Rounding hides less in float64."""
    return "float32" if seed % 3 == 2 else "float64"


class Trial:
    """One case and the outcomes that several twins are compared with."""

    def __init__(self, case: DrawnNet) -> None:
        self.case, self.dtype = case, dtype_of(case.seed)
        self.way = Way(dtype=self.dtype)
        self.outcome = cache(lambda way: outcome(case, way))

    @property
    def number(self) -> int:
        """Seed of the twins' random numbers."""
        return self.case.seed

    def spread(self, way: Way, noise: float) -> float:
        """Distance between trainings whose initial parameters differ by `noise`."""
        alone = self.outcome(way)
        start = start_of(self.case, way)
        others = [outcome(self.case, replace(way, noise=scale * noise), start) for scale in (1.0, -1.0, 3.0)]
        if any(other.stopped for other in others):
            raise NotComparable("training diverges")
        return max(distance(other, alone)[0] for other in others)

    def require_close(self, got: Outcome, way: Way, dtype: str = "", only_trained: bool = False) -> None:
        """Require that `got` is the outcome of `way` up to rounding in `dtype` (empty: the dtype of `way`)."""
        want, dtype = self.outcome(way), dtype or way.dtype
        if got.stopped or want.stopped or (np.abs(want.losses) >= DIVERGED).any():
            raise NotComparable("training diverges")
        off, where = distance(got, want, only_trained)
        if off > TOLERANCE[dtype] and off > TOLERANCE[dtype] + SLACK * self.spread(way, ROUNDING[dtype]):
            raise Mismatch(f"{where}: {off:.3g} apart, tolerance {TOLERANCE[dtype]:.0e}")

    def require_bits(self, got: Outcome, way: Way) -> None:
        """Require that `got` has the bits of the outcome of `way`."""
        want = self.outcome(way)
        if got.stopped != want.stopped:
            raise Mismatch("one training stops at a loss that is not finite")
        if got.stopped:
            return
        off, where = distance(got, want)
        same = np.array_equal(got.losses, want.losses[-len(got.losses) :])  # step() makes -0.0 a 0.0
        if not same or any(a.tobytes() != want.parameters[name].tobytes() for name, a in got.parameters.items()):
            raise Mismatch(f"{where}: {off:.3g} apart, expected the same bits")


def distance(got: Outcome, want: Outcome, only_trained: bool = False) -> tuple[float, str]:
    """The largest difference, relative to the largest number of its array if that is above 1, and its array."""
    losses = want.losses[-len(got.losses) :]
    found = {"losses": _array_distance(got.losses, losses) if got.losses.shape == losses.shape else np.inf}
    for name, array in got.parameters.items():
        if not only_trained or name in want.trained:
            found[name] = _array_distance(array, want.parameters[name])
    where = max(found, key=lambda name: np.inf if np.isnan(found[name]) else found[name])
    return (np.inf if np.isnan(found[where]) else found[where]), where


def _array_distance(got: np.ndarray, want: np.ndarray) -> float:
    scale = max(1.0, float(np.abs(want).max(initial=0)))
    return float(np.abs(got - want).max(initial=0)) / scale


TWINS: dict[str, Callable[[Trial], None]] = {}
"""By name, in the order of this file. A twin raises Mismatch, or NotComparable."""


def twin(name: str) -> Callable[[Callable[[Trial], None]], Callable[[Trial], None]]:
    """Decorator that adds to TWINS."""

    def add(compare: Callable[[Trial], None]) -> Callable[[Trial], None]:
        TWINS[name] = compare
        return compare

    return add


# -- other nets ------------------------------------------------------------------------------------------------------


@twin("rewritten")
def _rewritten(trial: Trial) -> None:
    """Layers in another order, with detours that change nothing."""
    case, way = trial.case, trial.way
    other = replace(case, net=rewritten(case.net, trial.number))
    trial.require_close(outcome(other, way, start_of(case, way)), way)


@twin("permuted")
def _permuted(trial: Trial) -> None:
    """The samples of every batch in another order."""
    whole = _whole_batches(trial.case)
    order = np.random.default_rng(trial.number).permutation(whole.batch)
    rows = np.concatenate([order, whole.batch + order])
    other = with_samples(whole, {top: a[rows] for top, a in whole.arrays.items()}, whole.batch)
    Trial(whole).require_close(outcome(other, trial.way), trial.way)


@twin("duplicated")
def _duplicated(trial: Trial) -> None:
    """Batches in which every sample is twice: the same mean loss and gradients; not the variances of batch norm."""
    whole = _whole_batches(trial.case)
    rows = np.arange(2 * whole.batch).reshape(2, 1, -1).repeat(2, axis=1).reshape(-1)
    other = with_samples(whole, {top: a[rows] for top, a in whole.arrays.items()}, 2 * whole.batch)
    Trial(whole).require_close(outcome(other, trial.way), trial.way, only_trained=True)


def _whole_batches(case: DrawnNet) -> DrawnNet:
    """The case on two batches without a remainder."""
    if has_random(case):
        raise NotComparable("random numbers depend on the place of a sample")
    return with_samples(case, {top: a[: 2 * case.batch] for top, a in case.arrays.items()}, case.batch)


def with_samples(case: DrawnNet, arrays: Mapping[str, np.ndarray], batch: int) -> DrawnNet:
    """The case on other samples."""
    layers: list[Any] = [
        layer.replace(data=list(arrays.values()), tops=list(arrays), batch_size=batch)
        if isinstance(layer, MemoryDataLayer)
        else layer
        for layer in case.net.layers
    ]
    return replace(case, net=Net(case.net.name, layers), arrays=dict(arrays), batch=batch)


# -- other code ------------------------------------------------------------------------------------------------------


@twin("interpreted")
def _interpreted(trial: Trial) -> None:
    """The interpreter on the same step graph, in float64."""
    way = trial.way
    trial.require_close(interpreted(trial.case, way.dtype, start_of(trial.case, way)), way)


@twin("float32")
def _float32(trial: Trial) -> None:
    """float32 beside float64."""
    start = start_of(trial.case, Way(dtype="float32"))
    exact = Trial(trial.case)
    exact.outcome = cache(lambda way: outcome(trial.case, way, start))
    exact.require_close(trial.outcome(Way(dtype="float32")), Way(), "float32")


@twin("direct")
def _direct(trial: Trial) -> None:
    """Convolutions without fast algorithms."""
    way = Way(dtype="float32")
    trial.require_close(trial.outcome(replace(way, convolutions="direct")), way)


@twin("cpu")
def _cpu(trial: Trial) -> None:
    """Code for another CPU, of 16, 32 or 64 bytes a vector."""
    cpu = CPUS[trial.number % len(CPUS)]
    trial.require_close(trial.outcome(replace(trial.way, cpu=cpu)), trial.way)


@twin("verified")
def _verified(trial: Trial) -> None:
    """Each kernel beside the interpreter, on random numbers."""
    trial.outcome(replace(trial.way, verify=True))


@twin("bfloat16")
def _bfloat16(trial: Trial) -> None:
    """Rounded factors: each kernel beside the interpreter, and the bits of other threads."""
    way = Way(dtype="float32", precision="bfloat16", verify=True)
    with patch.multiple(pair_factors, MIN_TERMS=1, MIN_PRODUCTS=0):
        trial.require_bits(trial.outcome(replace(way, threads=2 + trial.number % 3)), way)


@twin("tuned")
def _tuned(trial: Trial) -> None:
    """Schedules that a search has found."""
    trial.require_close(trial.outcome(replace(trial.way, tune="quick")), trial.way)


@twin("many")
def _many(trial: Trial) -> None:
    """train_many(), as one of three nets."""
    if trial.case.frozen:
        raise NotComparable("train_many() freezes no layers")
    trial.require_close(trial.outcome(replace(trial.way, by="many")), trial.way)


@twin("parts")
def _parts(trial: Trial) -> None:
    """The batch in two parts."""
    if trial.case.batch % 2:
        raise NotComparable("an odd batch has no two equal parts")
    trial.require_close(trial.outcome(replace(trial.way, parts=2)), trial.way)


@twin("ranks")
def _two_ranks(trial: Trial) -> None:
    """Two ranks, each with its part of the batch: the bits of one process that cuts the batch in two."""
    case, one = trial.case, replace(trial.way, parts=2)
    if case.batch % 2:  # ranks share a batch equally
        case = with_samples(case, case.arrays, max(2, case.batch - 1))
    trial = Trial(case)
    trial.outcome(one)  # first, since ranks take kernels from it
    trial.require_bits(trial.outcome(replace(one, by="ranks")), one)


# -- the same code run otherwise ---------------------------------------------------------------------------------------


@twin("threads")
def _threads(trial: Trial) -> None:
    """Two to eight threads: the same bits."""
    trial.require_bits(trial.outcome(replace(trial.way, threads=2 + trial.number % 7)), trial.way)


@twin("step")
def _step(trial: Trial) -> None:
    """solver.step() on arrays: the same bits."""
    trial.require_bits(trial.outcome(replace(trial.way, by="step")), trial.way)


@twin("apart")
def _forward_backward_update(trial: Trial) -> None:
    """forward(), backward() and update()."""
    trial.require_close(trial.outcome(replace(trial.way, by="apart")), trial.way)


@twin("resumed")
def _resumed(trial: Trial) -> None:
    """A training that resumes from a snapshot at every iteration: the same bits."""
    if trial.case.steps < 2:
        raise NotComparable("one step has nothing to resume")
    trial.require_bits(trial.outcome(replace(trial.way, by="resumed")), trial.way)


@twin("library")
def _library(trial: Trial) -> None:
    """A C library that trains: the same bits."""
    way = replace(trial.way, by="step")
    try:
        got = by_library(trial.case, way.dtype)
    except UnsupportedError as refused:
        raise NotComparable(str(refused)) from None
    trial.require_bits(got, way)
