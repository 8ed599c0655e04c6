"""Code for several CPUs in one library, and for other architectures."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from clib_kit import built, needs_cc
from nets import mlp, rows

import mochac
from mochac import SGD
from mochac.formats.clib.build import build
from mochac.runtime.cpu.compiler import arch
from mochac.runtime.cpu.cpuinfo import host_cpu

pytestmark = [needs_cc, pytest.mark.slow, pytest.mark.skipif(arch() != "x86_64", reason="NOT AN X86-64 HERE")]
LEVELS = {"x86-64": 16, "haswell": 32, "skylake-avx512": 64}
EXAMPLE = """
#include "mlp.h"
#include <stdio.h>
#include <stdlib.h>
static _Alignas(64) char memory[1 << 20];
int main(void) {
    static float data[48], label[8], out[16];
    double loss = 0;
    mlp *net;
    mlp_code code = mlp_init(memory, sizeof memory, &net);
    int k;
    for (k = 0; k < 48; k++) data[k] = (float)(k % 7) - 3.0f;
    for (k = 0; k < 8; k++) label[k] = (float)(k % 2);
    for (k = 0; k < 20 && code == MLP_OK; k++) code = mlp_step(net, data, label, &loss);
    if (code == MLP_OK) code = mlp_predict(net, data, 8, out);
    printf("%s %.5f %.5f\\n", mlp_text(code), loss, out[0]);
    return 0;
}
"""


def program(folder: Path, cc: str = "cc") -> Path:
    (folder / "own.c").write_text(EXAMPLE)
    command = [cc, "-std=c11", "-static", "own.c", "libmlp.a", "-pthread", "-o", "own"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "own"


def said(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("cpu", LEVELS)
def test_the_bits_of_each_cpu(cpu, tmp_path, monkeypatch):
    if LEVELS[cpu] > host_cpu().vector_bytes:
        pytest.skip(f"NO {cpu} HERE")
    net, (x, y) = mlp(), rows()
    instance = built(tmp_path / "c", net, SGD(0.1), targets=[cpu]).instance()
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    with mochac.compile(net) as python:
        python.train(SGD(0.1), max_iter=12, verbose=0)
        for k in range(12):
            instance.step(data=x[8 * k : 8 * k + 8], label=y[8 * k : 8 * k + 8])
        python.save(tmp_path / "p.safetensors")
        assert instance.save() == (tmp_path / "p.safetensors").read_bytes()
        assert np.array_equal(instance.predict((2,), data=x[:8])[0], python.predict(x[:8]))


@pytest.mark.slow
def test_the_best_code_that_a_cpu_can_run(tmp_path):
    """QEMU stands in for other CPUs."""
    if shutil.which("qemu-x86_64") is None:
        pytest.skip("NO QEMU HERE")
    build(mlp(), tmp_path / "all", SGD(0.1), targets=["haswell", "x86-64"], batches=8)
    build(mlp(), tmp_path / "new", SGD(0.1), targets=["haswell"], batches=8)
    every, new = program(tmp_path / "all"), program(tmp_path / "new")
    old = said("qemu-x86_64", "-cpu", "Nehalem", every).split()
    assert old[:2] == ["no", "error"]
    assert said("qemu-x86_64", "-cpu", "Nehalem", new).startswith("this CPU lacks instructions")
    if LEVELS["haswell"] <= host_cpu().vector_bytes:
        assert np.allclose(list(map(float, said(every).split()[2:])), list(map(float, old[2:])), atol=2e-5)


def needs(folder: Path, cc: str = "cc", nm: str = "nm") -> set[str]:
    """The functions that a library calls without its pool of threads, and that it does not have."""
    command = [cc, "-std=c99", "-O2", "-fno-stack-protector", "-c", "mlp.c", "-o", "mlp.o"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    objects = ["mlp.o", *map(str, (folder / "objects").glob("*.o"))]
    listed = subprocess.run([nm, "-g", *objects], cwd=folder, capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-2:] for line in listed.splitlines() if len(line.split()) > 1]
    return {name for kind, name in symbols if kind == "U"} - {name for kind, name in symbols if kind != "U"}


@pytest.mark.slow
def test_a_library_needs_memcpy_and_memset_alone(tmp_path):
    """With GCC for AArch64 too, which calls functions of its own for atomic operations unless it is told not to."""
    build(mlp(), tmp_path / "here", SGD(0.1), batches=8)
    assert needs(tmp_path / "here") <= {"memcpy", "memset"}
    if shutil.which("aarch64-linux-gnu-gcc"):
        build(mlp(), tmp_path / "arm", SGD(0.1), targets=["neoverse-n1"], batches=8)
        assert needs(tmp_path / "arm", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-nm") <= {"memcpy", "memset"}


@pytest.mark.slow
def test_aarch64(tmp_path):
    if not all(map(shutil.which, ("qemu-aarch64", "aarch64-linux-gnu-gcc"))):
        pytest.skip("NO CROSS COMPILER AND QEMU HERE")
    build(mlp(), tmp_path / "arm", SGD(0.1), targets=["neoverse-n1"], batches=8)
    build(mlp(), tmp_path / "here", SGD(0.1), batches=8)
    arm = said("qemu-aarch64", program(tmp_path / "arm", "aarch64-linux-gnu-gcc")).split()
    here = said(program(tmp_path / "here")).split()
    assert arm[:2] == here[:2] == ["no", "error"]
    assert np.allclose(list(map(float, arm[2:])), list(map(float, here[2:])), atol=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("precision", "levels"), [("float32", "443"), ("bfloat16", "543")])
def test_code_with_avx512_bf16_runs_only_where_that_is(precision, levels, tmp_path):
    """Other CPUs with AVX-512 take the code of the next target."""
    targets = ["znver4", "skylake-avx512", "haswell"]
    build(mlp(), tmp_path, SGD(0.1), targets=targets, batches=8, precision=precision)
    asked = re.findall(r"if \(level >= (\d)\) \{\s+return plans_\w+; /\* (\S+) \*/", (tmp_path / "mlp.c").read_text())
    assert asked == list(zip(levels, targets, strict=True))
