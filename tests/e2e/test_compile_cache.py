"""The compile cache on disk, seen from whole programs: hits, damage, other versions, races, a folder nobody may write.

Whatever happens to it, programs compile and give the same bits.
"""

import os
import random
import shutil

import numpy as np
import pytest
from net_kit import digits, weights
from script_kit import finished, script, start

import mochac
from mochac import SGD, DropoutLayer, InnerProductLayer, MemoryDataLayer, Net, Neurons, SoftmaxLossLayer
from mochac.base.files import private
from mochac.base.files.cache import cache_in, generator
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.team import team

SCRIPT = """
import hashlib, sys, time
import mochac
from net_kit import lenet, lenet_solver, weights
program = mochac.compile(lenet(batch=33), threads=2)
program.train(lenet_solver(10))
h = hashlib.blake2b(digest_size=8)
for name, array in sorted(weights(program).items()):
    h.update(array.tobytes())
s = program.session.plans.backend.cache
stat = s.stat() if s else None
print("bits", h.hexdigest(), "hits", stat.hits, "misses", stat.misses, "damaged", stat.damaged, "entries", stat.entries)
"""


SOAK = pytest.mark.soak


def facts(out):
    """Words and values of the script's last line."""
    words = out.splitlines()[-1].split()
    return dict(zip(words[::2], words[1::2], strict=True))


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder of its own, and a Cache that has seen nothing; the team's code, made once a process, lies elsewhere."""
    team()
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))
    cache_in.cache_clear()
    yield tmp_path / "cache"
    cache_in.cache_clear()


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder that a cold compilation filled, the weights, and what the cache did."""
    folder = tmp_path_factory.mktemp("filled") / "cache"
    team()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOCHAC_CACHE_DIR", str(folder))
        found = trained()
    cache_in.cache_clear()
    return folder, *found


@pytest.fixture
def warm(cache, filled):
    """The folder of `cache`, filled: weights, and what the cache did when it was."""
    shutil.copytree(filled[0], cache)
    return filled[1:]


def net():
    """Two inner products and dropout."""
    x, y = digits(20, (7,), 3, 5)
    layers = [
        MemoryDataLayer(name="data", data=[x, y], batch_size=7),
        InnerProductLayer(name="a", output_dim=5, neuron=Neurons.Tanh(), bottoms=["data"]),
        DropoutLayer(name="drop", bottoms=["a"], ratio=0.4),
        InnerProductLayer(name="b", output_dim=3, bottoms=["a"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ]
    return Net("cached", layers)


def trained():
    """Weights after a few steps, and what the cache did meanwhile."""
    cache_in.cache_clear()
    with mochac.compile(net()) as program:
        program.train(SGD(0.1), max_iter=5)
        found = program.session.plans.backend.cache
        assert found is not None
        return weights(program), found.stat()


def assert_equal(got, wanted):
    for name, want in wanted.items():
        np.testing.assert_array_equal(got[name], want, err_msg=name)


def entries(folder):
    return sorted(folder.glob("??/*.bin"))


@pytest.mark.slow
def test_a_second_program_compiles_nothing(cache, warm, monkeypatch):
    wanted, cold = warm
    assert cold.hits == 0
    assert cold.entries == len(entries(cache)) > 0

    def refuse(*arguments):
        raise AssertionError("compiled although cached")

    monkeypatch.setattr(compiler, "compile_ir", refuse)
    monkeypatch.setattr("mochac.lowering.plan_cache.lower", refuse, raising=False)
    got, again = trained()
    assert (again.misses, again.entries) == (0, cold.entries)
    assert_equal(got, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "text", "header", "payload_of_another"])
def test_damaged_entries_are_made_again(cache, warm, damage):
    """Each entry in turn: found out, compiled again, replaced."""
    seed = 31
    print(f"seed {seed}")
    rng = random.Random(seed)
    wanted, _ = warm
    whole = {path: path.read_bytes() for path in entries(cache)}
    for path, content in whole.items():
        at = rng.randrange(40, len(content))
        others = [c for p, c in whole.items() if p != path]
        path.write_bytes(
            {
                "flip": content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :],
                "cut": content[:at],
                "empty": b"",
                "text": b"not an entry at all, but long enough to have a header",
                "header": b"mochac\x00\x09" + content[8:],
                "payload_of_another": content[:24] + rng.choice(others)[24:],
            }[damage]
        )
    got, after = trained()
    assert_equal(got, wanted)
    assert after.damaged == after.misses > 0
    assert {path: len(path.read_bytes()) for path in entries(cache)} == {p: len(c) for p, c in whole.items()}
    again, last = trained()
    assert last.damaged == last.misses == 0
    assert_equal(again, wanted)


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", ["base.files.cache.__version__", "base.files.cache.np.__version__", "lowering.plan_cache.FORMAT"]
)
def test_another_version_does_not_use_it(warm, monkeypatch, what):
    wanted, cold = warm
    generator.cache_clear()
    monkeypatch.setattr(f"mochac.{what}", "0.0.0-other")
    got, other = trained()
    generator.cache_clear()
    assert_equal(got, wanted)
    assert other.entries > cold.entries


@pytest.mark.slow
def test_another_llvm_does_not_use_it(warm, monkeypatch):
    wanted, cold = warm
    monkeypatch.setattr(compiler, "llvm_version", lambda: "99.0.0")
    got, other = trained()
    assert other.entries > cold.entries
    assert other.misses >= cold.misses
    assert_equal(got, wanted)


def said(caplog):
    return [line for line in caplog.messages if "compile cache" in line]


@pytest.mark.slow
def test_a_file_in_place_of_the_folder(filled, tmp_path, monkeypatch, caplog):
    """One line, then everything works without a cache."""
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "file"))
    got, _ = trained()
    assert_equal(got, filled[1])
    assert said(caplog) == [
        f"the compile cache {tmp_path}/file cannot be written (Not a directory); going on without it"
    ]


@pytest.mark.slow
def test_a_plan_planted_where_others_may_write_is_not_run(cache, warm, caplog):
    """Right checksums under the right keys: the run goes on uncached, and says so once."""
    wanted, cold = warm
    cache.chmod(0o777)
    got, open_to_all = trained()
    assert (open_to_all.hits, open_to_all.entries) == (0, 0) and open_to_all.misses >= cold.misses
    assert_equal(got, wanted)
    assert said(caplog) == [
        f"the compile cache {cache} is not used: others may write to it (mode 0777); hint: chmod 700 {cache}"
    ]
    cache.chmod(0o700)
    for path in entries(cache):
        path.chmod(0o666)
    got, planted = trained()
    assert (planted.hits, planted.damaged) == (0, planted.misses)
    assert_equal(got, wanted)


@pytest.mark.slow
def test_a_read_only_folder(cache, warm, monkeypatch, caplog):
    """Root may write anywhere, so the refusal is made: hits still count, misses compile."""
    wanted, cold = warm
    max(entries(cache), key=lambda path: path.stat().st_size).unlink()  # the step's plan, which holds its objects too

    def refuse(fd, name, data):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(private, "write", refuse)
    got, again = trained()
    assert_equal(got, wanted)
    assert again.hits > 0
    assert again.entries == cold.entries - 1
    assert "Permission denied" in said(caplog)[0]


@pytest.mark.parametrize("rounds", [pytest.param(1, marks=pytest.mark.slow), pytest.param(5, marks=SOAK)])
def test_processes_that_compile_the_same_net_at_once(tmp_path, rounds):
    """Cold and together; all end well with the same bits, and the cache serves afterwards."""
    for round in range(rounds):
        folder = tmp_path / str(round)
        running = [start(SCRIPT, MOCHAC_CACHE_DIR=str(folder)) for _ in range(3)]
        results = []
        for process in running:
            status, out, err = finished(process)
            assert (status, err) == (0, ""), err
            results.append(facts(out))
        assert len({r["bits"] for r in results}) == 1
        assert all(r["damaged"] == "0" for r in results)
        assert not [p for p in folder.glob("??/.*")], "unfinished parts are left"
        warm = facts(script(SCRIPT, MOCHAC_CACHE_DIR=str(folder)))
        assert (warm["misses"], warm["bits"]) == ("0", results[0]["bits"])


@pytest.mark.slow
def test_a_cache_cleared_under_running_programs(tmp_path):
    """`mochac cache --clear` in a loop beside two programs that compile."""
    running = [start(SCRIPT, MOCHAC_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    clear = "import time\nfrom mochac.base.files.cache import Cache\nfor _ in range(200):\n"
    clear += f"    Cache({str(tmp_path)!r}).clear()\n    time.sleep(0.01)\n"
    script(clear)
    for process in running:
        status, _, err = finished(process)
        assert (status, err) == (0, ""), err


@pytest.mark.parametrize("kills", [pytest.param(1, marks=pytest.mark.slow), pytest.param(10, marks=SOAK)])
def test_killed_while_it_compiles(tmp_path, kills):
    """Whatever a killed process left behind is no entry or a whole one."""
    print(f"seed {kills}")
    rng = random.Random(kills)
    wanted = facts(script(SCRIPT, MOCHAC_CACHE_DIR=str(tmp_path / "other")))["bits"]
    for _ in range(kills):
        process = start(SCRIPT, MOCHAC_CACHE_DIR=str(tmp_path / "cache"))
        try:
            process.wait(rng.uniform(0.3, 1.2))
        except Exception:
            process.kill()
        finished(process)
        found = facts(script(SCRIPT, MOCHAC_CACHE_DIR=str(tmp_path / "cache")))
        assert (found["bits"], found["damaged"]) == (wanted, "0")
        for path in entries(tmp_path / "cache"):
            os.remove(path)
