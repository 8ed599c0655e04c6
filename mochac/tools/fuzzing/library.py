"""A training by a C library: built, compiled by cc, loaded and called through ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import UnsupportedError
from mochac.formats.clib.build import build
from mochac.formats.clib.names import arguments
from mochac.runtime.data.model_file import read_model
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.outcome import Outcome, solver_of

ALIGNMENT = 64
NAME = "drawn"


def by_library(case: DrawnNet, dtype: str) -> Outcome:
    """Losses and parameters of a library of one thread.

    Raises:
        UnsupportedError: the net or solver has something that libraries have not, or there is no C compiler.
    """
    if shutil.which("cc") is None or shutil.which("make") is None:
        raise UnsupportedError("there is no cc or no make")
    with tempfile.TemporaryDirectory() as folder:
        how: dict[str, Any] = {"seed": case.seed, "dtype": dtype, "batches": [case.batch], "name": NAME}
        how["outputs"] = [b for b, kind in case.net.blobs.items() if kind.batch and b not in case.arrays][:1]
        build(case.net, folder, solver_of(case), freeze=list(case.frozen), **how)
        subprocess.run(["make", "-s", f"lib{NAME}.so"], cwd=folder, check=True, capture_output=True)
        return _Instance(Path(folder), case, np.dtype(dtype)).trained()


class _Instance:
    """The loaded library, and memory for one net."""

    def __init__(self, folder: Path, case: DrawnNet, dtype: np.dtype[Any]) -> None:
        self.folder, self.case, self.dtype = folder, case, dtype
        self.dll = ctypes.CDLL(str(folder / f"lib{NAME}.so"))
        for function in ("bytes", "save_bytes"):
            self[function].restype = ctypes.c_size_t
        self.memory = np.zeros(self["bytes"](1) + ALIGNMENT, np.uint8)
        start = -self.memory.ctypes.data % ALIGNMENT
        self.net = ctypes.c_void_p()
        size = ctypes.c_size_t(len(self.memory) - ALIGNMENT)
        self.require(self["init"](ctypes.c_void_p(self.memory.ctypes.data + start), size, ctypes.byref(self.net)))

    def __getitem__(self, function: str) -> Any:
        return getattr(self.dll, f"{NAME}_{function}")

    def require(self, code: int) -> None:
        if code:
            raise RuntimeError(f"the library returned {code}")

    def trained(self) -> Outcome:
        """The steps of the case."""
        losses, trained = [], frozenset(f"{p.key}___{p.name}" for p in self.case.net.params)
        for batch in self.case.batches(self.case.steps):
            loss = ctypes.c_double()
            if self["step"](self.net, *self.inputs(batch), ctypes.byref(loss)):
                return Outcome(np.array(losses), True, {}, trained)
            losses.append(loss.value)
        return Outcome(np.array(losses), False, self.parameters(), trained)

    def inputs(self, batch: dict[str, np.ndarray]) -> list[Any]:
        """Arguments of the step function, in the order of its declaration."""
        header = (self.folder / f"{NAME}.h").read_text()
        declared = header.split(f"{NAME}_step(")[-1].split(")")[0].split(",")
        order = [part.split()[-1].lstrip("*") for part in declared]
        names = arguments([top for source in self.case.net.sources for top in source.tops])
        self.lent = {names[top]: np.ascontiguousarray(a, self.dtype) for top, a in batch.items()}
        return [ctypes.c_void_p(self.lent[name].ctypes.data) for name in order if name in self.lent]

    def parameters(self) -> dict[str, np.ndarray]:
        """Weights and states, by way of a model file."""
        saved = ctypes.create_string_buffer(self["save_bytes"]())
        self.require(self["save"](self.net, saved, ctypes.c_size_t(len(saved))))
        path = self.folder / "saved.safetensors"
        path.write_bytes(saved.raw)
        return {name: np.array(array, np.float64) for name, array in read_model(path).items()}
