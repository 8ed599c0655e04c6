"""A script that lets a disk fail at one call after the other: python failing_disk.py LIBRARY FOLDER CALL STRIDE.

LIBRARY is failing_disk.c, which is preloaded. The script prints how many faults it has made, and what was wrong: an
error that is not mochac's, one from a finalizer, a second try that fails, a file that is lost, or a short write that is
taken for a failure.
"""

import ctypes
import errno
import gc
import json
import logging
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mochac
from mochac import (
    SGD,
    HDF5OutputLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    TensorBoard,
    TrainingSummary,
)
from mochac.base.errors import MochacError
from mochac.base.files.cache import cache_in

FAULTS = {
    "full": (errno.ENOSPC, 0),
    "full from now on": (errno.ENOSPC, 1),
    "failing": (errno.EIO, 0),
    "short writes": (0, 1),
}
ENDINGS = (".h5", ".npz", ".safetensors")
X = np.random.default_rng(0).standard_normal((8, 3))
Y = np.arange(8) % 2


class Calls:
    """Public calls that write, open or close files, by name."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kept = folder / "disk", folder / "kept"
        self.program = mochac.compile(self.net(), threads=1)
        for ending in ENDINGS:
            self.program.save(self.kept / f"model{ending}")
        kept = Solver(SGD(0.1, momentum=0.9), max_iter=2)
        kept.add_coffee_break(Snapshot(self.kept), every_n_iter=2)
        self.program.train(kept)

    def net(self, *ends: object) -> Net:
        data = MemoryDataLayer(name="d", data=[X, Y], batch_size=4)
        ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
        return Net("n", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]), *ends])

    def with_output(self) -> mochac.Program:
        out = str(self.folder / "out.h5")
        net = self.net(HDF5OutputLayer(name="out", filename=out, bottoms=["ip"], force_overwrite=True))
        return mochac.compile(net, threads=1)

    def train(self) -> None:
        solver = Solver(SGD(0.1, momentum=0.9), max_iter=3, load_from=str(self.folder / "snaps"))
        for coffee in (Snapshot(self.folder / "snaps"), TrainingSummary(), TensorBoard(self.folder / "board")):
            solver.add_coffee_break(coffee, every_n_iter=1)
        solver.setup_coffee_lounge(save_into=str(self.folder / "statistics.h5"))
        with self.with_output() as program:
            program.train(solver)

    def resume(self) -> None:
        solver = Solver(SGD(0.1, momentum=0.9), max_iter=4, load_from=str(self.folder / "snapshot-000002.h5"))
        solver.add_coffee_break(Snapshot(self.folder / "snaps"), every_n_iter=2)
        self.program.train(solver)

    def evaluate(self) -> None:
        with self.with_output() as program:
            program.evaluate()
            program.forward()

    def save(self) -> None:
        for ending in ENDINGS:
            self.program.save(self.folder / f"model{ending}")

    def load(self) -> None:
        for ending in ENDINGS:
            self.program.load(self.folder / f"model{ending}")

    def write(self) -> None:
        mochac.build(self.net(), self.folder / "c")
        self.program.dump(self.folder / "dump")

    def compile(self) -> None:
        os.environ["MOCHAC_CACHE_DIR"] = str(self.folder / "cache")
        cache_in.cache_clear()
        with mochac.compile(self.net(), threads=1) as program:
            program.predict(X)

    def prepare(self) -> None:
        """A folder with what was there before the call."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.kept, self.folder)

    def check_kept(self) -> None:
        """What was there before the call, or has taken its place, can be read."""
        for ending in ENDINGS:
            self.program.load(self.folder / f"model{ending}")
        (self.folder / "snapshot-000002.h5").stat()


def main(library: str, folder: str, name: str, stride: str) -> None:
    logging.getLogger("mochac").setLevel(logging.CRITICAL)
    os.environ["PATH"] = ""  # build() starts no make
    calls, faults = Calls(Path(folder)), ctypes.CDLL(library)
    unraised: list[str] = []
    sys.unraisablehook = lambda found: unraised.append(repr(found.exc_value))
    faults.faults_folder(f"{calls.folder}".encode())
    call = getattr(calls, name)
    calls.prepare()
    faults.faults_arm(1 << 30, 0, 0, 0)
    call()
    count, made, wrong = faults.faults_disarm(), 0, []
    for what, (code, stays) in FAULTS.items():
        for k in range(0, count, int(stride)):
            calls.prepare()
            made += 1
            faults.faults_arm(k, code, stays, int(not code))
            raised = _raised(call)
            gc.collect()
            faults.faults_disarm()
            first = "" if raised is None or (isinstance(raised, MochacError) and code) else repr(raised)
            again = _raised(calls.check_kept) or _raised(call)
            found = [first, *unraised, "" if again is None else f"again: {again!r}"]
            wrong += [f"{what}, call {k}: {fault}" for fault in found if fault]
            unraised.clear()
    print(json.dumps({"calls": count, "faults": made, "wrong": wrong}))


def _raised(call: Callable[[], None]) -> Exception | None:
    try:
        call()
    except Exception as error:
        return error
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
