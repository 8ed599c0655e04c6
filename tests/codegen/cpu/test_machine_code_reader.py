"""The readers of machine code that tests/codegen/cpu/test_machine_cycles.py relies on."""

from __future__ import annotations

import pytest
from block_counts import block_counts, control, counted
from kernels import case
from machine_code import Block, blocks, cycles, llvm_mca

from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import apply

X86 = """
	.globl	k_1
k_1:                                    # @k_1
# %bb.0:                                # %entry
	pushq	%rbx
	jge	.LBB0_2
.LBB0_1:                                # %f.loop3
                                        # =>This Inner Loop Header: Depth=1
	vmovups	%ymm4, 32(%rsp)                 # 32-byte Spill
	vbroadcastss	(%rax,%rcx), %zmm1
	vfmadd231ps	(%rdx), %zmm1, %zmm0
	addq	$4, %rcx
	jne	.LBB0_1
.LBB0_2:                                # %f.done4
	retq
.Lfunc_end0:
	.size	k_1, .Lfunc_end0-k_1
"""
NEON = """
k_1:                                    // @k_1
// %bb.0:                               // %entry
	mov	x8, #4                          // =0x4
.LBB0_1:                                // %f.loop3
	fmla	v0.4s, v1.4s, v2.s[0]
	b.ne	.LBB0_1
.Lfunc_end0:
"""


def test_blocks_of_x86_code():
    entry, loop, done = blocks(X86)
    assert (entry.name, entry.is_loop, entry.instructions) == ("entry", False, ("pushq\t%rbx", "jge\t.LBB0_2"))
    assert (loop.label, loop.name, loop.multiply_adds, loop.spills, loop.is_loop) == (
        ".LBB0_1",
        "f.loop3",
        1,
        (32,),
        True,
    )
    assert (done.name, done.instructions) == ("f.done4", ("retq",))


def test_blocks_of_neon_code():
    entry, loop = blocks(NEON)
    assert entry.instructions == ("mov\tx8, #4",)
    assert loop.multiply_adds == 1 and loop.is_loop


def test_counters_of_blocks():
    kernel = case("inner_product", 16)
    target = CpuTarget("cascadelake", 64)
    scheduled = apply(choose(kernel, target), kernel)
    code = print_kernel(scheduled, target)
    text, names = counted(code.text)
    assert names[0] == "entry" and "ptr %counts)" in text and len(set(names)) == len(names)
    runs = block_counts(scheduled, code)
    assert runs["entry"] == 1
    assert max(runs.values()) > runs["entry"]
    items = next(name for name in names if name.startswith("items.loop"))
    assert runs[items] == code.items


@pytest.mark.parametrize("name", ["conv", "inner_product", "inner_product-tail", "max_pool"])
def test_branches_need_no_arithmetic_on_elements(name, monkeypatch):
    kernel, target = case(name, 16), CpuTarget("cascadelake", 64)
    scheduled = apply(choose(kernel, target), kernel)
    code = print_kernel(scheduled, target)
    assert len(control(code.text).splitlines()) < len(code.text.splitlines())
    runs = block_counts(scheduled, code)
    monkeypatch.setattr("block_counts.control", lambda text: text)
    assert block_counts(scheduled, code) == runs


@pytest.mark.skipif(llvm_mca() is None, reason="there is no llvm-mca of LLVM 19 or newer on PATH")
def test_cycles():
    def of(count, line):
        return cycles([Block("", "", tuple(line.format(k) for k in range(count)), ())], "x86_64", "skylake-avx512")[0]

    assert 6 < of(12, "vfmadd231ps\t%zmm30, %zmm31, %zmm{}") < 6.5
    assert 4 < of(2, "vfmadd231ps\t%zmm30, %zmm31, %zmm{}") < 4.5  # each waits for itself
    assert 6 < of(12, "vbroadcastss\t(%rax), %zmm{}") < 6.5
