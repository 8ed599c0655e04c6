"""The stand-in libcuda.so.1, on which the unmodified PyCUDA and cuda-bindings run; and the environment that offers it.

Tests of mochac's CUDA runtime run in a child process (`run_script`), so that the process of pytest keeps the machine as
it is and nothing that aborts takes it along. It knows nothing of mochac.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from toolchain import HERE, OPTIMIZED, built

NVCC = HERE / "nvcc"
"""The compiler that goes with it: makes modules for the emulator where nvcc makes cubins."""


def library() -> Path:
    """Path of the stand-in driver, a file called libcuda.so.1 in a folder of its own."""
    flags = (OPTIMIZED, "-shared", "-Wl,-soname,libcuda.so.1", "-ldl")
    made = built((HERE / "fake_cuda.cpp").read_text(), flags, ".so")
    place = made.with_suffix("") / "libcuda.so.1"
    place.parent.mkdir(exist_ok=True)
    if not place.exists():
        place.with_suffix(f".{os.getpid()}").symlink_to(made)
        place.with_suffix(f".{os.getpid()}").replace(place)
    return place


def blas() -> Path:
    """A folder with the stand-in cuBLASLt, which computes on the stand-in driver's streams."""
    return _on_driver("fake_cublas.cpp", "libcublasLt.so.13")


def nccl() -> Path:
    """A folder with the stand-in NCCL, which moves values between processes on the stand-in driver."""
    return _on_driver("fake_nccl.cpp", "libnccl.so.2")


def no_wheels() -> Path:
    """A folder for PYTHONPATH that hides NVIDIA's libraries in wheels, such as those that PyTorch brings: an empty
    package. It is none of the folders of tests, which are all on the path of pytest's own process."""
    folder = library().parent / "no_wheels"
    (folder / "nvidia").mkdir(parents=True, exist_ok=True)
    (folder / "nvidia" / "__init__.py").touch()
    return folder


def _on_driver(source: str, name: str) -> Path:
    """A folder with a library that uses the stand-in driver."""
    driver = library().parent
    flags = (OPTIMIZED, "-shared", f"-Wl,-soname,{name},--no-as-needed", f"-L{driver}", "-l:libcuda.so.1")
    made = built((HERE / source).read_text(), flags, ".so")
    place = made.with_suffix("") / name
    place.parent.mkdir(exist_ok=True)
    if not place.exists():
        place.with_suffix(f".{os.getpid()}").symlink_to(made)
        place.with_suffix(f".{os.getpid()}").replace(place)
    return place.parent


def environment() -> dict[str, str]:
    """Environment of a process that sees the stand-in driver and the stand-in nvcc instead of the machine's own."""
    now = {name: text for name, text in os.environ.items() if name not in ("CUDA_HOME", "CUDA_PATH")}
    for variable, first in (("LD_LIBRARY_PATH", library().parent), ("PATH", HERE)):
        now[variable] = os.pathsep.join([str(first), *filter(None, [now.get(variable)])])
    now["MOCHAC_CUDA_COMPILER"] = "nvcc"
    now.setdefault("MOCHAC_CUDA_EARLY", "1")  # the stand-in stops at a kernel that is launched early and does not wait
    now["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, [now.get("PYTHONPATH")])])
    return now


def run_script(script: str, *arguments: str, timeout_s: float = 900, **variables: str) -> str:
    """What a Python script prints in such a process, in which this folder can be imported from.

    Args:
        variables: environment variables in addition, e.g. MOCHAC_FAKE_CUDA_MEMORY, the bytes the device has.

    Raises:
        AssertionError: it failed; the message is its standard error.
    """
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout_s,
        env=environment() | variables,
    )
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@cache
def load() -> ctypes.CDLL:
    """The stand-in driver in this process, which from now on is its libcuda.so.1."""
    driver = ctypes.CDLL(str(library()), ctypes.RTLD_GLOBAL)
    driver.fake_cuda_allocations.restype = ctypes.c_size_t
    driver.fake_cuda_launches.restype = ctypes.c_uint64
    driver.fake_cuda_early_launches.restype = ctypes.c_uint64
    return driver


def reset() -> None:
    """A new device: faults forgotten, memory freed, unfinished work dropped."""
    load().fake_cuda_reset()


def allocations() -> int:
    """Allocations on the device and pinned ones that nobody has freed."""
    return load().fake_cuda_allocations()


def launches() -> int:
    """Kernels launched or captured so far."""
    return load().fake_cuda_launches()


def early_launches() -> int:
    """Kernels captured so far that may begin before the one that they follow has ended."""
    return load().fake_cuda_early_launches()


if __name__ == "__main__":  # python fake_driver.py pytest -m gpu tests/runtime/cuda
    if len(sys.argv) < 2:
        sys.exit("usage: python fake_driver.py COMMAND [ARGUMENT ...]\nruns a command that sees the stand-in driver")
    os.environ.setdefault("MOCHAC_EMULATOR_DIR", str(Path(tempfile.gettempdir()) / "mochac-emulator"))
    os.execvpe(sys.argv[1], sys.argv[1:], environment())
