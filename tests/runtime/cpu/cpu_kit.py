"""Hand-written LLVM kernels and plans for the tests of the native runtime: no code generator takes part."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
from patience import HANG_S

import mochac
from mochac.base.support.memory import aligned_empty
from mochac.ir.plan import Launch, Placement, Plan
from mochac.ir.types import parse_type
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.cpu.executor import CpuExecutor

HEAVY = 10**9
"""A flop count that makes every phase worth sharing."""
N = 96


def over_items(name: str, body: str, n_pointers: int) -> str:
    """A kernel that runs `body` for each item %i, with %p0, %p1, ... its buffers."""
    loads = "".join(
        f"  %p{k}.at = getelementptr ptr, ptr %args, i64 {k}\n  %p{k} = load ptr, ptr %p{k}.at\n"
        for k in range(n_pointers)
    )
    return f"""
define void @{name}(ptr %args, i64 %lo, i64 %hi, ptr %scratch) {{
entry:
{loads}  br label %loop
loop:
  %i = phi i64 [ %lo, %entry ], [ %i1, %loop ]
{body}
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %hi
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def at(name: str, pointer: str, index: str = "%i") -> str:
    """Address of a float."""
    return f"  %{name} = getelementptr float, ptr {pointer}, i64 {index}\n"


COPY = over_items("copy", at("a", "%p0") + at("b", "%p1") + "  %v = load float, ptr %a\n  store float %v, ptr %b", 2)
"""out[i] = in[i]"""

DESCEND = over_items(
    "descend",
    f"{at('a', '%p0')}{at('b', '%p1')}  %w = load float, ptr %a\n  %x = load float, ptr %b\n"
    "  %l = load float, ptr %p2\n  %g = fmul float %l, %x\n  %n = fsub float %w, %g\n  store float %n, ptr %a",
    3,
)
"""w[i] -= lr * x[i]"""

MIX = over_items(
    "mix",
    f"  %back = sub i64 {N - 1}, %i\n{at('a', '%p0', '%back')}{at('b', '%p0')}{at('c', '%p1')}"
    "  %x = load float, ptr %a\n  %y = load float, ptr %b\n  %h = fmul float %y, 0.75\n  %s = fmul float %x, 0.5\n"
    "  %v = fadd float %h, %s\n  store float %v, ptr %c",
    2,
)
"""out[i] = 0.75 * in[i] + 0.5 * in[N-1-i]: an item needs one that another thread made in the phase before."""

FIRST = over_items("first", "  %v = load float, ptr %p0\n  store float %v, ptr %p1", 2)
"""out[0] = in[0], as one item"""

HALVE = over_items(
    "halve",
    at("a", "%p0") + at("b", "%p1") + "  %v = load float, ptr %a\n  %h = fmul float %v, 0.5\n  store float %h, ptr %b",
    2,
)
"""out[i] = in[i] / 2: zero for denormals where they are flushed"""


COUNT = over_items(
    "count", at("a", "%p0") + "  %v = load float, ptr %a\n  %n = fadd float %v, 1.0\n  store float %n, ptr %a", 1
)
"""runs[i] += 1"""


@lru_cache(maxsize=1)
def kernels() -> bytes:
    """Object code of all kernels above."""
    return compiler.compile_ir(COPY + DESCEND + MIX + FIRST + HALVE + COUNT, host_cpu())


def arena(name: str, kind: str, line: int) -> Placement:
    """An arena placement at a multiple of 512 bytes."""
    return Placement(name, parse_type(kind), "arena", offset=512 * line)


def launch(symbol: str, buffers: str, items: int, phase: int, flops: int = HEAVY) -> Launch:
    return Launch(symbol, symbol, tuple(buffers.split()), items, phase, flops=flops)


def mixing_plan(phases: int = 12) -> Plan:
    """w -= lr * x, then many phases that each read other threads' items, then back into w; scalar: w[0]."""
    f = f"f32[{N}]"
    placements = (
        Placement("w", parse_type(f), "state", "w"),
        Placement("x", parse_type(f), "feed", "x"),
        Placement("lr", parse_type("f32[]"), "hyper", "lr"),
        arena("a0", f, 0),
        arena("a1", f, 1),
        arena("head", "f32[]", 2),
    )
    steps = [launch("descend", "w x lr", N, 0), launch("mix", "w a0", N, 1)]
    steps += [launch("mix", f"a{k % 2} a{(k + 1) % 2}", N, 2 + k) for k in range(phases)]
    last = f"a{phases % 2}"
    steps += [launch("copy", f"{last} w", N, phases + 2), launch("first", f"{last} head", 1, phases + 2)]
    named = (("last", last),)
    return Plan("mixing", placements, tuple(steps), (("head", "head"),), named, 2048, 2048)


def train_mixing(threads: int, n_steps: int = 9, chunk: int = 4) -> bytes:
    """The bits a mixing plan leaves after some steps, run in chunks."""
    rng = np.random.default_rng(7)
    w = aligned_empty(N)
    w[:] = rng.standard_normal(N)
    batches = [{"x": rng.standard_normal(N).astype(np.float32)} for _ in range(n_steps)]
    rates = np.linspace(0.1, 0.5, n_steps)
    cpu = CpuExecutor(mixing_plan(), [kernels()], {"w": w}, threads)
    heads = []
    for s in range(0, n_steps, chunk):
        part = batches[s : s + chunk]
        heads.append(cpu.run(len(part), part, {"lr": rates[s : s + chunk]})["head"])
    bits = w.tobytes() + np.concatenate(heads).tobytes() + cpu.read("last").tobytes()
    cpu.close()
    return bits


def run_python(code: str, timeout_s: float = HANG_S) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that can import mochac and this file."""
    here = Path(__file__).parent
    path = os.pathsep.join([str(Path(mochac.__path__[0]).parent), str(here), str(here.parents[1])])
    env = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=timeout_s, check=False
    )
