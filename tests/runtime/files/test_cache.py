"""The cache on disk: damage, races, limits and folders that cannot be written."""

from __future__ import annotations

import os
import subprocess
import warnings
from pathlib import Path

import pytest
from cpu_kit import run_python

from mochac.base.files.cache import Cache, digest
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import host_cpu

KEY = digest("a key")


def entry_file(cache: Cache) -> Path:
    (found,) = cache.folder.glob("??/*")
    return found


def test_what_was_put_is_got(tmp_path):
    cache = Cache(tmp_path / "made" / "on demand")
    assert cache.get(KEY) is None
    cache.put(KEY, b"payload" * 1000)
    assert cache.get(KEY) == b"payload" * 1000
    assert Cache(cache.folder).get(KEY) == b"payload" * 1000
    cache.put(KEY, b"")
    assert cache.get(KEY) == b""
    stat = cache.stat()
    assert (stat.entries, stat.hits, stat.misses, stat.damaged) == (1, 2, 1, 0)


@pytest.mark.parametrize("cut", [0, 5, 31, 40, -1])
def test_a_truncated_entry_is_a_miss_and_is_replaced(tmp_path, cut):
    cache = Cache(tmp_path)
    cache.put(KEY, b"0123456789" * 10)
    path = entry_file(cache)
    path.write_bytes(path.read_bytes()[:cut])
    assert cache.get(KEY) is None
    assert cache.damaged == 1
    cache.put(KEY, b"again")
    assert cache.get(KEY) == b"again"


@pytest.mark.parametrize("position", [0, 7, 9, 20, 33, 60])
def test_one_flipped_bit_is_found(tmp_path, position):
    cache = Cache(tmp_path)
    cache.put(KEY, bytes(range(64)))
    path = entry_file(cache)
    data = bytearray(path.read_bytes())
    data[position] ^= 4
    path.write_bytes(data)
    assert cache.get(KEY) is None


def test_an_entry_that_is_a_folder_is_a_miss(tmp_path):
    cache = Cache(tmp_path)
    cache.put(KEY, b"x")
    path = entry_file(cache)
    path.unlink()
    path.mkdir()
    assert cache.get(KEY) is None


def test_a_folder_that_cannot_be_made_is_told_once(tmp_path, caplog):
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    cache = Cache(blocker / "cache")
    cache.put(KEY, b"x")
    cache.put(KEY, b"y")
    assert caplog.messages == [
        f"the compile cache {blocker}/cache cannot be written (Not a directory); going on without it"
    ]
    assert cache.get(KEY) is None
    assert cache.stat().entries == 0
    assert cache.clear() == 0


def test_the_disk_running_full_leaves_no_part_behind(tmp_path, monkeypatch, caplog):
    cache = Cache(tmp_path)

    def full(source, target, **folders):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache.put(KEY, b"x")
    assert "No space left on device" in caplog.text
    assert not list(tmp_path.rglob("*.bin*"))


def test_the_oldest_go_first(tmp_path):
    cache = Cache(tmp_path, limit_bytes=10_000)
    keys = [digest(str(k)) for k in range(12)]
    for k, key in enumerate(keys):
        cache.put(key, bytes(1000))
        if (path := tmp_path / key[:2] / f"{key}.bin").exists():
            os.utime(path, ns=(k, k))
    stat = cache.stat()
    assert stat.total_bytes <= 10_000
    assert cache.get(keys[0]) is None
    assert cache.get(keys[-1]) is not None


def test_clear(tmp_path):
    cache = Cache(tmp_path)
    cache.put(KEY, b"x")
    parts = [entry_file(cache).parent / f".{KEY}.bin.1.{end}" for end in ("dead", "busy")]
    for part in parts:
        part.write_bytes(b"left by a kill, or being written")
    os.utime(parts[0], (0, 0))
    assert cache.clear() > 0
    assert cache.stat().entries == 0
    assert [part.exists() for part in parts] == [False, True]
    cache.put(KEY, b"y")
    assert cache.get(KEY) == b"y"


@pytest.mark.slow
def test_processes_write_one_entry_at_once(tmp_path):
    code = f"""
from mochac.base.files.cache import Cache, digest
cache = Cache({str(tmp_path)!r}, limit_bytes=200_000)
for k in range(150):
    key = digest(str(k % 7))
    found = cache.get(key)
    assert found is None or (len(found) == 20_000 + k % 7 and set(found) == {{k % 7}}), len(found)
    cache.put(key, bytes([k % 7]) * (20_000 + k % 7))
    if k % 50 == 49: cache.clear()
assert cache.damaged == 0
"""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(3) as pool:
        done: list[subprocess.CompletedProcess[str]] = list(pool.map(run_python, [code] * 3))
    assert [(d.returncode, d.stderr) for d in done] == [(0, "")] * 3
    assert not list(tmp_path.rglob(".*"))


def test_objects_are_compiled_once_per_target(tmp_path, monkeypatch):
    text = "define i64 @f(i64 %a) {\n  ret i64 %a\n}\n"
    cache = Cache(tmp_path)
    calls = []
    compile_ir = compiler.compile_ir
    monkeypatch.setattr(compiler, "compile_ir", lambda t, c: calls.append(c.name) or compile_ir(t, c))
    host, plain = host_cpu(), CpuInfo("x86-64", "", 16)
    first = compiler.compile_cached(text, host, cache)
    assert compiler.compile_cached(text, host, cache) == first
    compiler.compile_cached(text, plain, cache)
    compiler.compile_cached(text + "\n", host, cache)
    compiler.compile_cached(text, host, None)
    assert calls == [host.name, "x86-64", host.name, host.name]


def test_a_damaged_object_is_compiled_again(tmp_path):
    text = "define i64 @f(i64 %a) {\n  ret i64 %a\n}\n"
    cache = Cache(tmp_path)
    first = compiler.compile_cached(text, host_cpu(), cache)
    path = entry_file(cache)
    path.write_bytes(path.read_bytes()[:-8] + bytes(8))
    assert compiler.compile_cached(text, host_cpu(), cache) == first
    with warnings.catch_warnings():
        assert cache.get(compiler.object_key(text, host_cpu())) == first
