"""The peak loop runs, does the work it counts, and keeps its chains in registers. No rate is asserted."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mochac.codegen.cpu.rate_loops import UNROLL, peak_text
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.cpu.rates import PeakLoop, peak_gflops


def test_every_thread_runs_every_turn():
    loop = PeakLoop(3)
    seconds = loop.run(1000)
    m, c = 0.9990234375, 0.0009765625
    rest = m**1000
    expected = sum((k + 2) * rest + c * (1 - rest) / (1 - m) for k in range(loop.chains))
    result = loop._plan.read("result").reshape(3, 32)[:, : loop.lanes]
    np.testing.assert_allclose(result, expected, rtol=1e-4)
    assert loop._plan.used_threads == 3
    assert seconds > 0
    assert loop.flops(1000) == 2 * loop.lanes * loop.chains * 1000 * 3
    loop.close()


def test_enough_chains_of_the_widest_vectors():
    loop = PeakLoop(1)
    assert loop.chains >= 10
    assert loop.lanes * 4 == host_cpu().vector_bytes
    loop.close()


def test_gflops_is_a_rate():
    assert peak_gflops(1, seconds=0.002) > 0


@pytest.mark.skipif(compiler.arch() != "x86_64", reason="reads x86 assembly")
@pytest.mark.parametrize(
    ("cpu", "chains", "register"), [("skylake-avx512", 24, "zmm"), ("haswell", 12, "ymm"), ("x86-64", 12, "xmm")]
)
def test_the_loop_is_nothing_but_arithmetic(cpu, chains, register):
    lanes = {"zmm": 16, "ymm": 8, "xmm": 4}[register]
    text = compiler.assembly(peak_text(chains, lanes, fused=register != "xmm"), CpuInfo(cpu, "", 4 * lanes))
    (loop,) = re.findall(r"# %turn\n(.*?)\n\s*jb", text, re.DOTALL)
    code = [line.split()[0] for line in loop.splitlines() if line.strip() and not line.strip().startswith("#")]
    arithmetic = [op for op in code if op.startswith(("vfmadd", "mulps", "addps"))]
    assert len(arithmetic) == UNROLL * chains * (2 if register == "xmm" else 1)
    assert set(code) - set(arithmetic) <= {"incq", "cmpq", "addq"}
    assert f"%{register}" in loop
