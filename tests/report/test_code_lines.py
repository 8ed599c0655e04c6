"""Lines of code and the loops they belong to, and what the model expects of each loop."""

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac.codegen.prediction.issue import cycles, loop_cycles
from mochac.inspect.report.kernel_section import OUTSIDE, assembly_loops, llvm_loops, nest_loops
from mochac.ir.kernel import Loop, walk

NEST = """kernel @k() -> () {
  each a in 0..2 parallel {
    %x = %y[a]
    sum b in 0..4 unroll {
      %z = %y[b]
    }
    sum c in 0..8 {
      %w = %y[c]
    }
  }
}""".split("\n")
LLVM = """define void @k() {
entry:
  br label %items.loop1
items.loop1:
  br label %c.loop3
c.loop3:
  br i1 %v, label %then5, label %endif6
then5:
  br label %endif6
endif6:
  br i1 %v, label %c.loop3, label %c.done4
c.done4:
  br i1 %v, label %items.loop1, label %items.done2
items.done2:
  ret void
}""".split("\n")
HEADS = {"items.loop1": 0, "c.loop3": 2}
ASM = """k:
# %bb.0: # %entry
	pushq %rbp
.LBB0_1: # %items.loop1
	nop
# %bb.4: # %c.loop3.preheader
	nop
.LBB0_2: # %c.loop3
	vmovaps (%rax), %zmm0
.LBB0_3: # %endif6
	nop
# %bb.5: # %items.done2
	retq""".split("\n")


def test_lines_of_a_nest():
    out = OUTSIDE
    assert nest_loops(NEST, frozenset({0, 2})) == [out, 0, 0, 0, 0, 0, 2, 2, 2, 0, out]


def test_lines_of_llvm():
    loops, blocks = llvm_loops(LLVM, HEADS)
    assert [*zip((s.strip() for s in LLVM), loops, strict=True)][3:6] == [
        ("items.loop1:", 0), ("br label %c.loop3", 0), ("c.loop3:", 2)
    ]  # fmt: skip
    assert (blocks["endif6"], blocks["c.done4"], blocks["items.done2"], blocks["entry"]) == (2, 0, OUTSIDE, OUTSIDE)


def test_lines_of_assembly():
    _, blocks = llvm_loops(LLVM, HEADS)
    out = OUTSIDE
    assert assembly_loops(ASM, blocks) == [out, out, out, 0, 0, 0, 0, 2, 2, 2, 2, out, out]


@pytest.fixture(scope="module")
def kernels():
    with mochac.compile(tiny(), threads=1) as program:
        yield program.kernels, program.session.plans.backend


@pytest.mark.slow
def test_every_printed_loop_is_named_in_llvm_and_assembly(kernels):
    for record in kernels[0]:
        loops = [str(s).removesuffix(" {") for s in walk(record.scheduled.scheduled.body) if isinstance(s, Loop)]
        heads = record.scheduled.code.heads
        assert len({label for label, _ in heads}) == len(heads)
        for label, number in heads:
            assert f"{label}:  ; loop {number}: {loops[number]}" in record.llvm
            assert label.startswith("items.") or label.startswith(f"{loops[number].split()[1]}.loop")
        if heads:
            assert "  # loop " in record.assembly
        else:
            assert "loop " not in record.llvm


@pytest.mark.slow
def test_cycles_of_loops_add_up(kernels):
    machine = kernels[1].machine(1)
    for record in kernels[0]:
        kernel = record.scheduled.scheduled
        whole, each = cycles(kernel, machine), loop_cycles(kernel, machine)
        loops = [s for s in walk(kernel.body) if isinstance(s, Loop)]
        outer = sum(each[loops.index(s)] for s in kernel.body if isinstance(s, Loop) and s.run != "unroll")
        assert outer <= whole * (1 + 1e-9) and (len(kernel.body) > 1 or outer > 0.5 * whole or whole < 1000)
        for k, loop in enumerate(loops):
            inside = [j for j, other in enumerate(loops) if other is not loop and other in walk(loop.body)]
            assert not np.any(np.array(each)[inside] > max(each[k], 0) * (1 + 1e-9)) or each[k] == 0


def test_reasons_follow_steps(kernels):
    found = [r.schedule.reason_of(step) for r in kernels[0] for step in r.schedule.steps]
    assert any("registers" in reason for reason in found) and any("vector" in reason for reason in found)
    for record in kernels[0]:
        known = {step for step, _ in record.schedule.reasons}
        assert known <= {*record.schedule.steps}
