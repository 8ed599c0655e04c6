"""Disks that are full or fail, at each call that opens, writes or closes a file.

A public call ends well, or in one error of mochac's; what was there before can be read, and a second try succeeds.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from script_kit import script

HERE = Path(__file__).parent
STRIDES = {"train": 67, "resume": 11, "evaluate": 11, "save": 11, "load": 11, "write": 181, "compile": 19}
"""Every n-th call fails; in a soak, each."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="NO C COMPILER HERE")]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = tmp_path_factory.mktemp("faults") / "faults.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, HERE / "failing_disk.c", "-ldl"], check=True)
    return made


def check(name, library, folder, stride):
    said = script(HERE / "failing_disk.py", library, folder, name, stride, LD_PRELOAD=str(library))
    done = json.loads(said.splitlines()[-1])
    assert done["calls"] > 3 and done["faults"] >= 4 * (done["calls"] // stride)
    assert not done["wrong"], "\n".join(done["wrong"])


@pytest.mark.parametrize("name", STRIDES)
def test_some_calls_fail(name, library, tmp_path):
    check(name, library, tmp_path, STRIDES[name])


@pytest.mark.soak
@pytest.mark.parametrize("name", STRIDES)
def test_every_call_fails(name, library, tmp_path):
    check(name, library, tmp_path, 1)
