"""A third backend in one file: its code is the text of loop nests, and its executor interprets them.

test_toy_backend.py compiles, trains and looks at nets with it. Importing this module is all the registration there is.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mochac.base.support.memory import ManagedArray
from mochac.base.support.times import Bandwidth, Level, Peak, Times, one_after_the_other
from mochac.codegen.generator import Generator
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.plan import owners
from mochac.ir.schedule import Schedule
from mochac.ir.text import parse
from mochac.ir.types import DTYPES, to_logical, to_storage
from mochac.runtime.backend import Backend, CodeForm, Executor, register
from mochac.runtime.tables import HyperTable, Located, check_array

BETWEEN = "\n----\n"
"""Kernels of a module."""


@dataclass(frozen=True)
class ToyCode:
    symbol: str
    text: str
    items: int = 1
    scratch_bytes: int = 0


@dataclass(frozen=True)
class ToyGenerator(Generator):
    """Loop nests as they are, on blocks of 4 samples."""

    target_name = "4 lanes"
    names_code = True

    def lanes(self, dtype):
        return 4

    def choose(self, kernel):
        return Schedule("as lowered", ())

    def print_kernel(self, kernel):
        return ToyCode(kernel.name, str(kernel))

    def module_text(self, codes, plan=None):
        return BETWEEN.join(code.text for code in codes)


@register
class ToyBackend(Backend):
    name = "toy"
    kind = "toy"
    language, ending = "loop nests", "toy"
    forms: ClassVar = {"toy": CodeForm("loop nest", lambda backend, kernel, launch: kernel.code.text, "toy", "#")}
    generator = ToyGenerator()
    versions = ("toy 1",)

    @classmethod
    def open(cls, options, env, run):
        return cls(env)

    def compile(self, text):
        return text.encode()

    def bind(self, plan, objects, states, threads=None):
        return ToyExecutor(plan, objects[0].decode(), states)

    def peak(self, threads):
        return Peak(1.0, "the toy is said to reach")

    def bandwidth(self, threads):
        return Bandwidth(threads, (Level("memory", None, 1.0, 1.0),))


class ToyExecutor(Executor):
    """Interprets a plan's kernels on an arena of bytes."""

    threads = 1

    def __init__(self, plan, text, states):
        self.plan = plan
        self._placements = {p.name: p for p in plan.placements}
        self._kernels = {kernel.name: kernel for kernel in map(parse, text.split(BETWEEN) if text else [])}
        self._states = {key: a.storage if isinstance(a, ManagedArray) else a for key, a in states.items()}
        self._arena = np.zeros(plan.arena_bytes, np.uint8)
        self._hyper = HyperTable([p for p in plan.placements if p.place == "hyper"])
        self._feed = owners([p for p in plan.placements if p.place == "feed"])
        self._batch: dict[str, np.ndarray] = {}

    def run(self, n_steps=1, feeds=(), hyper=None):
        return self._run(n_steps, feeds, hyper, np.zeros(len(self.plan.launches)))

    def profile(self, n_steps, feeds=(), hyper=None):
        if not isinstance(feeds, Located):
            feeds = [feeds[k % len(feeds)] for k in range(n_steps if feeds else 0)]
        spent = np.zeros(len(self.plan.launches))
        begin = time.perf_counter()
        self._run(n_steps, feeds, hyper, spent)
        wall = (time.perf_counter() - begin) / n_steps
        launches = spent / n_steps
        return Times(launches, launches, 0.0, wall - float(launches.sum()), wall, wall, one_after_the_other(launches))

    def read(self, name):
        placement = self._placements[dict(self.plan.named).get(name, name)]
        return to_logical(self._stored(placement), placement.type)

    def close(self):
        self._states = {}

    def _run(self, n_steps, feeds, hyper, spent):
        self._hyper.grow(n_steps)
        self._hyper.fill(n_steps, hyper or {})
        results = {name: np.zeros(n_steps) for name, _ in self.plan.scalars}
        for step in range(n_steps):
            self._batch = self._arrays(feeds, step)
            self._hyper.block[:] = self._hyper.table[step]
            for k, launch in enumerate(self.plan.launches):
                begin = time.perf_counter()
                self._launch(launch)
                spent[k] += time.perf_counter() - begin
            for name, value in self.plan.scalars:
                results[name][step] = self.read(value)
        return results

    def _arrays(self, feeds, step):
        """The batch of a step."""
        if isinstance(feeds, Located):
            arrays = {key: _at(int(feeds.addresses[key][step]), feeds.last[key]) for key in self._feed}
        else:
            arrays = {key: feeds[step][key] for key in self._feed}
        for key, placement in self._feed.items():
            check_array(f"feed {key!r}", arrays[key], placement.type)
        return arrays

    def _launch(self, launch):
        kernel = self._kernels[launch.kernel]
        inputs = {b.name: self.read(b.name).reshape(b.type.shape) for b in kernel.inputs}
        for name, value in run_kernel(kernel, inputs).items():
            placement = self._placements[name]
            self._stored(placement)[...] = to_storage(value.reshape(placement.type.shape), placement.type)

    def _stored(self, placement):
        """A value's elements, where they lie."""
        if placement.place == "state":
            return self._states[placement.key].reshape(-1)
        if placement.place == "feed":
            return self._batch[placement.key].reshape(-1)
        memory = self._arena if placement.place == "arena" else self._hyper.block
        raw = memory[placement.offset : placement.offset + placement.type.storage_bytes]
        return raw.view(DTYPES[placement.type.dtype])


def _at(address, like):
    """The array at an address."""
    memory = (ctypes.c_char * like.nbytes).from_address(address)
    return np.frombuffer(memory, like.dtype).reshape(like.shape)
