"""LLVM text of the loops with which runtime/cpu/rates.py measures the multiply-add peak, in registers only, and the
bandwidth of reading and copying memory.
"""

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


STREAMS = 8
"""Vectors per iteration of the loops; with more, L2 was slower (Zen 5)."""


def bandwidth_text(lanes: int) -> str:
    """LLVM text of both loops: item i passes args[0][0] times over the args[0][1] bytes at args[1] + i * args[0][1].

    The read loop combines all vectors and stores the result at args[2] + 128 i, so that LLVM keeps the loads. The copy
    loop copies the first half of the bytes to the second.
    """
    v = f"<{lanes} x i32>"
    size = 4 * lanes
    sums = "".join(f"  %a{k} = phi {v} [ zeroinitializer, %item ], [ %b{k}, %next ]\n" for k in range(STREAMS))
    inner = "".join(f"  %s{k} = phi {v} [ %a{k}, %turn ], [ %b{k}, %move ]\n" for k in range(STREAMS))
    loads = [_load(v, k, size) for k in range(STREAMS)]
    reads = "".join(load + f"  %b{k} = or {v} %s{k}, %v{k}\n" for k, load in enumerate(loads))
    copies = "".join(loads) + "".join(_store(v, k, size) for k in range(STREAMS))
    folds = "".join(f"  %f{k} = or {v} %{'b0' if k == 1 else f'f{k - 1}'}, %b{k}\n" for k in range(1, STREAMS))
    result = f"{folds}  %skip = mul i64 %i, 128\n  %to = getelementptr i8, ptr %out, i64 %skip\n"
    result += f"  store {v} %f{STREAMS - 1}, ptr %to, align 64\n"
    step = STREAMS * size
    read = _loop("mochac_read", step, "%bytes", sums, inner, reads, result)
    return read + _loop("mochac_copy", step, "%half", "", "", copies, "")


def _loop(symbol: str, step: int, end: str, sums: str, inner: str, body: str, result: str) -> str:
    return f"""
define void @{symbol}(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {{
entry:
  %numbers = load ptr, ptr %args, align 8
  %memory.at = getelementptr ptr, ptr %args, i64 1
  %memory = load ptr, ptr %memory.at, align 8
  %out.at = getelementptr ptr, ptr %args, i64 2
  %out = load ptr, ptr %out.at, align 8
  %turns = load i64, ptr %numbers, align 8
  %bytes.at = getelementptr i64, ptr %numbers, i64 1
  %bytes = load i64, ptr %bytes.at, align 8
  %half = lshr i64 %bytes, 1
  br label %item
item:
  %i = phi i64 [ %lo, %entry ], [ %i1, %stored ]
  %start = mul i64 %i, %bytes
  %base = getelementptr i8, ptr %memory, i64 %start
  br label %turn
turn:
  %t = phi i64 [ 0, %item ], [ %t1, %next ]
{sums}  br label %move
move:
  %at = phi i64 [ 0, %turn ], [ %at1, %move ]
{inner}  %p = getelementptr i8, ptr %base, i64 %at
  %q = getelementptr i8, ptr %p, i64 %half
{body}  %at1 = add nuw i64 %at, {step}
  %more = icmp ult i64 %at1, {end}
  br i1 %more, label %move, label %next
next:
  %t1 = add nuw i64 %t, 1
  %again = icmp ult i64 %t1, %turns
  br i1 %again, label %turn, label %stored
stored:
{result}  %i1 = add nuw i64 %i, 1
  %left = icmp ult i64 %i1, %hi
  br i1 %left, label %item, label %end
end:
  ret void
}}
"""


def _load(v: str, k: int, size: int) -> str:
    return f"  %p{k} = getelementptr i8, ptr %p, i64 {k * size}\n  %v{k} = load {v}, ptr %p{k}, align {size}\n"


def _store(v: str, k: int, size: int) -> str:
    return f"  %q{k} = getelementptr i8, ptr %q, i64 {k * size}\n  store {v} %v{k}, ptr %q{k}, align {size}\n"
