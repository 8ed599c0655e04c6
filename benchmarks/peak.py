"""Peak loop against the same loop in C, interleaved in one process: is the JITted figure a fair yardstick?

Run `python benchmarks/peak.py [--threads 1 2] [--record]`; it needs a C compiler. The best of many short interleaved
runs counts, because clock rates and the load from other processes vary.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from contest import report

from mochac.runtime.cpu.rates import PeakLoop

SOURCE = """
typedef float v __attribute__((vector_size(%(bytes)d)));
void turns(long n, float *out) {
    v m = (v){} + 0.9990234375f, c = (v){} + 0.0009765625f;
    %(start)s
    for (long t = 0; t < n; t++) {
        %(steps)s
        __asm__ volatile("" ::: "memory");
    }
    v s = %(sum)s;
    __builtin_memcpy(out, &s, sizeof s);
}
"""
INTRO = """# The machine's multiply-add peak: the JITted loop against the same loop in C

Best of many short interleaved runs. Written by `python benchmarks/peak.py --record`.
"""


def c_loop(compiler: str, vector_bytes: int, chains: int) -> ctypes._CFuncPtr:
    names = range(chains)
    source = SOURCE % {
        "bytes": vector_bytes,
        "start": " ".join(f"v a{k} = (v){{}} + {k + 2}.0f;" for k in names),
        "steps": " ".join(f"a{k} = a{k} * m + c;" for k in names),
        "sum": " + ".join(f"a{k}" for k in names),
    }
    folder = Path(tempfile.mkdtemp(prefix="mochac-peak-"))
    (folder / "loop.c").write_text(source)
    flags = ["-O2", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC", "-mprefer-vector-width=512"]
    subprocess.run([compiler, *flags, "loop.c", "-o", "loop.so"], cwd=folder, check=True)
    function = ctypes.CDLL(str(folder / "loop.so")).turns
    function.argtypes = [ctypes.c_long, ctypes.c_void_p]
    shutil.rmtree(folder)
    return function


class CLoop:
    """The C loop on the caller and further Python threads at once (ctypes releases the GIL)."""

    def __init__(self, function: ctypes._CFuncPtr, threads: int) -> None:
        self.function, self.threads = function, threads
        self.out = [(ctypes.c_float * 64)() for _ in range(threads)]

    def run(self, turns: int) -> float:
        gate = threading.Barrier(self.threads)
        spans: list[tuple[float, float]] = []

        def work(k: int) -> None:
            gate.wait()
            start = time.perf_counter()
            self.function(turns, self.out[k])
            spans.append((start, time.perf_counter()))

        others = [threading.Thread(target=work, args=(k,)) for k in range(1, self.threads)]
        for other in others:
            other.start()
        work(0)
        for other in others:
            other.join()
        return max(end for _, end in spans) - min(start for start, _ in spans)


def compare(compiler: str, threads: int, seconds: float) -> tuple[float, float]:
    """(JIT, C) best GFLOP/s of interleaved runs of about 5 ms."""
    jit = PeakLoop(threads)
    c = CLoop(c_loop(compiler, jit.cpu.vector_bytes, jit.chains), threads)
    turns = 2000
    jit.run(turns)  # compiles and starts the team
    while jit.run(turns) < 0.005:
        turns *= 2
    best = [float("inf"), float("inf")]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        best = [min(best[0], jit.run(turns)), min(best[1], c.run(turns))]
    work = jit.flops(turns) / 1e9
    jit.close()
    return work / best[0], work / best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=3.0, help="per thread count")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    compiler = shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("no C compiler found")
    rows = []
    for threads in options.threads:
        jit, c = compare(compiler, threads, options.seconds)
        rows.append([str(threads), f"{jit:.1f}", f"{c:.1f}", f"{100 * (jit / c - 1):+.1f} %"])
    text = report.table(["threads", "JIT GFLOP/s", "C GFLOP/s", "JIT against C"], rows)
    print(text)
    if options.record:
        report.record_measured("peak", INTRO, text)


if __name__ == "__main__":
    main()
