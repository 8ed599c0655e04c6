"""What all tests share: their own compile cache, so that no test depends on what another run left behind."""

from __future__ import annotations

import gc
import logging
import math
import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

TESTS = Path(__file__).parent
sys.path[:0] = [str(folder) for folder in (TESTS, *sorted(TESTS.rglob("*"))) if folder.is_dir()]  # helpers beside tests


FOLDERS = {"MOCHAC_CACHE_DIR": "compile-cache", "MOCHAC_EMULATOR_DIR": "cuda-emulator"}


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory):
    """Fresh folders of this run, all workers' together, for compiled plans and for what the CUDA emulator compiles; a
    name given outside is kept."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    mine = {name: str(base / folder) for name, folder in FOLDERS.items() if name not in os.environ}
    os.environ.update(mine)
    yield
    for name in mine:
        del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def _unhurried():
    """What a training says of itself does not depend on how long it took, or how long its reader was held up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mochac.training.loop.progress.LINE_EVERY_S", math.inf)
        patch.setattr("mochac.training.loop.progress.REPORTED_S", math.inf)
        patch.setattr("mochac.training.loop.progress.SLOW_INPUT_S", math.inf)
        yield


@pytest.fixture(scope="session", autouse=True)
def _hasty():
    """What explain and profile measure of the machine is measured in a hurry, its memory not at all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mochac.runtime.cpu.rates.BURST_S", 0.0005)
        patch.setattr("mochac.runtime.cpu.rates.BURST_BYTES", 1 << 18)
        patch.setattr("mochac.runtime.cpu.rates.MAX_BYTES", 0)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_compile_workers():
    """No process compiles beside the tests' own: all CPUs are busy with tests, and to start one takes as long as to
    compile ten kernels. Tests of these processes, and programs that tests start, have them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mochac.runtime.cpu.kernel_objects.KERNELS_PER_WORKER", sys.maxsize)
        yield


@pytest.fixture
def eager_threads():
    """Python switches between threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def compile_for(monkeypatch):
    """A function that makes the test compile for a named CPU; the test is skipped where such code cannot run."""
    from mochac.runtime.cpu.cpuinfo import host_cpu, named_cpu

    def chosen(cpu: str) -> None:
        if named_cpu(cpu).vector_bytes > host_cpu().vector_bytes:
            pytest.skip(f"NO {cpu} HERE")
        monkeypatch.setenv("MOCHAC_CPU", cpu)

    return chosen


@pytest.fixture(autouse=True)
def _log():
    """Every test begins with mochac's log as `import mochac` leaves it, whatever earlier tests in the process did."""
    log = logging.getLogger("mochac")
    log.setLevel(logging.NOTSET)
    yield
    log.setLevel(logging.NOTSET)


def pytest_collection(session):
    """Thousands of tests are made and none is garbage: looking for some took half of the time."""
    gc.disable()


def pytest_collection_finish(session):
    """From here on garbage is looked for among what tests make."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item, nextitem):
    """What the tests of a file leave alive is not looked through again and again in the files behind it."""
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What a soak is slow, too. Cases under `sampled(check, test)` are slow but for every `check`th, and soaks but for
    every `test`th of these."""
    cases: Counter[str] = Counter()
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled is not None:
            name = item.nodeid.partition("[")[0]
            number, check = cases[name], sampled.args[0]
            cases[name] += 1
            if not check or number % check:
                item.add_marker("soak" if number % sampled.kwargs.get("test", 1) else "slow")
        if item.get_closest_marker("soak"):
            item.add_marker("slow")


def pytest_terminal_summary(terminalreporter):
    """What drove devices, and what was skipped for want of a tool, is said aloud."""
    terminalreporter.write_line(drivers())
    for what in not_tested():
        terminalreporter.write_line(what, red=True)


def drivers() -> str:
    """What CUDA devices, and those of the stand-in driver, are driven through here."""
    from importlib.metadata import version

    from mochac.runtime.cuda.device import installed_packages

    found = [f"{name} {version(name)}" for name in installed_packages()]
    return f"CUDA driven through {' (preferred) and '.join(found) or 'nothing: neither package is installed'}"


def not_tested() -> list[str]:
    """What the tests do without on this machine."""
    from importlib.util import find_spec

    from browser import chromium
    from codegen.cuda.issue_model import GATED, nvdisasm, ungated
    from machine_code import llvm_mca
    from ranks_kit import mpiexec
    from target_kit import lacking_targets

    from mochac.runtime.cuda.compiler import find_nvrtc

    found = [] if llvm_mca() else ["MACHINE CODE NOT READ: there is no llvm-mca of LLVM 19 or newer on PATH"]
    found += [] if chromium() else ["REPORT NOT OPENED: there is no chromium on PATH"]
    if lacking := lacking_targets():
        found.append(f"NO LIBRARIES RUN FOR {' '.join(lacking)}: docs/guide/c-library.md names compilers and emulators")
    found += [] if shutil.which("g++") else ["CUDA EMULATOR NOT TESTED: there is no g++ on PATH; install one"]
    if shutil.which("nvcc") is None:
        found.append("CUDA C NOT COMPILED BY NVCC: there is none on PATH; install a CUDA toolkit")
    if find_nvrtc() is None:
        found.append("CUDA C NOT COMPILED BY NVRTC: pip install nvidia-cuda-nvrtc")
    if nvdisasm() is None:
        found.append("MACHINE CODE OF GPUS NOT READ: pip install nvidia-cuda-nvdisasm")
    elif reason := ungated():
        found.append(f"CYCLES OF GPU CODE NOT TESTED: {reason}: pip install nvidia-cuda-nvrtc=={GATED[0]}.{GATED[1]}.*")
    if find_spec("pycuda") is None:
        found.append("PYCUDA NOT TESTED: it is not installed; docs/guide/cuda.md says how it is built")
    if find_spec("mpi4py") is None or mpiexec() is None:
        found.append("SEVERAL RANKS NOT TESTED: pip install mpi4py mpich")
    return found


class Doctests:
    """Looked for neither in files of tests nor in others without an example, which takes a third of the time that
    collection takes. A plugin, since hooks of a conftest know of its own folder alone."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path):
        found = yield
        doctests = [f for f in found if isinstance(f, DoctestModule)]
        if doctests and (file_path.is_relative_to(TESTS) or ">>>" not in file_path.read_text(encoding="utf-8")):
            return [f for f in found if f not in doctests]
        return found


def pytest_configure(config):
    """`pytest --hypothesis-profile=soak` (make soak) tries many more examples."""
    config.pluginmanager.register(Doctests())
    if config.getoption("--hypothesis-profile", None) == "soak":
        from hypothesis import settings

        settings.register_profile("soak", max_examples=10_000, deadline=None)


def pytest_addoption(parser):
    """`pytest --update-golden` (make golden) rewrites tests/golden from what is generated now; review the diff."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the files under tests/golden")


@pytest.fixture
def young_heap():
    """gc.collect() looks through what this test makes, not through what all tests before it have left."""
    gc.freeze()


@pytest.fixture
def golden(request):
    """golden(name, text): text equals the file of that name under tests/golden."""
    folder = request.config.rootpath / "tests" / "golden"

    def check(name: str, text: str) -> None:
        path = folder / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert path.exists(), f"no golden file {path}; make golden writes it"
        assert text == path.read_text(), f"{path} differs; review, then make golden"

    return check
