"""Vectors that do not fit the registers: as many are predicted to be spilled as LLVM spills, and LLVM's slots for them
are aligned. Schedules of the rules are not charged for spills that the assembly does not have."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest
from block_counts import block_counts
from machine_code import Block, blocks, llvm_mca
from machine_code import cycles as mca_cycles
from test_machine_cycles import MODELS, contractions

from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.module import print_module
from mochac.codegen.machine import Machine
from mochac.codegen.prediction import issue
from mochac.codegen.prediction.live import NONE, Live, Spills
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.compiler import assembly
from mochac.runtime.cpu.cpuinfo import named_cpu

TURNS = 256


def core(cpu: str) -> Machine:
    return target_of(named_cpu(cpu)).machine


def tile(cpu: str, rows: int, columns: int) -> Kernel:
    """A sum of products with rows x columns accumulators, each used twice in an iteration."""
    lanes = core(cpu).vector_bytes // 4
    x, w, y = f"{2 * TURNS},{columns},{lanes}", f"{rows},{2 * TURNS}", f"{rows},{columns},{lanes}"
    return parse_kernel(f"""
kernel @tile(%x: f32[{x}], %w: f32[{w}]) -> (%y: f32[{y}]) {{
  local %acc: f32[{y}] register
  each o in 0..{rows} unroll {{
    each m in 0..{columns} unroll {{
      each n in 0..{lanes} vector {{
        %acc[o, m, n] = 0.0:f32
      }}
    }}
  }}
  sum f in 0..{TURNS} {{
    sum g in 0..2 unroll {{
      each o in 0..{rows} unroll {{
        %b = %w[o, g + 2*f]
        each m in 0..{columns} unroll {{
          each n in 0..{lanes} vector {{
            %a = %x[g + 2*f, m, n]
            %acc[o, m, n] = fma(%a, %b, %acc[o, m, n])
          }}
        }}
      }}
    }}
  }}
  each o in 0..{rows} unroll {{
    each m in 0..{columns} unroll {{
      each n in 0..{lanes} vector {{
        %t = %acc[o, m, n]
        %y[o, m, n] = %t
      }}
    }}
  }}
}}
""")


def transform(cpu: str) -> Kernel:
    """6 x 6 vectors, transformed along both axes by sums and differences of even and odd parts: 36 loads, 36 stores and
    12 times 14 operations between them."""
    lanes, lines = core(cpu).vector_bytes // 4, list[str]()

    def value(text: str) -> str:
        lines.append(f"%v{len(lines)} = {text}")
        return lines[-1].partition(" ")[0]

    def along(d: list[str]) -> list[str]:
        a, b = value(f"mul({d[2]}, 4.0:f32)"), value(f"mul({d[1]}, 4.0:f32)")
        even, odd = value(f"sub({d[4]}, {a})"), value(f"sub({d[3]}, {b})")
        near, far = value(f"sub({d[4]}, {d[2]})"), value(f"sub({d[3]}, {d[1]})")
        twice = value(f"mul({far}, 2.0:f32)")
        first, last = value(f"sub({d[0]}, {a})"), value(f"sub({d[5]}, {b})")
        inner = [value(f"{fn}({x}, {y})") for x, y in ((even, odd), (near, twice)) for fn in ("add", "sub")]
        return [value(f"add({first}, {near})"), *inner, value(f"add({last}, {far})")]

    columns = [along([value(f"%x[c, {i}, {j}, n]") for i in range(6)]) for j in range(6)]
    for i in range(6):
        row = along([column[i] for column in columns])
        lines += [f"%y[c, {i}, {j}, n] = {v}" for j, v in enumerate(row)]
    body = "\n".join(lines)
    return parse_kernel(
        f"kernel @transform(%x: f32[64,6,6,{lanes}]) -> (%y: f32[64,6,6,{lanes}]) {{\n"
        f"each c in 0..64 {{\neach n in 0..{lanes} vector {{\n{body}\n}}\n}}\n}}\n"
    )


def kernel(cpu: str, shape: tuple[int, int] | None) -> Kernel:
    return transform(cpu) if shape is None else tile(cpu, *shape)


@lru_cache(maxsize=1)
def compiled(cpu: str, shape: tuple[int, int] | None) -> tuple[str, tuple[Block, ...], tuple[int, ...]]:
    """Assembly, its blocks, and how often each runs."""
    code = CpuGenerator(target_of(named_cpu(cpu))).print_kernel(kernel(cpu, shape))
    text = assembly(print_module([code]), named_cpu(cpu))
    every = tuple(blocks(text))
    counts = block_counts(kernel(cpu, shape), code)
    return text, every, tuple(counts[block.name] for block in every)


@pytest.fixture
def spilled(monkeypatch):
    """The spills of each body that is counted."""
    found: list[Spills] = []

    def noting(live: Live, registers: int) -> Spills:
        found.append(plain(live, registers))
        return found[-1]

    plain = Live.spills
    monkeypatch.setattr(Live, "spills", noting)
    return found


CPUS = ("cascadelake", "haswell", "neoverse-v2")
SHAPES = [(6, 2), (6, 4), (12, 4), (14, 4), (25, 4), None]
"""Tiles, and the transform."""
ALMOST = [(7, 4), (8, 4)]
"""Tiles that take few registers more than AVX-512 has. LLVM, which loads ahead, spills about 25 vectors more than it
must there; that costs little."""


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("shape", SHAPES)
def test_as_many_are_predicted_as_llvm_spills(cpu, shape, spilled):
    issue.cycles(kernel(cpu, shape), core(cpu))
    stores, reloads, _ = max(spilled)
    _, every, runs = compiled(cpu, shape)
    inner = every[max(range(len(every)), key=lambda k: runs[k] * len(every[k].instructions))]
    actual = sum(size == core(cpu).vector_bytes for size in inner.spills)
    assert (stores + reloads) / 2 - 4 <= actual <= 2 * (stores + reloads) + 4
    fits = shape is not None and shape[0] * shape[1] + shape[1] + 1 <= core(cpu).registers
    assert not fits or stores == reloads == actual == 0


@pytest.mark.slow
@pytest.mark.skipif(llvm_mca() is None, reason="there is no llvm-mca of LLVM 19 or newer on PATH")
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("shape", SHAPES + ALMOST)
def test_what_spills_takes_about_as_long_as_llvm_mca_says(cpu, shape):
    """llvm-mca does not know that a load waits for the store of the same place."""
    _, every, runs = compiled(cpu, shape)
    live = [(block, n) for block, n in zip(every, runs, strict=True) if n]
    taken = mca_cycles([block for block, _ in live], named_cpu(cpu).triple, MODELS[cpu])
    whole = sum(n * c for (_, n), c in zip(live, taken, strict=True))
    assert whole / 2 < issue.cycles(kernel(cpu, shape), core(cpu)) < 2 * whole


@pytest.mark.parametrize("cpu", ["cascadelake", "haswell"])
def test_slots_are_aligned(cpu):
    """Unaligned, most of them would lie across two lines, and how many would depend on the caller's stack."""
    text, _, _ = compiled(cpu, (25, 4))
    moves = re.findall(rf"v?mov([au])p[sd]\t.*{core(cpu).vector_bytes}-byte (?:Folded )?(?:Spill|Reload)", text)
    assert len(moves) > 50
    assert set(moves) == {"a"}


@pytest.mark.sampled(0, test=6)
@pytest.mark.parametrize("cpu", MODELS)
@pytest.mark.parametrize("net", ["lenet", "cifar", "resnet", "gpt", "convnext"])
def test_schedules_of_the_rules_are_charged_for_no_more_than_they_spill(cpu, net, monkeypatch):
    kernels = contractions(net, cpu)
    charged = [issue.cycles(kernel.scheduled, core(cpu)) for kernel in kernels]
    monkeypatch.setattr(Live, "spills", lambda live, registers: NONE)
    for kernel, cycles in zip(kernels, charged, strict=True):
        if cycles > 1.01 * issue.cycles(kernel.scheduled, core(cpu)):
            every = list(blocks(assembly(print_module([kernel.code]), named_cpu(cpu))))
            counts = block_counts(kernel.scheduled, kernel.code)
            spills = sum(counts[b.name] * sum(size == core(cpu).vector_bytes for size in b.spills) for b in every)
            assert spills > 0.01 * cycles, kernel.naive.name
