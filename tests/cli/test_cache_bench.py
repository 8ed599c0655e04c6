"""`mochac cache` and `mochac bench`."""

import pytest

from mochac.tools.cli import demo


def test_cache(mochac, monkeypatch, tmp_path):
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path))
    assert mochac("cache") == (0, f"{tmp_path}: 0 entries, 0 B\n", "")
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "abc.bin").write_bytes(b"x" * 2000)
    assert mochac("cache", "--stat") == (0, f"{tmp_path}: 1 entries, 2 kB\n", "")
    assert mochac("cache", "--clear") == (0, f"{tmp_path}: 2 kB freed\n", "")
    assert mochac("cache")[1] == f"{tmp_path}: 0 entries, 0 B\n"


def test_cache_switched_off(mochac, monkeypatch, tmp_path):
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("MOCHAC_CACHE", "0")
    assert mochac("cache")[1].endswith("disabled by MOCHAC_CACHE\n")


@pytest.fixture
def scripts(monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "FOLDER", tmp_path)
    return tmp_path


def test_bench_runs_a_script_and_passes_its_status_on(mochac, scripts):
    count = "import sys; sys.exit(len(sys.argv[1:]))"
    for name in ("everything", "peak"):
        (scripts / f"{name}.py").write_text(count)
    assert mochac("bench")[0] == 0
    assert mochac("bench", "peak", "--steps", "3")[0] == 2
    assert mochac("bench", "--steps", "3", "--record")[0] == 3
    assert mochac("bench", "peak", "--help")[0] == 1


def test_bench_of_a_net(mochac, scripts):
    (scripts / "contest" / "tasks").mkdir(parents=True)
    (scripts / "contest" / "tasks" / "lenet.py").write_text("")
    (scripts / "training.py").write_text("import sys; sys.exit(sys.argv[1:] != ['lenet', '--threads', '2'])")
    assert mochac("bench", "lenet", "--threads", "2")[0] == 0
    assert mochac("bench", "lenet")[0] == 1


def test_bench_lists_what_there_is(mochac, scripts):
    (scripts / "peak.py").write_text('"""The peak."""')
    assert mochac("bench", "list") == (0, "peak: The peak.\nnets: \n", "")


def test_bench_of_an_unknown_name(mochac, scripts):
    (scripts / "peak.py").write_text("")
    assert mochac("bench", "pek") == (1, "", "no benchmark 'pek'; there are: peak\n")


def test_bench_without_a_checkout(mochac, scripts, monkeypatch):
    monkeypatch.setattr(demo, "FOLDER", scripts / "absent")
    status, _, err = mochac("bench")
    assert status == 1 and "only in the source repository" in err
