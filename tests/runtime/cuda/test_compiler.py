"""Which compiler makes cubins, under which key, and what it says of code that it refuses."""

import pytest
from fake_driver import run_script
from skips import needs_gxx

from mochac.base.errors import BackendError, InternalError
from mochac.base.files.cache import Cache
from mochac.runtime.cuda import compiler
from mochac.runtime.cuda.compiler import (
    CompileFailed,
    Compiler,
    compile_cubin,
    compile_ptx,
    find_compiler,
    resource_use,
)


@pytest.fixture(autouse=True)
def _asked_anew():
    find_compiler.cache_clear()
    yield
    find_compiler.cache_clear()


@pytest.fixture
def both(monkeypatch):
    """NVRTC and nvcc of CUDA 13, without a driver."""
    made = {name: Compiler(name, "1", 13, lambda source, flags, form: (b"cubin", "")) for name in ("NVRTC", "nvcc")}
    monkeypatch.setattr(compiler, "_found_nvrtc", lambda: made["NVRTC"])
    monkeypatch.setattr(compiler, "_found_nvcc", lambda: made["nvcc"])
    monkeypatch.setattr(compiler, "_driver_major", lambda: None)
    return made


def test_nvrtc_comes_first(both):
    assert find_compiler() is both["NVRTC"]


def test_the_environment_names_another(both, monkeypatch):
    monkeypatch.setenv("MOCHAC_CUDA_COMPILER", "nvcc")
    assert find_compiler() is both["nvcc"]


def test_cubins_are_not_newer_than_the_driver(both, monkeypatch):
    monkeypatch.setattr(compiler, "_driver_major", lambda: 12)
    assert find_compiler() is both["NVRTC"]  # the driver will say what it thinks of that
    older = Compiler("nvcc", "1", 12, both["nvcc"].run)
    monkeypatch.setattr(compiler, "_found_nvcc", lambda: older)
    find_compiler.cache_clear()
    assert find_compiler() is older


def test_no_compiler_says_how_to_get_one(monkeypatch):
    monkeypatch.setattr(compiler, "_compilers", lambda wanted: iter(()))
    with pytest.raises(BackendError) as error:
        compile_cubin("", "sm_90")
    assert str(error.value) == (
        "no CUDA compiler: neither nvcc nor NVRTC is there\n"
        "  hint: pip install nvidia-cuda-nvrtc, or put the nvcc of a CUDA toolkit on PATH"
    )


def test_nvrtc_is_not_loaded_for_a_cubin_of_the_cache(monkeypatch, tmp_path):
    def must_not(path):
        raise AssertionError("loaded")

    library = tmp_path / "nvidia/cu13/lib/libnvrtc.so.13"
    library.parent.mkdir(parents=True)
    library.write_text("no library")
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    monkeypatch.setattr(compiler, "loaded", must_not)
    found = find_compiler()
    assert found is not None and (found.name, found.major) == ("NVRTC", 13)
    cache = Cache(tmp_path / "cache")
    with pytest.raises(AssertionError, match="loaded"):
        compile_cubin("source", "sm_90", cache)
    monkeypatch.setattr(compiler, "find_compiler", lambda: Compiler("NVRTC", found.version, 13, lambda *a: (b"x", "")))
    assert compile_cubin("source", "sm_90", cache) == b"x"
    monkeypatch.setattr(compiler, "find_compiler", lambda: found)
    assert compile_cubin("source", "sm_90", cache) == b"x"
    for other in (("source ", "sm_90"), ("source", "sm_80")):
        with pytest.raises(AssertionError, match="loaded"):
            compile_cubin(*other, cache)


def test_functions_are_split_by_compilers_that_can():
    assert compiler._split((12, 0)) == () and compiler._split((13, 0)) == (compiler.SPLIT,)


def test_refused_code_is_shown(monkeypatch):
    def refuse(source, flags, form):
        raise CompileFailed('module.cu(2): error: identifier "y" is undefined')

    monkeypatch.setattr(compiler, "find_compiler", lambda: Compiler("NVRTC", "1", 13, refuse))
    with pytest.raises(InternalError) as error:
        compile_cubin("int x;\n  y = 3;\n", "sm_90")
    assert str(error.value).startswith(
        'NVRTC refuses generated code for sm_90\n  line 2: y = 3;\n  identifier "y" is undefined'
    )


@pytest.mark.parametrize("remark", ["nvcc fatal   : Unsupported gpu architecture 'sm_130'",
                                    "nvrtc: error: invalid value for --gpu-architecture (-arch)"])  # fmt: skip
def test_an_unknown_device_is_the_users_concern(monkeypatch, remark):
    def refuse(source, flags, form):
        raise CompileFailed(remark)

    monkeypatch.setattr(compiler, "find_compiler", lambda: Compiler("nvcc", "1", 13, refuse))
    with pytest.raises(BackendError, match="nvcc does not know sm_130"):
        compile_cubin("", "sm_130")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nvrtc", "nvcc"])
def test_what_a_kernel_takes(monkeypatch, name):
    monkeypatch.setenv("MOCHAC_CUDA_COMPILER", name)
    found = find_compiler()
    if found is None:
        pytest.skip(f"NO {name}: nothing is compiled by it")
    text = 'extern "C" __global__ void f(float* x) { __shared__ float s[64]; s[threadIdx.x] = x[threadIdx.x];' + (
        " __syncthreads(); x[threadIdx.x] = s[63 - threadIdx.x]; }"
    )
    took = resource_use(text, "sm_90")["f"]
    assert took.registers > 0 and (took.shared_bytes, took.spill_bytes) == (256, 0)
    assert ".visible .entry f(" in compile_ptx(text, "sm_90")


WARM = """
import sys
sys.path[:0] = [sys.argv[1]]
import mochac
from tiny_net import tiny
with mochac.compile(tiny(), backend="cuda") as program:
    program.train(mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.1)), max_iter=2)
parts = ("lowering.pipeline", "codegen.cuda.module", "ir.passes.fuse")
loaded = sys.modules["mochac.runtime.cuda.compiler"].loaded.cache_info().currsize
print([part for part in parts if f"mochac.{part}" in sys.modules] + ["NVRTC"] * loaded)
"""


@needs_gxx
@pytest.mark.slow
def test_a_warm_start_lowers_and_compiles_nothing(pytestconfig, tmp_path):
    helpers = str(pytestconfig.rootpath / "tests" / "session")
    first, second = (run_script(WARM, helpers, MOCHAC_CACHE_DIR=str(tmp_path)) for _ in "ab")
    assert "lowering.pipeline" in first and second.endswith("\n[]\n")
