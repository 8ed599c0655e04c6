"""compile(schedules=): edited schedules run natively, and those that do not fit are refused before anything runs."""

import logging
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac import SGD, ConvolutionLayer, InnerProductLayer, MemoryDataLayer, Net, PoolingLayer, SoftmaxLossLayer
from mochac.base.errors import OptionError


def net(batch: int = 32, layers: int = 1) -> Net:
    """`layers` equal layers 48-48, and a last one."""
    rng = np.random.default_rng(7)
    data, labels = rng.normal(size=(64, 48)).astype(np.float32), rng.integers(0, 5, 64)
    hidden = [
        InnerProductLayer(name=f"ip{k}", output_dim=48, bottoms=[f"ip{k - 1}" if k else "data"]) for k in range(layers)
    ]
    out = InnerProductLayer(name="out", output_dim=5, bottoms=[f"ip{layers - 1}"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["out", "label"])
    return Net("n", [MemoryDataLayer(data=[data, labels], batch_size=batch), *hidden, out, loss])


@pytest.fixture(scope="module")
def dumped(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump")
    mochac.dump(net(), path)
    return path


@pytest.fixture
def folder(dumped, tmp_path):
    return Path(shutil.copytree(dumped, tmp_path / "copy"))


def kernel(folder: Path, pattern: str) -> Path:
    return next(iter(sorted(folder.glob(f"kernels/{pattern}.schedule"))))


def naive(path: Path) -> None:
    """Leave the first steps of a schedule alone, which put its nests into each other."""
    path.write_text("schedule naive\n")


@pytest.mark.slow
def test_an_edited_schedule_runs(folder):
    file = kernel(folder, "*ip0.inner_product")
    naive(file)
    with mochac.compile(net(), schedules=folder) as program, mochac.compile(net()) as plain:
        (mine,) = [k for k in program.kernels if k.origin == f"from {file.name}"]
        (theirs,) = [k for k in plain.kernels if k.name == mine.name]
        assert mine.schedule.name == "naive" and theirs.origin == "by rule"
        assert mine.text != theirs.text and mine.llvm != theirs.llvm
        assert f"schedule naive, from {file.name}" in program.explain()
        program.train(SGD(0.1), max_iter=3), plain.train(SGD(0.1), max_iter=3)
        for layer in ("ip0", "out"):
            ours, rule = (p.params[layer]["weight"][...] for p in (program, plain))
            np.testing.assert_allclose(ours, rule, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_schedules_of_the_rules_change_no_bit(tmp_path):
    mochac.dump(net(), tmp_path / "d")
    with mochac.compile(net(), schedules=str(tmp_path / "d")) as program, mochac.compile(net()) as plain:
        assert [k.text for k in program.kernels] == [k.text for k in plain.kernels]


@pytest.mark.slow
def test_a_file_taken_away_leaves_its_kernel_to_the_rules(folder):
    file = kernel(folder, "*ip0.inner_product")
    file.unlink()
    with mochac.compile(net(), schedules=folder) as program:
        origins = {k.name: k.origin for k in program.kernels}
    name = file.name.removesuffix(".schedule").partition("-")[2]
    assert origins[name] == "by rule" and set(origins.values()) != {"by rule"}


@pytest.mark.slow
def test_the_cache_tells_schedules_apart(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))
    for _ in range(2):  # the second time from the cache
        with mochac.compile(net(), schedules=folder) as program:
            program.train(SGD(0.1), max_iter=1)
    naive(kernel(folder, "*ip0.inner_product"))
    with mochac.compile(net(), schedules=folder) as program:
        program.train(SGD(0.1), max_iter=1)
        assert "naive" in {k.schedule.name for k in program.kernels}


@pytest.mark.slow
def test_other_nets_have_other_kernels(folder, caplog):
    with mochac.compile(net(batch=16), schedules=folder) as program:
        with pytest.raises(OptionError, match="no kernel has a loop nest of"):
            program.train(SGD(0.1), max_iter=1)
    file = kernel(folder, "*ip0.inner_product")
    staged = file.with_name(file.name.replace(".schedule", ".staged.kernel"))
    assert "48" in staged.read_text()
    staged.write_text(staged.read_text().replace("48", "50"))
    naive(file)
    with caplog.at_level(logging.WARNING), mochac.compile(net(), schedules=folder) as program:
        program.train(SGD(0.1), max_iter=1)
    assert f"no kernel has the loop nest of {file.name} in {folder}" in caplog.text


@pytest.mark.slow
def test_equal_kernels_share_a_schedule(tmp_path):
    deep = net(layers=3)
    mochac.dump(deep, tmp_path)
    first, second, third = sorted(tmp_path.glob("kernels/*ip?.inner_product.schedule"))
    naive(first)
    with pytest.raises(OptionError) as error:
        mochac.compile(deep, schedules=tmp_path)
    assert str(error.value) == (
        f"{first.name} and {second.name} are schedules of equal kernels, but differ\n  got  {tmp_path}\n"
        f"  hint: delete {first.name}, or edit both"
    )
    second.unlink(), third.unlink()
    with mochac.compile(deep, schedules=tmp_path) as program:
        assert [k.origin for k in program.kernels].count(f"from {first.name}") == 3


def test_what_does_not_fit_is_refused(folder):
    file = kernel(folder, "*ip0.inner_product")
    right = file.read_text()
    wrong = {
        "schedule x\n  split(loop=nowhere, factor=4, outer=a, inner=b, tail=cut)\n": "nowhere",
        "schedule x\n  splid(loop=a, factor=4)\n": "did you mean 'split'?",
        "nothing": "starts with 'schedule NAME'",
    }
    for text, said in wrong.items():
        file.write_text(text)
        with pytest.raises(OptionError) as error:
            mochac.compile(net(), schedules=folder)
        assert f"{file} is no schedule of its loop nest" in str(error.value) and said in str(error.value)
    file.write_text(right)
    file.with_name(file.name.replace(".schedule", ".staged.kernel")).unlink()
    with pytest.raises(OptionError, match=r"staged\.kernel cannot be read"):
        mochac.compile(net(), schedules=folder)


def test_wrong_values(tmp_path, folder):
    with pytest.raises(
        OptionError, match=r"holds no schedules\n  expected  the folder of a dump\n  hint: program\.dump"
    ):
        mochac.compile(tiny(), schedules=tmp_path / "nothing")
    with pytest.raises(OptionError, match="schedules is out of range\n  expected  the folder of a dump, or None,"):
        mochac.compile(tiny(), schedules=3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="schedules= and tune= both choose schedules"):
        mochac.compile(tiny(), schedules=folder, tune="quick")


@pytest.mark.slow
def test_code_for_a_device_that_is_not_here(tmp_path):
    mochac.dump(net(), tmp_path / "a", backend="cuda", target="sm_90", libraries=False)
    from mochac.api.compiler import dump_net
    from mochac.base.options import CompileOptions

    options = CompileOptions(backend="cuda", target="sm_90", libraries=False, schedules=tmp_path / "a")
    dump_net(net(), tmp_path / "b", options)
    assert (tmp_path / "a/module.cu").read_text() == (tmp_path / "b/module.cu").read_text()
    assert "from 00-" in (tmp_path / "b/explain.txt").read_text()


@pytest.mark.slow
def test_a_tile_that_does_not_fit_is_predicted_to_be_slow(tmp_path, compile_for):
    """LeNet's second convolution with tiles of 25 channels by the window of its pooling: most accumulators are spilled.
    It takes 2.2 times as long with AVX-512 (Zen 5), and by llvm-mca 2.0 with AVX2 and 2.5 with NEON."""
    compile_for("skylake-avx512")  # rates of its model, not those of a busy machine
    rng = np.random.default_rng(7)
    data, labels = rng.normal(size=(64, 20, 12, 12)).astype(np.float32), rng.integers(0, 50, 64)
    conv = ConvolutionLayer(name="conv", n_filter=50, kernel=(5, 5), bottoms=["data"])
    pool = PoolingLayer(name="pool", kernel=(2, 2), stride=(2, 2), bottoms=["conv"])
    out = InnerProductLayer(name="out", output_dim=50, bottoms=["pool"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["out", "label"])
    net = Net("n", [MemoryDataLayer(data=[data, labels], batch_size=64), conv, pool, out, loss])
    mochac.dump(net, tmp_path / "d", convolutions="direct")
    file = kernel(tmp_path / "d", "*conv.conv*")
    text, edits = re.subn(r"split\(loop=c, factor=\d+", "split(loop=c, factor=25", file.read_text())
    assert edits == 1
    file.write_text(text)
    direct = {"convolutions": "direct"}
    with mochac.compile(net, schedules=tmp_path / "d", **direct) as program, mochac.compile(net, **direct) as plain:
        edited, rule = (predicted(p, file.stem.partition("-")[2]) for p in (program, plain))
    assert 1.6 * rule < edited < 3 * rule


def predicted(program: mochac.Program, name: str) -> float:
    """Cycles that a kernel of the training step is predicted to take, on the slowest of four threads."""
    (kernel,) = [kernel for kernel in program.kernels if kernel.name == name]
    return kernel.predicted.slowest(4)
