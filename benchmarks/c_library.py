"""C libraries: their training step beside program.train(), and how long an instance takes to begin.

Run `python benchmarks/c_library.py [NET ...] [--threads 1 2] [--seconds 5] [--record]`. A loop in C calls the library's
step(); both get the same batches, in turns in one process, and must end with the same bits.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from contest import report, with_mochac
from contest.contender import PLAN, TRAIN
from contest.rounds import Round, run_rounds
from contest.task import Arrays, task

import mochac
from mochac import SGD, Net
from mochac.base.support.memory import ALIGNMENT, aligned_zeros
from mochac.runtime.cpu.rates import PeakLoop

INTRO = """# C libraries

Libraries that `mochac build` wrote, for this CPU: seconds of a training step, called by a loop in C, beside those of
program.train() and of its plan alone. All get the same batches in memory, in turns in one process, and end with the
same bits. Ratios are of one round: medians, and quartiles in brackets. "init" is NAME_init() in memory that was never
touched, and in memory that was. Written by `python benchmarks/c_library.py --record`.
"""
HEAD = ("net", "threads", "step", "to train()", "to the plan", "init cold", "init warm", "library")
TASKS = ("tiny", "mlp", "lenet", "cifar", "lstm")
LIBRARY = "C library"
BURST_S = 0.2
COLD = 5
FEWEST = 5
"""Quiet rounds."""

LOOP = """#include "{name}.h"

{name}_code loop({name} *net, const float *data, const float *label, int64_t batches, int64_t first, int64_t n) {{
    {name}_code code = {upper}_OK;
    int64_t k;
    for (k = first; k < first + n && code == {upper}_OK; k++) {{
        int64_t at = k % batches * {upper}_BATCH;
        code = {name}_step(net, data + at * {upper}_ELEMS_DATA, label + at * {upper}_ELEMS_LABEL, NULL);
    }}
    return code;
}}
"""


@dataclass(frozen=True)
class Case:
    """A net, how it is trained, and its samples, by top of the data layer."""

    name: str
    net: Net
    method: SGD
    regu: float
    arrays: Arrays


def main(argv: Sequence[str] | None = None) -> int:
    """Every net, with every number of threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", metavar="NET", help=f"tasks of contest/tasks (default: {' '.join(TASKS)})")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=5.0, help="for each row")
    parser.add_argument("--record", action="store_true", help="write results/c_library.md")
    options = parser.parse_args(argv)
    logging.getLogger("mochac").setLevel(logging.WARNING)
    rows = [row(case(name), threads, options.seconds) for name in options.nets or TASKS for threads in options.threads]
    body = f"{report.circumstances()}.\n\n{report.table(HEAD, rows)}"
    print(body)
    if options.record:
        print(f"written: {report.record('c_library', INTRO, body)}")
    return 0


def case(name: str) -> Case:
    """The net of a task."""
    chosen = task(name)
    data = chosen.data()
    arrays = {"data": data.inputs, "label": data.labels.reshape(len(data.labels), -1).astype(np.float32)}
    net = with_mochac.net(chosen, data)
    return Case(name, net, with_mochac.sgd(chosen.sgd), with_mochac.regu_coef(chosen.sgd), arrays)


def row(one: Case, threads: int, seconds: float) -> list[str]:
    """A line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        train, plan, library = (kind(one, threads, Path(folder)) for kind in (Train, Plan, Library))
        cold, warm = library.init_s()
        contenders = [library, train, plan]
        _require_same_bits(contenders)
        rounds = run_rounds(contenders, PeakLoop(threads).gflops, BURST_S, seconds)
        for contender in contenders:
            contender.close()
        return [
            one.name, str(threads), _time(statistics.median(r.step_s(LIBRARY) for r in rounds)),
            _ratio(rounds, TRAIN), _ratio(rounds, PLAN), _time(cold), _time(warm), f"{library.code_bytes / 1e3:.0f} kB",
        ]  # fmt: skip


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"


def _ratio(rounds: list[Round], other: str) -> str:
    """The library's time of a step by another's, in quiet rounds if there are enough."""
    quiet = [r for r in rounds if not r.busy]
    busy = len(quiet) < FEWEST
    of = [r.step_s(LIBRARY) / r.step_s(other) for r in (rounds if busy else quiet)]
    quarters = statistics.quantiles(of, n=4) if len(of) > 1 else of * 3
    return f"{quarters[1]:.3f} ({quarters[0]:.3f} to {quarters[2]:.3f}){' (busy)' * busy}"


def _require_same_bits(contenders: list[Train | Library]) -> None:
    saved = []
    for contender in contenders:
        contender.reset()
        contender.steps(3)
        saved.append(contender.values())
    if any(values != saved[0] for values in saved):
        raise SystemExit("the library computes other bits")


class Train:
    """program.train()."""

    name = TRAIN

    def __init__(self, one: Case, threads: int, folder: Path) -> None:
        self.case, self.folder = one, folder
        self.program = mochac.compile(one.net, backend="cpu", threads=threads)
        self.program.save(folder / "begin.safetensors")
        self.begin = self.program.session.batches.position.cursor()
        self._train(1)  # its step plan exists from now on

    def reset(self) -> None:
        self.program.load(self.folder / "begin.safetensors")
        self.program.session.batches.position.set_cursor(self.begin)

    def steps(self, n: int) -> None:
        self._train(n)

    def _train(self, n: int) -> None:
        self.program.train(self.case.method, max_iter=n, regu_coef=self.case.regu, verbose=0)

    def values(self) -> bytes:
        path = self.folder / "end.safetensors"
        self.program.save(path)
        return path.read_bytes()

    def close(self) -> None:
        self.program.close()


class Plan(Train):
    """The step plan by itself."""

    name = PLAN

    def __init__(self, one: Case, threads: int, folder: Path) -> None:
        super().__init__(one, threads, folder)
        self.plan = with_mochac.Steps(self.program, one.method, one.regu, one.arrays)

    def reset(self) -> None:
        super().reset()
        self.program.session.plans.reset_slots()
        self.done = 0

    def steps(self, n: int) -> None:
        self.plan.run(self.done, n)
        self.done += n


class Library:
    """A loop in C over the library's step()."""

    name = LIBRARY

    def __init__(self, one: Case, threads: int, folder: Path) -> None:
        self.case, self.threads, self.folder = one, threads, folder
        self.stem = one.name
        solver = mochac.Solver(one.method, regu_coef=one.regu)
        mochac.build(one.net, folder, solver, batches=(1,), name=self.stem)
        (folder / "loop.c").write_text(LOOP.format(name=self.stem, upper=self.stem.upper()))
        linked = ["loop.c", f"{self.stem}.o", f"{self.stem}_threads.o", *map(str, (folder / "objects").iterdir())]
        command = ["cc", "-O2", "-shared", "-fPIC", *linked, "-pthread", "-o", "loop.so"]
        subprocess.run(command, cwd=folder, check=True)
        self.dll = ctypes.CDLL(str(folder / "loop.so"))
        for function in ("bytes", "save_bytes"):
            self[function].restype = ctypes.c_size_t
        self["pool_start"].restype = ctypes.c_void_p
        self.code_bytes = (folder / f"lib{self.stem}.so").stat().st_size - (
            folder / "objects" / "data.o"
        ).stat().st_size
        self.size = self["bytes"](threads)
        self.pool = ctypes.c_void_p(self["pool_start"](threads)) if threads > 1 else None
        self.arrays = [np.ascontiguousarray(one.arrays[top], np.float32) for top in ("data", "label")]
        self.memory = aligned_zeros((self.size,), np.uint8)
        self.net = ctypes.c_void_p()

    def __getitem__(self, function: str) -> ctypes._CFuncPtr:
        return getattr(self.dll, f"{self.stem}_{function}")

    def init_s(self) -> tuple[float, float]:
        """Seconds of init in memory that was never touched, and again: medians."""
        cold, warm = [], []
        for _ in range(COLD):
            memory = aligned_zeros((self.size,), np.uint8)
            for times in (cold, warm):
                begin = time.perf_counter()
                self._init(memory)
                times.append(time.perf_counter() - begin)
        return statistics.median(cold), statistics.median(warm)

    def _init(self, memory: np.ndarray) -> None:
        assert memory.ctypes.data % ALIGNMENT == 0
        at, size = ctypes.c_void_p(memory.ctypes.data), ctypes.c_size_t(self.size)
        _check(self["init"](at, size, ctypes.byref(self.net)))

    def reset(self) -> None:
        self._init(self.memory)
        if self.pool is not None:
            run = ctypes.cast(self["pool_run"], ctypes.c_void_p)
            _check(self["use_threads"](self.net, self.threads, run, self.pool))
        self.done = 0

    def steps(self, n: int) -> None:
        data, label = (ctypes.c_void_p(a.ctypes.data) for a in self.arrays)
        batches = len(self.arrays[0]) // self.case.net.batch
        _check(self.dll.loop(self.net, data, label, *map(ctypes.c_int64, (batches, self.done, n))))
        self.done += n

    def values(self) -> bytes:
        n_bytes = self["save_bytes"]()
        saved = ctypes.create_string_buffer(n_bytes)
        _check(self["save"](self.net, saved, ctypes.c_size_t(n_bytes)))
        return saved.raw

    def close(self) -> None:
        if self.pool is not None:
            self["pool_stop"](self.pool)


def _check(code: int) -> None:
    if code:
        raise SystemExit(f"the library returned {code}")


if __name__ == "__main__":
    raise SystemExit(main())
