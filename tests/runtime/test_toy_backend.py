"""A backend of a user's own: what its class does not say is the default of runtime/backend.py, and nets run on it."""

import logging

import numpy as np
import pytest
import toy_backend  # noqa: F401 - registers it
from tiny_net import tiny

import mochac
from mochac import SGD, Adam
from mochac.base.options import CompileOptions, Options
from mochac.inspect.replay import replay
from mochac.lowering.backends import open_backend
from mochac.runtime.backend import BACKENDS


@pytest.fixture
def programs():
    """The same net on the toy and on a CPU."""
    with mochac.compile(tiny(), backend="toy") as toy, mochac.compile(tiny(), backend="cpu") as cpu:
        yield toy, cpu


def registered():
    """The class that programs get: pytest imports toy_backend.py once more, to look for doctests in it."""
    return BACKENDS["toy"]


def near(a, b):
    np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)


def same_parameters(toy, cpu):
    for key in cpu.params:
        for name in cpu.params[key]:
            near(toy.params[key][name][...], cpu.params[key][name][...])


ADAM = pytest.param(Adam(0.01), marks=pytest.mark.slow, id="adam")


@pytest.mark.slow
@pytest.mark.parametrize("method", [pytest.param(SGD(0.1, momentum=0.9), id="sgd"), ADAM])
def test_it_trains_as_a_cpu_does(programs, method):
    for program in programs:
        program.train(method, max_iter=5, verbose=0)
    same_parameters(*programs)


@pytest.mark.slow
def test_it_evaluates_and_predicts_as_a_cpu_does(programs):
    toy, cpu = programs
    assert toy.evaluate().keys() == cpu.evaluate().keys()
    near(list(toy.evaluate().values()), list(cpu.evaluate().values()))
    x = np.random.default_rng(3).normal(size=(11, 1, 6, 6))
    near(toy.predict(x), cpu.predict(x))
    near(toy.predict(x[:1]), cpu.predict(x[:1]))


@pytest.mark.slow
def test_blobs_and_gradients_are_those_of_a_cpu(programs):
    toy, cpu = programs
    near(toy.forward(), cpu.forward())
    for program in programs:
        program.backward()
    for blob in cpu.blobs:
        near(toy.blobs[blob], cpu.blobs[blob])
    for key in cpu.grads:
        for name in cpu.grads[key]:
            near(toy.grads[key][name], cpu.grads[key][name])


def test_float64_is_nothing_special():
    with mochac.compile(tiny(), backend="toy", dtype="float64") as toy, mochac.compile(tiny(), dtype="float64") as cpu:
        near(toy.forward(), cpu.forward())


def test_programs_of_two_backends_share_parameters(programs):
    _, cpu = programs
    with mochac.compile(tiny(), backend="toy", params=cpu.params) as toy:
        toy.train(SGD(0.1), max_iter=2, verbose=0)
        near(toy.evaluate()["end"], cpu.evaluate()["end"])


def test_a_plan_is_compiled_once(monkeypatch):
    compiled = []
    monkeypatch.setattr(registered(), "versions", ("toy once",))
    monkeypatch.setattr(registered(), "compile", lambda self, text: compiled.append(text) or text.encode())
    for _ in range(2):
        with mochac.compile(tiny(), backend="toy") as toy:
            toy.evaluate()
    assert len(compiled) == 1


def test_explain_says_what_every_backend_says(programs):
    toy, _ = programs
    text = toy.explain()
    assert text.startswith("net 'tiny', batch 4, plan 'step', backend toy (4 lanes), 4 lanes of f32\n")
    assert "schedule as lowered, by rule" in text
    assert "scratch" not in text and "Where kernels come from" not in text
    shown = mochac.explain(tiny(), backend="toy")
    assert shown.partition("Compile time")[0] == text.partition("Compile time")[0]


def test_kernels_have_the_forms_of_code_that_it_names(programs):
    kernel = programs[0].kernels[0]
    assert kernel.code("toy").startswith("kernel @")
    with pytest.raises(mochac.OptionError) as caught:
        kernel.llvm  # noqa: B018
    assert str(caught.value) == f"kernel {kernel.name!r} of backend 'toy' has no .llvm\n  hint: its code is in .toy"


@pytest.mark.slow
def test_a_dump_is_replayed_on_it(programs, tmp_path):
    programs[0].dump(tmp_path)
    first = next((tmp_path / "kernels").glob("00-*.toy")).read_text()
    assert first.startswith("# kernel ") and "\n\nkernel @" in first
    readme = (tmp_path / "README.txt").read_text()
    assert readme.startswith("mochac dump of plan 'step' for toy 4 lanes\n") and ".toy" in readme
    report = replay(tmp_path)
    assert report.agreed and report.others[-1].stage == "native"
    mochac.dump(tiny(), tmp_path, backend="cpu")  # replaces all files of the other dump
    assert not list(tmp_path.rglob("*.toy"))


@pytest.mark.slow
def test_its_kernels_are_timed(programs):
    profile = programs[0].profile(3)
    assert [row.kernel for row in profile.rows] == [kernel.name for kernel in programs[0].kernels]
    assert "GFLOP/s that the toy is said to reach" in str(profile)


def test_a_backend_need_not_measure_anything(programs, monkeypatch):
    monkeypatch.delattr(registered(), "peak")
    with pytest.raises(mochac.BackendError) as caught:
        programs[0].profile(1)
    assert str(caught.value) == "backend 'toy' has no measured peak to compare kernels with"


@pytest.mark.parametrize(
    ("options", "rule", "takes"),
    [
        ({"tune": "quick"}, "tune= searches for schedules of CPU and CUDA code", 'cpu" or backend="cuda'),
        ({"libraries": ["cudnn"]}, "libraries=['cudnn'] can only be used with cuBLAS and cuDNN", "cuda"),
        ({"precision": "tf32"}, "precision='tf32' can only be used with cuBLAS and cuDNN", "cuda"),
        ({"deterministic": False}, "deterministic=False can only be used with cuBLAS and cuDNN", "cuda"),
    ],
)
def test_options_of_other_backends_are_refused(options, rule, takes):
    with pytest.raises(mochac.OptionError) as caught:
        mochac.compile(tiny(), backend="toy", **options)
    assert str(caught.value) == f"{rule}\n  expected  backend=\"{takes}\",  got  backend 'toy'"


def test_it_is_taken_by_name_only(monkeypatch, caplog):
    assert list(BACKENDS) == ["cpu", "cuda"]
    monkeypatch.setattr(registered(), "precedence", 9)
    with caplog.at_level(logging.DEBUG, "mochac"):
        assert open_backend(CompileOptions(backend="auto"), Options(), run=True).name != "toy"
    monkeypatch.setenv("MOCHAC_BACKEND", "toy")
    with mochac.compile(tiny()) as program:
        assert program.session.plans.backend.name == "toy"


def test_one_that_is_missing_says_why(monkeypatch):
    def nowhere(options, env, run):
        raise mochac.BackendError("the toy is lost")

    monkeypatch.setattr(registered(), "open", nowhere)
    with pytest.raises(mochac.BackendError, match="the toy is lost"):
        mochac.compile(tiny(), backend="toy")
