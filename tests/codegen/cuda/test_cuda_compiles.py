"""Every generated source compiles: all op samples in f32 or f64, and the kernels of whole training steps, by nvcc and
by NVRTC, without a warning. Soaks have both types, and another architecture.

The emulator's g++ compiles those samples in f64 that are in f32 here (test_ops_emulated.py), and the other way round.
"""

import re
import shutil
import subprocess
from functools import cache
from itertools import product

import pytest
from codegen.cuda.cuda_kernels import NAMES, ON_DEVICES, SMALL, TARGET, case_kernels, in_turns, natural, sample_kernels

from mochac.base.escaping import template
from mochac.codegen.cuda.module import print_module
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.op import OPS
from mochac.runtime.cuda.compiler import find_nvrtc, loaded

FLAGS = ["-fmad=false", "-ftz=true", "-prec-div=true", "-prec-sqrt=true"]
UNOPTIMIZED = ["-Xcicc", "-O0", "-Xptxas", "-O0"]
"""nvcc has a front end of its own; behind it is the optimizer of NVRTC, which takes three times as long as the rest."""
FRONT_END = ["--gpu-architecture=compute_90", "--device-debug"]
"""NVRTC's warnings come from its front end, which takes a tenth of the time that optimizer and assembler take."""
ARCHS = ("sm_80", "sm_90")
SAMPLED = 8
pytestmark = pytest.mark.slow


SOAK = pytest.mark.soak


@cache
def kernels(both):
    """Samples and cases in one type or the other, or in both."""
    samples = {op: [k for k in range(len(OPS[op].samples)) if natural(op, k)] for op in ON_DEVICES}
    picked = [(op, k, dtype) for op, ks in samples.items() for k, dtype in turns(ks, both)]
    found = [p for op, k, dtype in picked for p in sample_kernels(op, k, dtype, TARGET)]
    found += [p for k, dtype in turns(range(len(NAMES)), both) for p in case_kernels(NAMES[k], dtype, SMALL)]
    return [p.code for p in found]


def turns(numbers, both):
    return [*product(numbers, ("f32", "f64"))] if both else in_turns(numbers, 0, "f32", "f64")


@cache
def source(both):
    return print_module(kernels(both), TARGET)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="NO nvcc: generated CUDA C is not compiled")
@pytest.mark.parametrize(("arch", "both"), [("sm_80", False), *(pytest.param(a, True, marks=SOAK) for a in ARCHS)])
def test_nvcc(arch, both, tmp_path):
    (tmp_path / "all.cu").write_text(source(both))
    command = [
        "nvcc",
        "-cubin",
        f"-arch={arch}",
        *FLAGS,
        *UNOPTIMIZED,
        "-o",
        str(tmp_path / "all.cubin"),
        str(tmp_path / "all.cu"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.slow
def test_kernels_that_begin_early():
    """Both instructions are there, in every function; the chain that is timed on a device compiles as well."""
    found = find_nvrtc()
    if found is None:
        pytest.skip("NO NVRTC: kernels that begin early are not compiled by it")
    target = CudaTarget(90, early=True)
    kernels = [p for name in ("relu", "reduce_sum", "inner_product") for p in case_kernels(name, "f32", target)]
    texts = [print_module([k.code for k in kernels], target), template("cuda/early_gain.cu.j2").render()]
    for text in texts:
        ptx, log = loaded(found.path).compile(text, ("--gpu-architecture=compute_90", *FLAGS), "ptx")
        assert not re.search("warning|error", log), log
        for entry in ptx.decode().split(".entry")[1:]:
            assert entry.index("griddepcontrol.launch_dependents") < entry.index("griddepcontrol.wait")
            accesses = [m.start() for m in re.finditer(r"(ld|st)\.global", entry)]
            assert accesses and entry.index("griddepcontrol.wait") < min(accesses)
            assert "ld.global.nc" not in entry  # through a cache that does not see what the kernel before writes


@pytest.fixture(scope="module")
def nvrtc():
    found = find_nvrtc()
    if found is None:
        pytest.skip("NO NVRTC: generated CUDA C is not compiled by it")
    return loaded(found.path)


@pytest.mark.slow
@pytest.mark.parametrize("both", [False, pytest.param(True, marks=SOAK)])
def test_nvrtc(nvrtc, both):
    """All kernels, up to unoptimized PTX."""
    _, log = nvrtc.compile(source(both), (*FRONT_END, *FLAGS), "ptx")
    assert not re.search("warning|error", log), log


@pytest.mark.slow
@pytest.mark.parametrize(("both", "every"), [(False, SAMPLED // 2), pytest.param(True, 1, marks=SOAK)])
def test_nvrtc_makes_machine_code(nvrtc, both, every):
    _, log = nvrtc.compile(print_module(kernels(both)[::every], TARGET), ("--gpu-architecture=sm_90", *FLAGS))
    assert not re.search("warning|error", log), log
