"""The C library under the sanitizers of a compiler, and under valgrind."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from clib_kit import needs_cc
from nets import mlp

from mochac import (
    SGD,
    Adam,
    InnerProductLayer,
    LRPolicy,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    SoftmaxLossLayer,
)
from mochac.formats.clib.build import build
from mochac.runtime.cpu.cpuinfo import host_cpu

pytestmark = [needs_cc, pytest.mark.slow]
EXERCISE = Path(__file__).with_name("exercise.c")
EXERCISE_THREADS = Path(__file__).with_name("exercise_threads.c")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A library with code that valgrind knows."""
    made = tmp_path_factory.mktemp("mlp")
    cpus = ["x86-64", "haswell"] if host_cpu().arch == "x86_64" else []
    build(mlp(), made, Adam(LRPolicy.Cosine(0.01, 100)), targets=cpus, batches=(4, 8))
    return made


def run(
    folder: Path, compiler: str, flags: list[str], *prefix: str, exercise: Path = EXERCISE, name: str = "mlp"
) -> subprocess.CompletedProcess:
    objects = sorted(map(str, (folder / "objects").glob("*.o")))
    sources = [str(exercise), f"{name}.c", f"{name}_threads.c", *objects]
    command = [compiler, "-std=c99", "-g", "-I.", *flags, *sources, "-pthread", "-o", "exercise"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([*prefix, "./exercise"], cwd=folder, capture_output=True, text=True, check=False)


def links(compiler: str, flags: list[str], folder: Path) -> bool:
    """Whether the compiler has the libraries of its sanitizers."""
    (folder / "empty.c").write_text("int main(void) { return 0; }\n")
    command = [compiler, *flags, "empty.c", "-o", "empty"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_address_and_undefined_behaviour(compiler, folder):
    flags = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    if shutil.which(compiler) is None or not links(compiler, flags, folder):
        pytest.skip(f"NO {compiler.upper()} WITH SANITIZERS HERE")
    done = run(folder, compiler, flags)
    assert (done.stdout, done.stderr) == ("done 0.125\n", "")


@pytest.mark.slow
def test_valgrind(folder):
    if shutil.which("valgrind") is None:
        pytest.skip("NO VALGRIND HERE")
    done = run(folder, "cc", ["-O1"], "valgrind", "--error-exitcode=9", "--leak-check=full", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "done 0.125\n", "")


def deep() -> Net:
    """Layers that several threads share, one of them in a loop over time."""
    arrays = [np.zeros((64, 20, 32), np.float32), np.zeros(64, np.float32)]
    return Net(
        "deep",
        [
            MemoryDataLayer(name="in", data=arrays, batch_size=64, tops=["data", "label"]),
            LSTMLayer(name="read", bottoms=["data"], tops=["read"], output_dim=128),
            InnerProductLayer(name="a", bottoms=["read"], tops=["a"], output_dim=300, neuron=Neurons.ReLU()),
            InnerProductLayer(name="b", bottoms=["a"], tops=["b"], output_dim=10),
            SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
        ],
    )


@pytest.mark.slow
def test_threads_race_for_nothing(tmp_path):
    """The frame and the pool; kernels are machine code already, so that their accesses are not seen."""
    flags = ["-O1", "-fsanitize=thread"]
    build(deep(), tmp_path, SGD(0.01))
    if shutil.which("gcc") is None or not links("gcc", flags, tmp_path):
        pytest.skip("NO GCC WITH A THREAD SANITIZER HERE")
    done = run(tmp_path, "gcc", flags, exercise=EXERCISE_THREADS, name="deep")
    assert (done.stdout, done.stderr) == ("same\n", "")
