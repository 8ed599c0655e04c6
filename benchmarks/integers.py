"""Predictions of C libraries in integers of 8 bits, compared with float32.

Run `python benchmarks/integers.py [NET ...] [--target CPU] [--batch 1 16] [--turns 300] [--record]`. Both libraries of
a net predict in turns in one process, in one thread, a few times each; the least time of each counts.
"""

from __future__ import annotations

import argparse
import ctypes
import tempfile
import time
from pathlib import Path

import numpy as np
from contest import report
from small_machines import NETS

import mochac
from mochac.base.support.memory import aligned_zeros

INTRO = """# Predictions in integers

Libraries that `mochac build` wrote for this CPU, without and with `--quantize`: the time of a prediction in integers of
8 bits over that in float32, one thread. "largest error" compares the two, relative to the largest output. Written by
`python benchmarks/integers.py --record`.
"""
HEAD = ("net", "batch", "float32, us", "int8, us", "int8 / float32", "largest error", "weights, kB", "int8, kB")
CALLS = 5


class Library:
    """A built library, in the process."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.dll = name, ctypes.CDLL(str(folder / f"lib{name}.so"))
        size = self["bytes"]
        size.restype = ctypes.c_size_t
        self.memory = aligned_zeros((size(1),), np.uint8)
        self.net = ctypes.c_void_p()
        at, n_bytes = ctypes.c_void_p(self.memory.ctypes.data), ctypes.c_size_t(len(self.memory))
        check(self["init"](at, n_bytes, ctypes.byref(self.net)))

    def __getitem__(self, function: str) -> ctypes._CFuncPtr:
        return getattr(self.dll, f"{self.name}_{function}")

    def predict(self, x: np.ndarray, out: np.ndarray) -> None:
        data, result = (ctypes.c_void_p(a.ctypes.data) for a in (x, out))
        check(self["predict"](self.net, data, ctypes.c_int64(len(x)), result))


def check(code: int) -> None:
    if code:
        raise SystemExit(f"the library returned {code}")


def rows(name: str, target: str, batches: list[int], turns: int) -> list[list[str]]:
    """The rows of a net."""
    net = NETS[name]()
    shape = net.blobs["data"].shape[1:]
    samples = np.random.default_rng(0).normal(size=(256, *shape)).astype(np.float32)
    with mochac.compile(net, backend="cpu") as program, tempfile.TemporaryDirectory() as folder:
        how = {"outputs": "out", "params": program.params, "targets": [target], "batches": tuple(batches)}
        libraries = []
        for kind, more in (("floats", {}), ("integers", {"quantize": samples})):
            mochac.build(net, Path(folder) / kind, name=kind, **how, **more)
            libraries.append(Library(kind, Path(folder) / kind))
        n_weights = sum(int(np.prod(p.shape)) for p in net.params)
        size = int(np.prod(net.blobs["out"].shape[1:]))
        return [row(name, libraries, samples[:batch], size, n_weights, turns) for batch in batches]


def row(name: str, libraries: list[Library], x: np.ndarray, size: int, n_weights: int, turns: int) -> list[str]:
    """One batch: both libraries in turns."""
    outs = [np.zeros((len(x), size), np.float32) for _ in libraries]
    least = [float("inf")] * 2
    for _ in range(turns):
        for k, library in enumerate(libraries):
            begin = time.perf_counter()
            for _ in range(CALLS):
                library.predict(x, outs[k])
            least[k] = min(least[k], (time.perf_counter() - begin) / CALLS)
    error = float(np.abs(outs[1] - outs[0]).max() / np.abs(outs[0]).max())
    times = (f"{seconds * 1e6:.1f}" for seconds in least)
    sizes = (f"{n_weights * n / 1e3:.0f}" for n in (4, 1))
    return [name, str(len(x)), *times, f"{least[1] / least[0]:.2f}", f"{error:.3f}", *sizes]


def main() -> None:
    """Print the table; with --record, write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", metavar="NET", help=" ".join(NETS))
    parser.add_argument("--target", default="native", help="the CPU to build for")
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--record", action="store_true", help="write results/integers.md")
    options = parser.parse_args()
    found = [r for name in options.nets or NETS for r in rows(name, options.target, options.batch, options.turns)]
    text = report.table(HEAD, found)
    print(text)
    if options.record:
        report.record_measured("integers", INTRO, text)


if __name__ == "__main__":
    main()
