"""The map that perf reads: every function of a loaded library, where it lies, how long it is, what it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import pytest
from cpu_kit import kernels

from mochac.runtime.cpu import loader

elf = pytest.mark.skipif(sys.platform != "linux", reason="perf is Linux's")


@pytest.fixture
def switched_on(monkeypatch, tmp_path):
    monkeypatch.setattr(loader, "FOLDER", tmp_path)
    monkeypatch.setattr(loader, "_lines", [])
    monkeypatch.setattr(loader, "_state", {"on": False, "process": 0})
    loader.enable_perf_map()
    return tmp_path / f"perf-{os.getpid()}.map"


def rows(path):
    """name -> (start, size)"""
    parts = [line.split(" ", 2) for line in path.read_text().splitlines()]
    return {name: (int(start, 16), int(size, 16)) for start, size, name in parts}


@elf
def test_functions_of_a_library(switched_on):
    image = kernels()
    sizes = {f.name: f.size for f in loader.read_functions(image)}
    library = loader.MachineCode([image], ["copy", "first"], {"copy": "mochac step: conv1, conv2"})
    found = rows(switched_on)
    assert found["mochac step: conv1, conv2"] == (library["copy"], sizes["copy"])
    assert found["first"] == (library["first"], sizes["first"])
    assert set(sizes) - {"copy"} <= set(found)
    spans = sorted(found.values())
    assert all(size > 0 for _, size in spans)
    assert all(start + size <= after for (start, size), (after, _) in pairwise(spans))


@elf
def test_a_second_library_is_appended_and_a_fork_starts_with_all(switched_on, monkeypatch):
    loader.MachineCode([kernels()], ["copy"], {"copy": "one"})
    loader.MachineCode([kernels()], ["copy"], {"copy": "two"})
    assert {"one", "two"} <= set(rows(switched_on))
    monkeypatch.setattr(os, "getpid", lambda: 7)
    loader.MachineCode([kernels()], ["copy"], {"copy": "three"})
    assert {"one", "two", "three"} <= set(rows(switched_on.with_name("perf-7.map")))


def test_nothing_is_written_unless_asked(switched_on, monkeypatch):
    monkeypatch.setitem(loader._state, "on", False)
    loader.MachineCode([kernels()], ["copy"])
    assert not switched_on.exists()


def test_other_files_have_no_functions():
    assert list(loader.read_functions(b"MZ" + bytes(100))) == []


PROGRAM = """
import os, pathlib
import numpy as np
import mochac
from mochac import *
data = MemoryDataLayer(data=[np.zeros((8, 6)), np.zeros(8)], batch_size=4)
ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
net = Net("small", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
program = mochac.compile(net)
program.train(SGD(), max_iter=1)
path = pathlib.Path(f"/tmp/perf-{os.getpid()}.map")
print(path.read_text())
path.unlink()
kernels = [k.name for k in program.kernels]
print(kernels)
"""


@elf
@pytest.mark.slow
def test_a_program_names_its_kernels_and_its_driver():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, "MOCHAC_PERF": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "mochac step: ip.inner_product" in done.stdout
    assert "mochac_run" in done.stdout and " spmd\n" in done.stdout


@elf
def test_a_link_in_its_place_is_not_followed(switched_on):
    """Anyone may put one into /tmp."""
    target = switched_on.with_name("target")
    switched_on.symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        loader.MachineCode([kernels()], ["copy"])
    assert not target.exists()
