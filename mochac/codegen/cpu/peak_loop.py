"""LLVM text of the loop with which runtime/cpu/rates.py measures the multiply-add peak, in registers only."""

from __future__ import annotations

UNROLL = 4
"""Multiply-adds of a chain per iteration of the loop, so that counting costs nothing; their number is a multiple."""


def peak_text(chains: int, lanes: int, fused: bool = True) -> str:
    """LLVM text of the loop: item i makes *args[0] multiply-adds per chain and stores the sum of its chains at
    args[1] + 128 i.

    No initial value may be a fixed point of the step (1 is one), or a compiler could drop the chain.
    """
    v = f"<{lanes} x float>"
    m, c = _splat("0.9990234375", lanes), _splat("0.0009765625", lanes)
    names = range(chains)
    last = f".{UNROLL}"
    phis = "".join(
        f"  %a{k}.0 = phi {v} [ {_splat(f'{k + 2}.0', lanes)}, %item ], [ %a{k}{last}, %turn ]\n" for k in names
    )
    steps = "".join(_step(v, f"%a{k}.{u}", f"%a{k}.{u + 1}", m, c, fused) for u in range(UNROLL) for k in names)
    sums = "".join(
        f"  %s{k} = fadd {v} %{'a0' + last if k == 1 else f's{k - 1}'}, %a{k}{last}\n" for k in range(1, chains)
    )
    return f"""
declare {v} @llvm.fma.v{lanes}f32({v}, {v}, {v})

define void @mochac_peak(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {{
entry:
  %turns.ptr = load ptr, ptr %args, align 8
  %turns = load i64, ptr %turns.ptr, align 8
  %out.at = getelementptr ptr, ptr %args, i64 1
  %out = load ptr, ptr %out.at, align 8
  br label %item
item:
  %i = phi i64 [ %lo, %entry ], [ %i1, %stored ]
  br label %turn
turn:
  %t = phi i64 [ 0, %item ], [ %t1, %turn ]
{phis}{steps}  %t1 = add nuw i64 %t, {UNROLL}
  %more = icmp ult i64 %t1, %turns
  br i1 %more, label %turn, label %stored
stored:
{sums}  %skip = mul i64 %i, 128
  %to = getelementptr i8, ptr %out, i64 %skip
  store {v} %s{chains - 1}, ptr %to, align 64
  %i1 = add nuw i64 %i, 1
  %left = icmp ult i64 %i1, %hi
  br i1 %left, label %item, label %end
end:
  ret void
}}
"""


def _step(v: str, old: str, new: str, m: str, c: str, fused: bool) -> str:
    if fused:
        return f"  {new} = call {v} @llvm.fma.v{v[1:].split()[0]}f32({v} {old}, {v} {m}, {v} {c})\n"
    return f"  {new}.p = fmul {v} {old}, {m}\n  {new} = fadd {v} {new}.p, {c}\n"


def _splat(value: str, lanes: int) -> str:
    return "<" + ", ".join([f"float {value}"] * lanes) + ">"
