"""Libraries of random nets, under the sanitizers of gcc and under valgrind: their examples train and predict.

gcc's sanitizers watch the frame in C; valgrind also watches what kernels read and write beyond arrays.
"""

import shutil
import subprocess

import pytest
from clib_kit import needs_cc
from test_sanitizers import links

from mochac.base.errors import UnsupportedError
from mochac.formats.clib.build import build
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.tools.fuzzing.blocks import drawn
from mochac.tools.fuzzing.outcome import solver_of

pytestmark = [needs_cc, pytest.mark.slow]
COUNT = 4
FLAGS = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def libraries(tmp_path_factory, seeds):
    """Folders of libraries of the first nets that have one."""
    made = []
    for seed in seeds:
        case = drawn(seed)
        outputs = [b for b, kind in case.net.blobs.items() if kind.batch and b not in case.arrays][:1]
        folder = tmp_path_factory.mktemp(f"net{seed}")
        cpus = ["x86-64", "haswell"] if host_cpu().arch == "x86_64" else []
        how = {"seed": seed, "outputs": outputs, "batches": [case.batch], "name": "drawn", "targets": cpus}
        try:
            build(case.net, folder, solver_of(case), dtype=("float32", "float64")[seed % 2], **how)
        except UnsupportedError:
            continue
        made.append(folder)
        if len(made) == COUNT:
            return made
    raise AssertionError("too few nets have libraries")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return libraries(tmp_path_factory, range(5000, 5100))


def example(folder, flags):
    """Compile the example with the frame and the kernels."""
    objects = sorted(map(str, (folder / "objects").glob("*.o")))
    sources = ["example.c", "drawn.c", "drawn_threads.c", *objects]
    command = ["gcc", "-std=c99", "-I.", *flags, *sources, "-pthread", "-lm", "-o", "checked"]
    subprocess.run(command, cwd=folder, check=True)


def run(folder, *prefix):
    return subprocess.run([*prefix, "./checked"], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("number", range(COUNT))
def test_sanitizers(number, folders):
    if shutil.which("gcc") is None or not links("gcc", FLAGS, folders[number]):
        pytest.skip("NO GCC WITH SANITIZERS HERE")
    example(folders[number], FLAGS)
    done = run(folders[number])
    assert done.stderr == ""
    assert "no error" in done.stdout or "not finite" in done.stdout, done.stdout


@pytest.mark.parametrize("number", range(COUNT))
def test_valgrind(number, folders):
    if shutil.which("valgrind") is None or shutil.which("gcc") is None:
        pytest.skip("NO VALGRIND HERE")
    example(folders[number], ["-O1", "-g"])
    done = run(folders[number], "valgrind", "--error-exitcode=9", "--leak-check=full", "-q")
    assert done.returncode != 9, done.stderr[-3000:]
    assert "no error" in done.stdout or "not finite" in done.stdout, done.stdout + done.stderr[-3000:]
