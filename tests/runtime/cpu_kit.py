"""Hand-written LLVM kernels and plans for the tests of the native runtime: no code generator takes part."""

from __future__ import annotations

import numpy as np

from mochac.ir.program import Launch, Plan, Slot
from mochac.ir.types import parse_type
from mochac.runtime.aligned import aligned_empty
from mochac.runtime.cpu import CpuPlan
from mochac.runtime.native import loader
from mochac.runtime.native.cpuinfo import host_cpu

HEAVY = 10**9
"""A flop count that makes every phase worth sharing."""


def over_items(name: str, body: str, n_pointers: int, before: str = "") -> str:
    """A kernel that runs `body` for each item %i, with %p0, %p1, ... its buffers."""
    loads = "".join(
        f"  %p{k}.at = getelementptr ptr, ptr %args, i64 {k}\n  %p{k} = load ptr, ptr %p{k}.at\n"
        for k in range(n_pointers)
    )
    return f"""
define void @{name}(ptr %args, i64 %lo, i64 %hi, ptr %scratch) {{
entry:
{loads}{before}  br label %loop
loop:
  %i = phi i64 [ %lo, %entry ], [ %i1, %next ]
{body}
  br label %next
next:
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %hi
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def at(name: str, pointer: str, index: str = "%i", kind: str = "float") -> str:
    return f"  %{name} = getelementptr {kind}, ptr {pointer}, i64 {index}\n"


COPY = over_items("copy", at("a", "%p0") + at("b", "%p1") + "  %v = load float, ptr %a\n  store float %v, ptr %b", 2)
"""out[i] = in[i]."""

STEP = over_items(
    "step",
    at("a", "%p0")
    + at("b", "%p1")
    + "  %w = load float, ptr %a\n  %x = load float, ptr %b\n  %l = load float, ptr %p2\n"
    + "  %g = fmul float %l, %x\n  %n = fsub float %w, %g\n  store float %n, ptr %a",
    3,
)
"""w[i] -= lr * x[i]."""

SUM = over_items(
    "sum",
    at("a", "%p0")
    + "  %v = load float, ptr %a\n  %s = load float, ptr %p1\n  %n = fadd float %s, %v\n  store float %n, ptr %p1",
    2,
    "  %old = load float, ptr %p1\n",
)

SUM_ALL = """
define void @sum_all(ptr %args, i64 %lo, i64 %hi, ptr %scratch) {
entry:
  %p0 = load ptr, ptr %args
  %p1.at = getelementptr ptr, ptr %args, i64 1
  %p1 = load ptr, ptr %p1.at
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %a = getelementptr float, ptr %p0, i64 %i
  %v = load float, ptr %a
  %s1 = fadd float %s, %v
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, 1000
  br i1 %more, label %loop, label %end
end:
  store float %s1, ptr %p1
  ret void
}
"""
"""One item: total = sum(in[0:1000]) in order."""
