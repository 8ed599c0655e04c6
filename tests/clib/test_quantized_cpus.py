"""Libraries in integers for other CPUs: the same bits, by the instructions that each has."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from clib_kit import needs_cc
from target_kit import BOARDS, array, compiled, floats, needs, said

sys.path.insert(0, str(Path(__file__).parents[1] / "quantization"))
from quantized_kit import NETS, images, interpreted, quantized

import mochac
from mochac.codegen.cpu.target import CpuTarget
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.cpuinfo import named_cpu
from mochac.runtime.data.params import Params
from mochac.training.session.net_parameters import make_parameters

PROGRAM = """
#include "own.h"
#include <stdio.h>
static _Alignas(64) char memory[1 << 20];
static float data[{n} * OWN_ELEMS_DATA], out[{n} * OWN_ELEMS_OUT];
int main(void) {{
    own *net;
    if (fread(data, 1, sizeof data, stdin) != sizeof data) return 3;
    if (own_init(memory, sizeof memory, &net) || own_predict(net, data, {n}, out)) return 1;
    return fwrite(out, 1, sizeof out, stdout) != sizeof out;
}}
"""
INSTRUCTIONS = {"sapphirerapids": "vpdpbusd", "haswell": "vpmaddwd", "x86-64": "pmaddwd", "neoverse-n1": "sdot"}


def build(folder: Path, name: str, cpu: str, **how) -> None:
    net, params = NETS[name](), Params()
    make_parameters(net, params, "float32", 3)
    mochac.build(net, folder, outputs="out", params=params, quantize="data layers", targets=[cpu], name="own", **how)


@needs_cc
@pytest.mark.slow
@pytest.mark.parametrize("name", ["lenet", "residual"])
@pytest.mark.parametrize("cpu", ["neoverse-n1", "cortex-a72"])
def test_aarch64_has_the_interpreters_bits(cpu, name, tmp_path):
    if not all(map(shutil.which, ("qemu-aarch64", "aarch64-linux-gnu-gcc"))):
        pytest.skip("NO QEMU OR COMPILER FOR AARCH64 HERE")
    build(tmp_path, name, cpu, threads=False)
    made = quantized(NETS[name](), products="sdot")
    x = images(made.quantized.net.blobs["data"].shape[1:], 6, seed=4)
    (tmp_path / "run.c").write_text(PROGRAM.format(n=len(x)))
    command = ["aarch64-linux-gnu-gcc", "-std=c11", "-static", "run.c", "libown.a", "-o", "run"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(["qemu-aarch64", tmp_path / "run"], input=x.tobytes(), capture_output=True, check=True)
    assert (np.frombuffer(done.stdout, np.float32).reshape(len(x), -1) == interpreted(made, {"data": x})).all()


@needs_cc
@pytest.mark.slow
def test_x86_64_without_avx_has_the_interpreters_bits(tmp_path):
    if shutil.which("qemu-x86_64") is None:
        pytest.skip("NO QEMU HERE")
    build(tmp_path, "residual", "x86-64", threads=False)
    made = quantized(NETS["residual"]())
    x = images((3, 9, 7), 6, seed=4)
    (tmp_path / "run.c").write_text(PROGRAM.format(n=len(x)))
    subprocess.run(["cc", "-std=c11", "-static", "run.c", "libown.a", "-o", "run"], cwd=tmp_path, check=True)
    command = ["qemu-x86_64", "-cpu", "Nehalem", tmp_path / "run"]
    done = subprocess.run(command, input=x.tobytes(), capture_output=True, check=True)
    assert (np.frombuffer(done.stdout, np.float32).reshape(len(x), -1) == interpreted(made, {"data": x})).all()


@pytest.mark.slow
@pytest.mark.parametrize("cpu", INSTRUCTIONS)
def test_products_of_bytes_use_the_instructions_of_a_cpu(cpu, tmp_path):
    build(tmp_path, "residual", cpu, dump=True)
    assembly = "".join(path.read_text() for path in (tmp_path / "dump").glob("**/*.s"))
    assert re.search(rf"\b{INSTRUCTIONS[cpu]}\b", assembly)
    slow = r"\b(imul|mul)\s.*\n.*\badd" if cpu.startswith("neo") else r"\bvpmulld\b.*\n.*\bvpmulld\b.*\n.*\bvpmulld\b"
    assert not re.search(slow, assembly)


ON_BOARDS = """
static unsigned char memory[OWN_BYTES] __attribute__((aligned(OWN_ALIGNMENT)));
int main(void) {
    static float out[2 * OWN_ELEMS_OUT];
    own *net;
    if (own_init(memory, sizeof memory, &net) != OWN_OK) { fail("init"); }
    if (own_predict(net, data, 2, out) != OWN_OK) { fail("predict"); }
    say_floats(out, 2 * OWN_ELEMS_OUT);
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lenet", "residual"])
@pytest.mark.parametrize("target", BOARDS)
def test_boards_have_the_interpreters_bits(target, name, tmp_path):
    needs(target)
    build(tmp_path, name, target, threads=False, batches=1)
    made = quantized(NETS[name](), products="")
    x = images(made.quantized.net.blobs["data"].shape[1:], 2, seed=4)
    program = compiled(target, tmp_path, "own", array("data", x) + ON_BOARDS)
    assert (floats(said(target, program)).reshape(2, -1) == interpreted(made, {"data": x})).all()


CPUS = {
    "znver4": "vnni", "znver3": "madd", "neoverse-n1": "sdot", "cortex-a72": "", "cortex-m4": "smlad", "cortex-m55": "",
}  # fmt: skip


@pytest.mark.slow
def test_which_instructions_cpus_have():
    found = {name: target_of(named_cpu(name)).dots[0] for name in CPUS}
    assert found == CPUS
    assert CpuTarget().dots == ("madd", 64)
