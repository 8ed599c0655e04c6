"""The rates of this machine: measured once, kept in the cache, measured again where what is kept cannot be read."""

from __future__ import annotations

import pytest

from mochac.base.files.cache import Cache
from mochac.base.support.times import Bandwidth, Level
from mochac.codegen.machine import machine
from mochac.runtime.cpu import rates as room
from mochac.runtime.cpu.cpuinfo import cpu_model, host_cpu

MODEL = machine("cascadelake", 64)
FOUND = Bandwidth(
    2,
    (
        Level("L1", 64 << 10, 400.0, 300.0),
        Level("L2", 2 << 20, 128.0, 100.0),
        Level("L3", 8 << 20, 32.0, 30.0),
        Level("memory", None, 16.0, 12.0),
    ),
)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """An empty cache, and measurements that are counted."""
    counted = []
    monkeypatch.setattr(room, "peak", lambda *args: counted.append(args) or 128.0)
    monkeypatch.setattr(room, "bandwidth", lambda *args: FOUND)
    return Cache(tmp_path), counted


def test_rates_of_one_thread():
    """Two threads reach 128 GFLOP/s with two multiply-adds of 16 lanes a cycle: 1 GHz, and half of each bandwidth."""
    found = room.with_rates(MODEL, 128.0, FOUND)
    assert found.hz == 1e9
    assert [level.bytes_per_cycle for level in found.caches] == [200.0, 64.0, 16.0]
    assert (found.memory_bytes_per_cycle, found.sizes) == (8.0, (32 << 10, 1 << 20, 4 << 20))


def test_rates_are_measured_once(kept):
    cache, counted = kept
    first, second = (room.measured(MODEL, 2, host_cpu(), cache) for _ in range(2))
    assert first == second == room.with_rates(MODEL, 128.0, FOUND)
    assert len(counted) == 1
    cache.clear()
    room.measured(MODEL, 2, host_cpu(), cache)
    assert len(counted) == 2


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"gflops": 1, "threads": 1, "levels": [{"name": "L1"}]}'])
def test_what_cannot_be_read_is_measured_again(kept, text):
    cache, counted = kept
    room.keep(1.0, FOUND, host_cpu(), cache)
    (entry,) = [path for path in cache.folder.rglob("*.bin")]
    cache.put(entry.stem, text.encode())
    room.measured(MODEL, 2, host_cpu(), cache)
    assert len(counted) == 1


def test_without_a_cache(kept):
    _, counted = kept
    assert room.measured(MODEL, 2, host_cpu(), None).hz == 1e9
    assert len(counted) == 1


def test_the_model_of_the_cpu(tmp_path):
    listed = tmp_path / "cpuinfo"
    listed.write_text("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n")
    assert cpu_model(listed) == "Some CPU @ 2 GHz"
    assert cpu_model(tmp_path / "absent") == ""
