"""Which backend is taken, and what is said where CUDA cannot be."""

import logging
import re

import pytest
from emulated_device import use_device
from tiny_net import tiny

import mochac
from mochac.__main__ import main
from mochac.driver.replay import replay
from mochac.passes import choose_library
from mochac.runtime import log
from mochac.runtime.cuda import compiler, device
from mochac.runtime.cuda.null import NullDriver

pytest.importorskip("jinja2")


@pytest.fixture
def nothing(monkeypatch):
    monkeypatch.setattr(device, "_has_libcuda", lambda: True)
    monkeypatch.setattr(device, "_installed", list)
    monkeypatch.setattr(device, "_open", {})


def test_what_is_missing_is_named(monkeypatch, nothing):
    assert "neither PyCUDA nor cuda-bindings is installed" in device.missing()
    monkeypatch.setattr(device, "_installed", lambda: ["pycuda"])
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
    monkeypatch.setattr(device, "_installed", lambda: ["pycuda"])
    monkeypatch.setattr(device, "_opened", broken)
    with pytest.raises(mochac.BackendError, match=r"pycuda: libcuda\.so\.1: wrong ELF class"):
        mochac.compile(tiny(), backend="cuda")


def test_auto_takes_the_cpu_where_cuda_is_not(nothing):
    with mochac.compile(tiny(), backend="auto") as program:
        assert program.bank.machine.backend == "cpu"


def test_auto_takes_cuda_where_it_is_and_says_so_once(monkeypatch, caplog):
    use_device(monkeypatch, NullDriver())
    monkeypatch.setattr(log, "_told", set())
    with caplog.at_level(logging.INFO, "mochac"):
        for _ in range(2):
            with mochac.compile(tiny(), backend="auto") as program:
                assert program.bank.machine.backend == "cuda"
    assert [r.getMessage() for r in caplog.records] == ["backend cuda: CUDA device 0 (null, sm_90, null)"]


def test_the_environment_decides_what_auto_means(monkeypatch):
    use_device(monkeypatch, NullDriver())
    monkeypatch.setenv("MOCHAC_BACKEND", "cpu")
    with mochac.compile(tiny()) as program:
        assert program.bank.machine.backend == "cpu"


def test_explain_and_kernels_need_no_device(nothing):
    text = mochac.explain(tiny(), backend="cuda")
    assert "backend cuda (sm_90)" in text and "blocks of" in text


def test_explain_says_where_kernels_come_from_and_why(nothing, monkeypatch):
    monkeypatch.setattr(choose_library, "LEAST_FLOPS", 200)
    text = mochac.explain(tiny(), backend="cuda", target="sm_80", libraries=["cublas"])
    origins = text[text.index("Where kernels come from") : text.index("\n\nFused")]
    assert text.startswith("net 'tiny', batch 4, plan 'step', backend cuda (sm_80): 108 multiprocessors\n")
    assert "  called, cublas.gemm: 200 operations and more\n    ip" in origins
    assert "  generated, rule generic as no other takes it: " in origins
    assert "  by no library: cudnn is not installed, or switched off by libraries=\n    %conv" in origins
    assert "too small for a call: 200 operations pay one\n" in origins
    kernels = re.findall(r"^    (\S+)$", text[text.index("Plan: ") : text.index("Where")], re.MULTILINE)
    assert [name for name in kernels if name not in origins] == []


@pytest.mark.parametrize("how", [["--backend", "cuda"], pytest.param(["--target", "sm_90"], marks=pytest.mark.slow)])
def test_the_command_explains_without_a_device(nothing, how, tmp_path, capsys):
    file = tmp_path / "net.py"
    file.write_text("from tiny_net import tiny\nnet = tiny()\n")
    assert main(["explain", str(file), *how, "--libraries", "none", "--dtype", "float64"]) == 0
    assert "backend cuda (sm_90): 132 multiprocessors" in capsys.readouterr().out
    assert main(["explain", str(file), *how, "--tune", "quick"]) == 1
    assert capsys.readouterr().err == (
        "OptionError: tune= searches for schedules of CPU code\n  expected  backend=\"cpu\",  got  backend 'cuda'\n"
    )


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
