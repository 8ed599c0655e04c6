"""A cache that others may write to: nothing is read from it, whatever its checksums say, and it is said once."""

from __future__ import annotations

import ctypes
import os
import stat
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from mochac.base.files import private
from mochac.base.files.cache import Cache, digest
from mochac.runtime.cpu import compiler, loader
from mochac.runtime.cpu.cpuinfo import host_cpu

KEY, OTHER = digest("a key"), digest("another key")
NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


@pytest.fixture
def cache(tmp_path):
    """A cache with one entry."""
    made = Cache(tmp_path / "cache")
    made.put(KEY, b"payload")
    return made


def entry(cache: Cache, key: str = KEY) -> Path:
    return cache.folder / key[:2] / f"{key}.bin"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_what_a_store_makes_is_its_users_alone(tmp_path):
    before = os.umask(0)
    try:
        cache = Cache(tmp_path / "home" / ".cache" / "mochac")
        cache.put(KEY, b"payload")
    finally:
        os.umask(before)
    assert mode(entry(cache)) == 0o600
    made = [entry(cache).parent, cache.folder, cache.folder.parent, cache.folder.parent.parent]
    assert [mode(folder) for folder in made] == [0o700] * 4


@pytest.mark.parametrize("open_to", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_used(cache, open_to, caplog):
    content = entry(cache).read_bytes()
    cache.folder.chmod(open_to)
    assert cache.get(KEY) is None
    cache.put(KEY, b"replaced")
    cache.put(OTHER, b"new")
    assert cache.get(KEY) is None
    reason = f"others may write to it (mode {open_to:04o}); hint: chmod 700 {cache.folder}"
    assert caplog.messages == [f"the compile cache {cache.folder} is not used: {reason}"]
    assert cache.stat().refused == reason
    assert (cache.clear(), cache.stat().entries, cache.damaged) == (0, 0, 0)
    assert entry(cache).read_bytes() == content and not entry(cache, OTHER).exists()
    cache.folder.chmod(0o700)
    assert cache.get(KEY) == b"payload"


@as_root
def test_a_folder_of_another_user_is_not_used(cache, caplog):
    os.chown(cache.folder, NOBODY, -1)
    assert cache.get(KEY) is None
    cache.put(OTHER, b"new")
    assert caplog.messages == [
        f"the compile cache {cache.folder} is not used: it belongs to user {NOBODY}; hint: remove {cache.folder}"
    ]


@as_root
def test_a_link_of_another_user_is_not_followed(cache, tmp_path, caplog):
    """Else it would make one user litter, or read, where another one likes."""
    link = tmp_path / "link"
    link.symlink_to(cache.folder)
    assert Cache(link).get(KEY) == b"payload"
    os.lchown(link, NOBODY, -1)
    assert Cache(link).get(KEY) is None
    assert caplog.messages == [
        f"the compile cache {link} is not used: it is a link that user {NOBODY} made; hint: rm {link}"
    ]


def planted(cache: Cache, how: str) -> None:
    """An entry with the right checksum that another user may have put there."""
    path = entry(cache)
    if how == "mode":
        path.chmod(0o620)
    elif how == "owner":
        os.chown(path, NOBODY, -1)
    elif how == "folder":
        path.parent.chmod(0o777)
    elif how == "folder's owner":
        os.chown(path.parent, NOBODY, -1)
    elif how == "link":
        path.rename(cache.folder / "elsewhere")
        path.symlink_to(cache.folder / "elsewhere")
    elif how == "pipe":
        path.unlink()
        os.mkfifo(path, 0o600)


HOW = ["mode", "folder", "link", "pipe", *(pytest.param(how, marks=as_root) for how in ("owner", "folder's owner"))]


@pytest.mark.parametrize("how", HOW)
def test_an_entry_that_others_may_have_planted_is_not_read(cache, how):
    planted(cache, how)
    assert cache.get(KEY) is None
    assert (cache.hits, cache.misses, cache.damaged) == (0, 1, 1)


@pytest.mark.parametrize("how", ["mode", "folder", "link", "pipe", pytest.param("owner", marks=as_root)])
def test_it_is_replaced(cache, how):
    planted(cache, how)
    cache.put(KEY, b"again")
    assert cache.get(KEY) == b"again"
    assert (mode(entry(cache)), mode(entry(cache).parent)) == (0o600, 0o700)


@pytest.mark.parametrize("how", ["mode", "folder", "whole folder"])
def test_planted_native_code_is_not_loaded(tmp_path, how):
    asked, evil = (f"define i64 @f() {{\n  ret i64 {value}\n}}\n" for value in (1, 2))
    cache = Cache(tmp_path / "cache")
    key = compiler.object_key(asked, host_cpu())
    cache.put(key, compiler.compile_ir(evil, host_cpu()))
    path = entry(cache, key)
    {"mode": path, "folder": path.parent, "whole folder": cache.folder}[how].chmod(0o777)
    with closing(loader.MachineCode([compiler.compile_cached(asked, host_cpu(), cache)], ["f"])) as library:
        assert ctypes.CFUNCTYPE(ctypes.c_int64)(library["f"])() == 1


@as_root
def test_nothing_is_put_into_a_folder_of_another_user(cache, caplog):
    planted(cache, "folder's owner")
    cache.put(KEY, b"again")
    name = KEY[:2]
    assert f"is not used: its folder {name} belongs to user {NOBODY}; hint: remove {name}" in caplog.text


def test_an_entry_under_another_name_is_none(cache):
    """Who may rename entries could have one plan run in place of another."""
    entry(cache, OTHER).parent.mkdir(exist_ok=True)
    entry(cache).rename(entry(cache, OTHER))
    assert cache.get(OTHER) is None
    assert cache.damaged == 1


def test_clearing_follows_no_link(cache, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "mine.bin").write_text("not the cache's")
    (cache.folder / "zz").symlink_to(kept)
    assert cache.stat().entries == 1
    cache.clear()
    assert (kept / "mine.bin").exists() and not entry(cache).exists()


def test_a_folder_exchanged_after_it_was_opened_is_not_seen(cache, tmp_path):
    """What counts is what was judged, not what the name means later."""
    with private.opened(cache.folder) as fd:
        cache.folder.rename(tmp_path / "old")
        (cache.folder / KEY[:2]).mkdir(parents=True)
        entry(cache).write_bytes(b"planted")
        with private.opened_inside(fd, KEY[:2]) as room:
            assert private.read(room, f"{KEY}.bin").endswith(b"payload")


@pytest.mark.parametrize("there", [False, True])
def test_a_file_is_written_anew_or_not_at_all(tmp_path, there):
    path = tmp_path / "file"
    if there:
        path.symlink_to(tmp_path / "target")
    with private.opened(tmp_path) as fd, pytest.raises(FileExistsError) if there else nullcontext():
        private.write(fd, "file", b"bytes")
    assert not (tmp_path / "target").exists()
    assert there or path.read_bytes() == b"bytes"
