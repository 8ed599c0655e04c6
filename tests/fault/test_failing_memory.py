"""One allocation of NumPy fails, and another, in each public call.

The call ends well, or in one MemoryError or an error of mochac's; parameters are those of an iteration, and a second
try does what it would have done.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from script_kit import script

HERE = Path(__file__).parent
STRIDES = {"predict": 1, "evaluate": 11, "step": 17, "train": 23, "save": 1, "load": 3, "compile_and_train": 97}
"""Every n-th allocation fails; in a soak, each."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="NO C COMPILER HERE")]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = tmp_path_factory.mktemp("faults") / "memory.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, HERE / "failing_memory.c"], check=True)
    return made


def check(name, library, folder, stride):
    done = json.loads(script(HERE / "failing_memory.py", library, folder, name, stride).splitlines()[-1])
    print(done)
    assert done["faults"] > done["calls"] // stride - 3
    assert not done["wrong"], "\n".join(done["wrong"])


@pytest.mark.parametrize("name", STRIDES)
def test_some_allocations_fail(name, library, tmp_path):
    check(name, library, tmp_path, STRIDES[name])


@pytest.mark.soak
@pytest.mark.parametrize("name", STRIDES)
def test_every_allocation_fails(name, library, tmp_path):
    check(name, library, tmp_path, 1)
