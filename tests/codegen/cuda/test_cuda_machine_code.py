"""The inner loops of generated products and convolutions, as nvcc compiles them: mostly multiply-adds, operands read
from shared memory in vectors, nothing spilled.

Counts of instructions, so no device is needed. LeNet's shapes at batch 64, for an H100.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from functools import lru_cache
from itertools import pairwise

import pytest
from codegen.cuda.cuda_kernels import pooled
from codegen.kernels import CONV, op_graph

from mochac.codegen.cuda.module import print_kernel, print_module
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("nvcc") is None, reason="NO nvcc: machine code of CUDA kernels is not looked at"),
]
H100 = CudaTarget(90, multiprocessors=132)
FLAGS = ["-arch=sm_90", "-fmad=false", "-ftz=true", "-prec-div=true", "-prec-sqrt=true"]
KERNELS = {
    "conv1": ("conv", ("f32[b64,1,28,28]", "f32[20,1,5,5]", "f32[20]"), CONV),
    "conv2": ("conv", ("f32[b64,20,12,12]", "f32[50,20,5,5]", "f32[50]"), CONV),
    "conv2_dx": ("conv_dx", ("f32[b64,50,8,8]", "f32[50,20,5,5]"), {**CONV, "shape": (64, 20, 12, 12)}),
    "ip1": ("inner_product", ("f32[b64,800]", "f32[500,800]", "f32[500]"), {}),
    "ip1_dx": ("inner_product_dx", ("f32[b64,500]", "f32[500,800]"), {}),
    "ip1_dw": ("inner_product_dw", ("f32[b64,800]", "f32[b64,500]"), {}),
}
LEAST = {"conv1": 0.7, "conv2": 0.75, "conv2_dx": 0.65, "ip1": 0.5, "ip1_dx": 0.65, "ip1_dw": 0.5}
"""Of the instructions of the loop, multiply-adds; copies of short panels weigh more."""


@lru_cache(maxsize=1)
def source() -> str:
    codes = []
    for name, (op, types, attrs) in KERNELS.items():
        graph = op_graph(op, types, **attrs)
        for kernel in to_kernels(fuse(pooled(graph) if name in ("conv1", "conv2") else graph)):
            kernel = kernel.with_(name=name)
            codes.append(print_kernel(apply(choose(kernel, H100), kernel), H100))
    return print_module(codes, H100)


@lru_cache(maxsize=1)
def compiled(folder: str) -> str:
    """PTX, as nvcc makes it of the source."""
    with open(f"{folder}/in.cu", "w") as file:
        file.write(source())
    subprocess.run(["nvcc", "-ptx", *FLAGS, "-o", f"{folder}/in.ptx", f"{folder}/in.cu"], check=True)
    with open(f"{folder}/in.ptx") as file:
        return file.read()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return str(tmp_path_factory.mktemp("machine_code"))


def busiest(ptx: str, name: str) -> Counter[str]:
    """Instructions of the straight piece of a kernel with most multiply-adds."""
    body = re.search(rf"\.entry mochac_{name}\((?:.|\n)*?\n}}", ptx)
    assert body is not None
    marks = [m.start() for m in re.finditer(r"\n\$L__BB|\n\s+(@%p\d+ )?bra|\n\s+bar\.sync", body[0])]
    pieces = [body[0][a:b] for a, b in pairwise([0, *marks, len(body[0])])]
    found = [Counter(re.findall(r"\n\s+([a-z][\w.]*)", piece)) for piece in pieces]
    return max(found, key=lambda c: c["fma.rn.ftz.f32"])


@pytest.mark.slow
@pytest.mark.parametrize("name", list(KERNELS))
def test_loops_multiply(name, folder):
    found = busiest(compiled(folder), name)
    loads = sum(n for text, n in found.items() if text.startswith("ld.shared"))
    assert found["fma.rn.ftz.f32"] >= LEAST[name] * found.total()
    assert found["fma.rn.ftz.f32"] >= 4 * loads
    assert found["ld.shared.v4.f32"] > 0
    assert not [text for text in found if ".local" in text]


@pytest.mark.slow
def test_nothing_is_spilled(folder):
    assert compiled(folder)
    command = ["nvcc", "-cubin", *FLAGS, "-Xptxas", "-v", "-o", f"{folder}/out", f"{folder}/in.ptx"]
    remarks = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert remarks.count("Compiling entry function") == len(KERNELS)
    assert remarks.count("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads") == len(KERNELS)
