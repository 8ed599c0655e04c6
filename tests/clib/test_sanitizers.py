"""The C library under the sanitizers of a compiler, and under valgrind."""

import shutil
import subprocess
from pathlib import Path

import pytest
from clib_kit import needs_cc
from nets import mlp

from mochac import Adam, LRPolicy
from mochac.formats.clib.build import build
from mochac.runtime.cpu.cpuinfo import host_cpu

pytestmark = [needs_cc, pytest.mark.slow]
EXERCISE = Path(__file__).with_name("exercise.c")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A library with code that valgrind knows."""
    made = tmp_path_factory.mktemp("mlp")
    cpus = ["x86-64", "haswell"] if host_cpu().arch == "x86_64" else []
    build(mlp(), made, Adam(LRPolicy.Cosine(0.01, 100)), targets=cpus, batches=(4, 8))
    return made


def run(folder: Path, compiler: str, flags: list[str], *prefix: str) -> subprocess.CompletedProcess:
    objects = sorted(map(str, (folder / "objects").glob("*.o")))
    sources = [str(EXERCISE), "mlp.c", "mlp_threads.c", *objects]
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
