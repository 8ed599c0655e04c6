"""A script that lets one allocation of NumPy after the other fail: python failing_memory.py LIBRARY FOLDER CALL STRIDE.

LIBRARY is failing_memory.c. NumPy allocates everything that grows with a net or its data: parameters, batches, arenas,
scratch memory, snapshots. Prints how many allocations have failed, and what was wrong: another error than MemoryError
or one of mochac's, an error in a finalizer, parameters of no iteration, a wrong result without an error, or a second
attempt with another result than an undisturbed run has.
"""

from __future__ import annotations

import ctypes
import gc
import json
import logging
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    ConvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
)
from mochac.base.errors import MochacError
from mochac.training.loop.coffee import CoffeeBreak
from mochac.training.loop.snapshot import newest_snapshot

DEFAULT_HANDLER = 306
"""Place of NumPy's own handler of memory in the table of its C interface."""
X = np.random.default_rng(0).standard_normal((24, 2, 5, 5))
Y = np.arange(24) % 3
STEPS = 4
Arrays = dict[str, bytes]


class Memory:
    """NumPy's allocations, of which one may fail."""

    def __init__(self, library: str) -> None:
        self.library = ctypes.CDLL(library)
        self.library.memory_calls.restype = ctypes.c_long
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        core: Any = getattr(np, "_core", None) or np.core  # NumPy 1
        table = pointer(core._multiarray_umath._ARRAY_API, None)
        entry = ctypes.cast(table, ctypes.POINTER(ctypes.POINTER(ctypes.py_object)))[DEFAULT_HANDLER]
        self.library.memory_install(ctypes.c_void_p(pointer(entry[0], b"mem_handler")))

    def arm(self, call: int = -1) -> None:
        """Count from now on; allocation number `call` fails."""
        self.library.memory_arm(ctypes.c_long(call))

    @property
    def calls(self) -> int:
        return self.library.memory_calls()


class Track(CoffeeBreak):
    """Notes the parameters of every iteration."""

    def __init__(self) -> None:
        self.seen: list[Arrays] = []

    def enjoy(self, lounge: Any, program: Any, state: Any) -> None:
        """See CoffeeBreak."""
        self.seen.append(arrays(program))


class Calls:
    """Public calls, by name; each returns what it computed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = self.compiled()
        self.start = {name: array.copy() for name, array in self.program.parameters().items()}
        track = Track()
        self.known = [arrays(self.program)]
        self.train(track)
        self.known += [*track.seen, arrays(self.program)]
        self.program.save(folder / "model.h5")
        self.prepare()

    def compiled(self) -> mochac.Program:
        data = MemoryDataLayer(name="d", data=[X, Y], batch_size=len(X))  # so that trainings begin alike
        conv = ConvolutionLayer(name="conv", kernel=3, n_filter=4, bottoms=["data"])
        norm = BatchNormLayer(name="norm", bottoms=["conv"])
        ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["norm"])
        net = Net("n", [data, conv, norm, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
        return mochac.compile(net, threads=2, seed=1)

    def prepare(self) -> None:
        """Parameters and files as they were."""
        for name, array in self.program.parameters().items():
            array[...] = self.start[name]
        shutil.rmtree(self.folder / "snaps", ignore_errors=True)

    def solver(self, *breaks: CoffeeBreak) -> Solver:
        solver = Solver(SGD(0.1, momentum=0.9), max_iter=STEPS)
        for coffee in breaks:
            solver.add_coffee_break(coffee, every_n_iter=1)
        return solver

    def train(self, *more: CoffeeBreak) -> object:
        self.program.train(self.solver(TrainingSummary(), Snapshot(self.folder / "snaps"), *more), verbose=0)
        state = newest_snapshot(self.folder / "snaps")
        assert state is not None
        return state.iteration, {name: a.tobytes() for name, a in state.parameters.items()}, arrays(self.program)

    def compile_and_train(self) -> object:
        with self.compiled() as program:
            program.train(self.solver(), verbose=0)
            return arrays(program)

    def step(self) -> object:
        solver = self.solver()
        solver.init_solve(self.program)
        try:
            losses = [solver.step(data=X, label=Y[:, None]) for _ in range(STEPS)]
        finally:
            solver.finalize()
        return losses, arrays(self.program)

    def predict(self) -> object:
        return self.program.predict(X[:9], blob="ip").tobytes()

    def evaluate(self) -> object:
        return dict(self.program.evaluate())

    def save(self) -> object:
        self.program.save(self.folder / "saved.npz")
        return (self.folder / "saved.npz").stat().st_size

    def load(self) -> object:
        self.program.load(self.folder / "model.h5")
        return arrays(self.program)


def arrays(program: mochac.Program) -> Arrays:
    """Parameters as bytes."""
    return {name: array.tobytes() for name, array in program.parameters().items()}


def _tried(call: Callable[[], object]) -> tuple[object, Exception | None]:
    try:
        return call(), None
    except Exception as error:
        return None, error


def main(library: str, folder: str, name: str, stride: str) -> None:
    logging.getLogger("mochac").setLevel(logging.CRITICAL)
    os.environ["MOCHAC_CACHE"] = "0"
    calls, unraised = Calls(Path(folder)), list[str]()
    sys.unraisablehook = lambda found: unraised.append(repr(found.exc_value))
    call = getattr(calls, name)
    call()
    calls.prepare()
    wanted = call()
    memory, wrong, faults = Memory(library), list[str](), 0
    calls.prepare()
    memory.arm()
    call()
    count = memory.calls
    for k in range(0, count, int(stride)):
        calls.prepare()
        memory.arm(k)
        got, error = _tried(call)
        gc.collect()
        reached = memory.calls > k
        memory.arm()
        faults += reached
        found = [*unraised]
        if error is None and got != wanted:
            found.append("no error, but another result")
        if error is not None and not isinstance(error, (MemoryError, MochacError)):
            found.append(repr(error))
        if arrays(calls.program) not in calls.known:
            found.append("parameters that no iteration had")
        calls.prepare()
        again, error = _tried(call)
        if error is not None or again != wanted:
            found.append(f"again: {error!r}" if error is not None else "again: another result")
        wrong += [f"allocation {k}: {fault}" for fault in found]
        unraised.clear()
    print(json.dumps({"calls": count, "faults": faults, "wrong": wrong}))


if __name__ == "__main__":
    main(*sys.argv[1:])
