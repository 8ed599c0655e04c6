"""The bandwidth loops read and copy what they say, in full vectors. No rate is asserted."""

from __future__ import annotations

import re
from contextlib import closing

import numpy as np
import pytest

from mochac.codegen.cpu.rate_loops import STREAMS, bandwidth_text
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu import rates as room
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import GUESS, DataCache, caches
from mochac.runtime.cpu.rates import BandwidthLoop, working_sets

SMALL = 4 * STREAMS * 64


@pytest.fixture
def loop(monkeypatch):
    """Two threads, each with 4 KB of its own."""
    monkeypatch.setattr(room, "working_sets", lambda threads: [("L1", 2 * SMALL, SMALL)])
    monkeypatch.setattr(room, "BURST_BYTES", 4 * SMALL)
    with closing(BandwidthLoop(2)) as made:
        made.memory[:] = np.random.default_rng(0).integers(0, 255, made.memory.size)
        yield made


def test_reading_reads_all(loop):
    parts = loop.memory.view(np.uint32).reshape(2, -1, loop.lanes)
    seconds = loop.run("mochac_read", 3, SMALL)
    found = loop._plans["mochac_read"].read("result").view(np.uint32).reshape(2, 32)[:, : loop.lanes]
    assert np.array_equal(found, np.bitwise_or.reduce(parts, axis=1))
    assert seconds > 0


def test_copying_copies_the_first_half(loop):
    before = loop.memory.reshape(2, 2, -1).copy()
    loop.run("mochac_copy", 2, SMALL)
    after = loop.memory.reshape(2, 2, -1)
    assert np.array_equal(after[:, 0], before[:, 0]) and np.array_equal(after[:, 1], before[:, 0])


def test_measure(loop):
    found = loop.measure()
    (level,) = found.levels
    assert (level.name, level.n_bytes, found.threads) == ("L1", 2 * SMALL, 2)
    assert level.read_gbs > 0 and level.copy_gbs > 0
    assert re.fullmatch(r"L1 [\d,]+ / [\d,]+ GB/s", str(found))


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_working_sets_lie_between_the_levels(threads, monkeypatch):
    monkeypatch.setattr(room, "MAX_BYTES", 256 << 20)
    before = 0
    for _, held, walked in working_sets(threads):
        assert walked % (2 * STREAMS * 64) == 0
        assert before < walked * threads
        assert held is None or walked * threads < held
        before = held or 0


@pytest.mark.skipif(compiler.arch() != "x86_64", reason="reads x86 assembly")
@pytest.mark.parametrize(("cpu", "register"), [("skylake-avx512", "zmm"), ("haswell", "ymm"), ("x86-64", "xmm")])
def test_the_loops_are_nothing_but_moves(cpu, register):
    size = {"zmm": 64, "ymm": 32, "xmm": 16}[register]
    text = compiler.assembly(bandwidth_text(size // 4), CpuInfo(cpu, "", size))
    read, copy = re.findall(r"# %move\n(.*?)\n\s*jb", text, re.DOTALL)
    for loop, per_stream in ((read, 1), (copy, 2)):
        lines = [line for line in loop.splitlines() if line.strip() and not line.strip().startswith("#")]
        moves = [line for line in lines if f"%{register}" in line]
        assert per_stream * STREAMS == sum("(" in line for line in moves)
        assert len(lines) - len(moves) <= 6


def test_the_system_lists_caches(tmp_path):
    for k, fields in enumerate(
        [
            ("1", "Data", "48K", "0,64"),
            ("1", "Instruction", "32K", "0"),
            ("2", "Unified", "2M", "0-1,8"),
            ("3", "", "", ""),
        ]
    ):
        folder = tmp_path / f"index{k}"
        folder.mkdir()
        for name, value in zip(("level", "type", "size", "shared_cpu_list"), fields, strict=True):
            (folder / name).write_text(value + "\n")
    assert caches(tmp_path) == (DataCache(1, 48 << 10, 2), DataCache(2, 2 << 20, 3))
    assert caches(tmp_path / "nowhere") == GUESS


def test_measured_once_a_minute(loop, monkeypatch):
    monkeypatch.setattr(room, "_last", {})
    now = [100.0]
    monkeypatch.setattr(room.time, "monotonic", lambda: now[0])
    first = room.bandwidth(2)
    now[0] += 59
    assert room.bandwidth(2) is first
    now[0] += 2
    assert room.bandwidth(2) is not first
