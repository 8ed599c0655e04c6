"""Which backend is taken, and what is said where CUDA cannot be."""

import logging
import re

import numpy as np
import pytest
from emulated_device import use_device
from tiny_net import tiny

import mochac
from mochac import ConvolutionLayer, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.__main__ import main
from mochac.base.support import log
from mochac.codegen.cuda.target import named_target
from mochac.inspect.replay import replay
from mochac.ir.passes import choose_library
from mochac.runtime.cuda import backend as cuda_backend
from mochac.runtime.cuda import compiler, device, libraries
from mochac.runtime.cuda.libraries.library import CUDNN
from mochac.runtime.cuda.null import NullDriver


@pytest.fixture
def nothing(monkeypatch):
    monkeypatch.setattr(device, "_has_libcuda", lambda: True)
    monkeypatch.setattr(device, "installed_packages", list)
    monkeypatch.setattr(device, "_open", {})


def products():
    """A net whose convolution is a call too where calls pay: no pool reads its image."""
    layers = [
        MemoryDataLayer(name="in", data=[np.zeros((8, 3, 6, 6)), np.zeros(8)], batch_size=8, tops=["data", "label"]),
        ConvolutionLayer(name="conv", n_filter=4, kernel=3, bottoms=["data"], tops=["conv"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["conv"], tops=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    return Net("products", layers)


def test_what_is_missing_is_named(monkeypatch, nothing):
    assert "neither PyCUDA nor cuda-bindings is installed" in device.missing()
    monkeypatch.setattr(device, "installed_packages", lambda: ["pycuda"])
    monkeypatch.setattr(compiler, "find_compiler", lambda: None)
    assert "neither nvcc nor NVRTC" in device.missing()
    monkeypatch.setattr(device, "_has_libcuda", lambda: False)
    assert "libcuda.so.1" in device.missing()


def test_cuda_without_a_device_says_how_to_get_it(nothing):
    with pytest.raises(mochac.BackendError) as error:
        mochac.compile(tiny(), backend="cuda")
    text = str(error.value)
    assert text.startswith("the CUDA backend cannot run here: no package drives CUDA")
    assert "pip install 'mochac[cuda]'" in text and "nvidia-smi" in text and "docs/guide/cuda.md" in text


def test_a_package_that_does_not_load(monkeypatch, nothing):
    def broken(package, ordinal):
        raise ImportError("libcuda.so.1: wrong ELF class")

    monkeypatch.setattr(device, "missing", lambda: "")
    monkeypatch.setattr(device, "installed_packages", lambda: ["pycuda"])
    monkeypatch.setattr(device, "_opened", broken)
    with pytest.raises(mochac.BackendError, match=r"pycuda: libcuda\.so\.1: wrong ELF class"):
        mochac.compile(tiny(), backend="cuda")


@pytest.mark.parametrize(("broken", "driven"), [((), "pycuda"), (("pycuda",), "cuda-bindings")])
def test_pycuda_drives_wherever_it_imports(monkeypatch, nothing, broken, driven):
    def opened(package, ordinal):
        if package in broken:
            raise ImportError("libcuda.so.1: wrong ELF class")
        return package

    monkeypatch.setattr(device, "missing", lambda: "")
    monkeypatch.setattr(device, "installed_packages", lambda: list(device.PACKAGES))
    monkeypatch.setattr(device, "_opened", opened)
    assert device.open_driver(0) == driven


def test_auto_takes_the_cpu_where_cuda_is_not(nothing):
    with mochac.compile(tiny(), backend="auto") as program:
        assert program.session.plans.backend.name == "cpu"


@pytest.mark.parametrize(
    ("driver", "packages", "said"),
    [
        (True, [], ["backend auto: cpu (no package drives CUDA: neither PyCUDA nor cuda-bindings is installed)"]),
        (True, ["pycuda"], ["backend auto: cpu (no compiler)"]),
        (False, ["pycuda"], []),
    ],
)
def test_auto_says_what_a_driver_lacks_and_nothing_without_one(nothing, monkeypatch, caplog, driver, packages, said):
    monkeypatch.setattr(device, "_has_libcuda", lambda: driver)
    monkeypatch.setattr(device, "installed_packages", lambda: packages)
    monkeypatch.setattr(compiler, "compiler_missing", lambda: "no compiler")
    monkeypatch.setattr(log, "_logged_lines", set())
    with caplog.at_level(logging.INFO, "mochac"):
        for _ in range(2):
            mochac.compile(tiny(), backend="auto").close()
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [("INFO", line) for line in said]


def test_auto_takes_cuda_where_it_is_and_says_so_once(monkeypatch, caplog):
    use_device(monkeypatch, NullDriver())
    monkeypatch.setattr(log, "_logged_lines", set())
    with caplog.at_level(logging.INFO, "mochac"):
        for _ in range(2):
            with mochac.compile(tiny(), backend="auto") as program:
                assert program.session.plans.backend.name == "cuda"
    assert [r.getMessage() for r in caplog.records] == ["backend cuda: CUDA device 0 (null, sm_90, null)"]


def test_the_environment_decides_what_auto_means(monkeypatch):
    use_device(monkeypatch, NullDriver())
    monkeypatch.setenv("MOCHAC_BACKEND", "cpu")
    with mochac.compile(tiny()) as program:
        assert program.session.plans.backend.name == "cpu"


def test_the_environment_names_no_backend(monkeypatch):
    monkeypatch.setenv("MOCHAC_BACKEND", "foo")
    with pytest.raises(mochac.OptionError) as error:
        mochac.compile(tiny())
    assert str(error.value) == (
        "environment variable MOCHAC_BACKEND has no such setting\n  expected  auto, cpu, cuda,  got  foo"
    )


TELL = {
    "compile": mochac.compile,
    "explain": mochac.explain,
    "dump": lambda net, **how: mochac.dump(net, "never", **how),
}
NAMED = "libraries is out of range\n  expected  True, False or a list of 'cublas' and 'cudnn',  got  "


@pytest.mark.parametrize("tell", TELL)
@pytest.mark.parametrize(
    ("libraries", "says"),
    [
        ("none", NAMED + "'none'\n  hint: libraries=False generates every kernel"),
        (None, NAMED + "None\n  hint: libraries=False generates every kernel"),
        (3, NAMED + "3\n  hint: libraries=False generates every kernel"),
        (["foo"], NAMED + "['foo']\n  hint: libraries=False generates every kernel"),
        (
            ["cudnn", "cublas", "cudnn"],
            "libraries=['cublas', 'cudnn'] can only be used with cuBLAS and cuDNN\n"
            "  expected  backend=\"cuda\",  got  backend 'cpu'",
        ),
    ],
)
def test_libraries_that_cannot_be_called(tell, libraries, says):
    with pytest.raises(mochac.OptionError) as error:
        TELL[tell](tiny(), backend="cpu", libraries=libraries)
    assert str(error.value) == says


@pytest.mark.parametrize("libraries", [True, False, []])
def test_libraries_that_nobody_names_are_no_matter_of_the_cpu(libraries):
    mochac.compile(tiny(), backend="cpu", libraries=libraries).close()


@pytest.mark.parametrize("target", ["sm_70", "sm_35", "sm_95", "sm_101", "sm_90a", "sm_٩٠", "sm_"])
@pytest.mark.parametrize("tell", ["explain", "dump"])
def test_targets_that_no_code_is_made_for(tell, target):
    with pytest.raises(mochac.BackendError) as error:
        TELL[tell](tiny(), target=target)
    assert str(error.value) == (
        f"unknown CUDA target '{target}'\n  expected  compute capability 7.5 or later: sm_75, sm_80, sm_86, sm_87, "
        "sm_88, sm_89, sm_90, sm_100, sm_103, sm_110, sm_120, sm_121"
    )


@pytest.mark.parametrize("backend", ["auto", "cpu", "cuda"])
@pytest.mark.parametrize("tell", ["explain", "dump"])
def test_a_target_that_is_a_number(tell, backend):
    with pytest.raises(mochac.OptionError) as error:
        TELL[tell](tiny(), backend=backend, target=90)
    assert str(error.value) == (
        "target= takes a name\n  expected  the name of a CPU in LLVM, or a name such as 'sm_90',  got  90\n"
        "  hint: did you mean 'sm_90'?"
    )


def test_targets_of_today_and_of_tomorrow():
    named = [named_target(name) for name in ("sm_75", "sm_88", "sm_121", "sm_150")]
    assert [(t.sm, t.multiprocessors) for t in named] == [(75, 40), (88, 16), (121, 188), (150, 188)]


@pytest.mark.slow
def test_explain_and_kernels_need_no_device(nothing):
    text = mochac.explain(tiny(), backend="cuda")
    assert "backend cuda (sm_90)" in text and "blocks of" in text


@pytest.mark.slow
def test_explain_says_where_kernels_come_from_and_why(nothing, monkeypatch):
    monkeypatch.setattr(choose_library, "MIN_FLOPS", 200)
    text = mochac.explain(tiny(), backend="cuda", target="sm_80", libraries=["cublas"])
    origins = text[text.index("Where kernels come from") : text.index("\n\nFused")]
    assert text.startswith("net 'tiny', batch 4, plan 'step', backend cuda (sm_80): 108 multiprocessors\n")
    assert "  called, cublas.gemm: 200 operations and more\n    ip" in origins
    assert "  generated, rule generic as no other takes it: " in origins
    assert "  by no library: cudnn is not installed, or switched off by libraries=\n    %conv" in origins
    assert "too small for a call: 200 operations make one worthwhile\n" in origins
    kernels = re.findall(r"^    (\S+)$", text[text.index("Plan: ") : text.index("Where")], re.MULTILINE)
    assert [name for name in kernels if name not in origins] == []


@pytest.mark.slow
def test_gradients_that_are_summed_in_parts_are_told_why_no_library_computes_them(nothing):
    samples = [np.zeros((64, 3, 32, 32), np.float32), np.zeros(64, np.int64)]
    layers = [
        MemoryDataLayer(name="in", data=samples, batch_size=64, tops=["data", "label"]),
        ConvolutionLayer(name="conv", n_filter=32, kernel=(5, 5), bottoms=["data"], tops=["conv"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["conv"], tops=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    text = mochac.explain(Net("wide", layers), backend="cuda", target="sm_90", libraries=["cublas"])
    origins = text[text.index("Where kernels come from") : text.index("\n\nFused")]
    assert "conv.conv_dw+conv.filter.parts" in text
    why = re.search(r"by no library: cudnn is not installed, or switched off by libraries=\n((?:    .*\n?)*)", origins)
    assert why is not None and re.findall(r"\((\w+)\)", why[1]) == ["conv", "conv_dw"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("here", "target"),
    [
        ((), "sm_80"),
        (("cublas",), "sm_80"),
        (("cublas", "cudnn"), "sm_80"),
        ((), None),
        (("cublas", "cudnn"), None),
    ],
)
def test_calls_are_shown_whatever_is_installed_here(nothing, monkeypatch, here, target):
    """What a machine with the libraries would run; explain says which are missing here, and that they may refuse."""
    monkeypatch.setattr(choose_library, "MIN_FLOPS", 1)
    monkeypatch.setattr(libraries, "find_library", lambda name: "")
    monkeypatch.setattr(libraries, "wheel_file", lambda names: names == CUDNN or "cublas" in here)
    monkeypatch.setattr(libraries.importlib.util, "find_spec", lambda name: name != "cudnn" or "cudnn" in here or None)
    text = mochac.explain(products(), backend="cuda", target=target)
    absent = ", ".join(name for name in ("cublas", "cudnn") if name not in here)
    said = f"; not installed here: {absent}" if absent else ""
    assert "  called, cublas.gemm: 1 operations" in text and "  called, cudnn.conv_fprop: 1 operations" in text
    assert f"  cublas and cudnn: asked for each call on the machine where it runs{said}\n\n" in text
    assert "by no library" not in text and "asked for" not in mochac.explain(products(), "cuda", libraries=False)


@pytest.mark.slow
def test_a_dump_has_the_calls_of_libraries_that_are_not_here(nothing, monkeypatch, tmp_path):
    monkeypatch.setattr(choose_library, "MIN_FLOPS", 1)
    monkeypatch.setattr(cuda_backend, "installed", tuple)
    mochac.dump(products(), tmp_path / "called", backend="cuda")
    calls = (tmp_path / "called" / "plan.txt").read_text()
    assert "cublas.gemm" in calls and "cudnn.conv_wgrad" in calls
    mochac.dump(products(), tmp_path / "generated", backend="cuda", libraries=False)
    assert "cublas" not in (tmp_path / "generated" / "plan.txt").read_text()
    mochac.explain(products(), backend="cuda", precision="tf32")  # no error: somebody has the libraries


@pytest.mark.slow
def test_the_environment_names_the_device(monkeypatch):
    first, second = (device.Device(k, NullDriver()) for k in (0, 1))
    monkeypatch.setattr(device, "_open", {0: first, 1: second})
    monkeypatch.setattr(device, "missing", lambda: "")
    monkeypatch.setenv("MOCHAC_CUDA_DEVICE", "1")
    for given, taken in ((None, second), (0, first), (1, second)):
        with mochac.compile(tiny(), backend="cuda", device=given) as program:
            assert program.session.plans.backend.device is taken
    assert "CUDA device 1" in mochac.explain(tiny(), backend="cuda")
    monkeypatch.setenv("MOCHAC_CUDA_DEVICE", "one")
    with pytest.raises(mochac.OptionError) as error:
        mochac.compile(tiny())
    assert str(error.value) == (
        "environment variable MOCHAC_CUDA_DEVICE is out of range\n  expected  an integer from 0 to 1023,  got  'one'"
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", [["--backend", "cuda"], ["--target", "sm_90"]])
def test_the_command_explains_without_a_device(nothing, how, tmp_path, capsys):
    file = tmp_path / "net.py"
    file.write_text("from tiny_net import tiny\nnet = tiny()\n")
    assert main(["explain", str(file), *how, "--libraries", "none", "--dtype", "float64"]) == 0
    assert "backend cuda (sm_90): 132 multiprocessors" in capsys.readouterr().out
    assert main(["explain", str(file), *how, "--tune", "quick"]) == 1
    assert capsys.readouterr().err.startswith("OptionError: tune= times schedules on ")


@pytest.mark.slow
def test_a_device_that_is_here_is_the_one_looked_at(monkeypatch):
    use_device(monkeypatch, NullDriver())
    assert "CUDA device 0 (null, sm_90, null)" in mochac.explain(tiny(), backend="cuda")
    assert "backend cuda (sm_75)" in mochac.explain(tiny(), target="sm_75")


@pytest.mark.slow
def test_a_dump_is_replayed_as_far_as_there_is_no_device(nothing, tmp_path):
    mochac.dump(tiny(), tmp_path, target="sm_80", libraries=["cudnn"])
    report = replay(tmp_path)
    assert report.agreed and report.others[-1].stage == "scheduled"
    assert "the CUDA backend cannot run here" in replay(tmp_path, "native").others[0].fault
    (tmp_path / "module.cu").unlink()
    with pytest.raises(mochac.OptionError) as error:
        replay(tmp_path, "native")
    assert str(error.value) == f"{tmp_path}/module.cu cannot be read\n  got  No such file or directory"


@pytest.mark.slow
def test_code_of_the_other_backend_is_refused(monkeypatch):
    use_device(monkeypatch, NullDriver())
    with mochac.compile(tiny(), backend="cuda") as program:
        kernel = program.kernels[0]
        assert 'extern "C" __global__' in kernel.cuda
        with pytest.raises(mochac.OptionError, match=r"has no \.llvm"):
            kernel.llvm  # noqa: B018
    with mochac.compile(tiny(), backend="cpu") as program, pytest.raises(mochac.OptionError, match=r"has no \.cuda"):
        program.kernels[0].cuda  # noqa: B018
