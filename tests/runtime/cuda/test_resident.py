"""Datasets that stay on the device: which do, what they cost, and that batches are a reader's, bit for bit."""

import contextlib
import gc
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx

import mochac
from mochac import (
    ConcatLayer,
    DataTransformers,
    HDF5DataLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    SoftmaxLossLayer,
)
from mochac.codegen.cuda.step import BEGIN, GATHER
from mochac.nets.solvers.update import Update
from mochac.runtime.cuda.null import NullDriver
from mochac.training.session.training_step import TrainingStep

SGD = mochac.SGD(lr_policy=LRPolicy.Inv(0.01, 0.1, 0.75))
TOPS = ["a", "b", "c", "label"]
SHAPES = [(2, 2, 3), (6,), (3,), (1,)]
"""Samples that are copied by four, two and one element at once."""
N, BATCH = 11, 4


class SilentDriver(EmulatedDriver):
    """Has memory, computes nothing."""

    load, function, execute = NullDriver.load, NullDriver.function, NullDriver.execute


@pytest.fixture
def driver(monkeypatch):
    found = SilentDriver()
    use_device(monkeypatch, found)
    return found


def arrays(kinds=("u1", "f4", "f4", "i8"), *, kept=True):
    """An array per top, of numbers from 0 to 250; kept: nobody may write to them."""
    rng = np.random.default_rng(3)
    found = [rng.integers(0, 251, (N, *shape)) for shape in SHAPES[:-1]] + [rng.integers(0, 3, (N, 1))]
    found = [array.astype(kind) for array, kind in zip(found, kinds, strict=True)]
    for array in found:
        array.flags.writeable = not kept
    return found


def net(data=None, **how):
    layer = data or MemoryDataLayer(name="in", data=arrays(), batch_size=BATCH, tops=TOPS, shuffle=True, **how)
    return Net("rows", [
        layer,
        InnerProductLayer(name="ip", output_dim=3, bottoms=["a"]),
        ConcatLayer(name="all", bottoms=["ip", "b", "c"], tops=["all"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["all"]),
        SoftmaxLossLayer(name="end", bottoms=["out", "label"]),
    ])  # fmt: skip


def two_layers():
    """Samples and labels from data layers of their own, of unequal length, each in an order of its own."""
    x, y = arrays()[0], np.arange(7) % 3
    y.flags.writeable = False
    return Net("two", [
        MemoryDataLayer(name="x", data=[x], batch_size=BATCH, tops=["a"], shuffle=True),
        MemoryDataLayer(name="y", data=[y], batch_size=BATCH, tops=["label"], shuffle=True),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["a"]),
        SoftmaxLossLayer(name="end", bottoms=["ip", "label"]),
    ])  # fmt: skip


def files(folder, sizes=(4, 1, 6), **how):
    first = 0
    for k, n in enumerate(sizes):
        with h5py.File(folder / "new", "w") as f:
            for top, array in zip(TOPS, arrays(), strict=True):
                f[top] = array[first : first + n]
        (folder / "new").replace(folder / f"{k}.h5")  # a reader may have the old one open
        first += n
    (folder / "list.txt").write_text("".join(f"{folder / f'{k}.h5'}\n" for k in range(len(sizes))))
    return HDF5DataLayer(name="in", source=str(folder / "list.txt"), batch_size=BATCH, tops=TOPS, shuffle=True, **how)


def columns(program):
    """What lies on the device, by top."""
    held, driver = program.session.plans.datasets._on_device, program.session.plans.backend.device.driver
    return {top: driver.bytes[c.address][: c.n_bytes].view(c.dtype) for (_, top), c in held.items()}


def words(program):
    return program.session.plans.datasets.words


def test_samples_are_sent_once_and_then_only_their_numbers(driver):
    with mochac.compile(net(), backend="cuda") as program:
        program.train(SGD, max_iter=3)
        for top, array in zip(TOPS, arrays(), strict=True):
            assert np.array_equal(columns(program)[top], array.reshape(-1))
        assert columns(program)["a"].dtype == np.uint8 and columns(program)["label"].dtype == np.float32
        before = driver.counts.copy()
        program.train(SGD, max_iter=100)
        assert driver.counts["uploads_bytes"] - before["uploads_bytes"] < 100 * (4 * BATCH * len(TOPS) + 40)
        assert BEGIN not in driver.launched and driver.launched.count(GATHER) == 103
        assert words(program) == "resident: 0.0 MB"
    assert not driver.live


@pytest.mark.parametrize("build", [net, pytest.param(two_layers, marks=pytest.mark.slow)])
def test_numbers_are_those_of_the_batches(driver, monkeypatch, build):
    seen, upload = [], driver.upload

    def watched(address, array, stream):
        seen.append((stream, array.copy()))
        upload(address, array, stream)

    monkeypatch.setattr(driver, "upload", watched)
    with (
        mochac.compile(build(), backend="cuda", seed=5) as program,
        mochac.compile(build(), backend="cpu", seed=5) as cpu,
    ):
        program.train(SGD, max_iter=1)
        program.train(SGD, max_iter=4)
        data = {top: array for layer in program.net.sources for top, array in zip(layer.tops, layer.data, strict=True)}
        keys = [placement.key for placement in program.session.main_plan().runner._layout.feeds]
        numbers = [a.view(np.int32) for stream, a in seen if stream is program.session.plans.backend.device.copies]
        tables = [a.reshape(-1, len(keys) * BATCH) for a in numbers]
        assert sum(map(len, tables)) == 5 and set(keys) == set(data)
        cpu.session.feed.wait(5)
        for row in np.concatenate(tables):
            for key, numbers in zip(keys, row.reshape(-1, BATCH), strict=True):
                assert np.array_equal(data[key][numbers], cpu.session.feed.arrays()[key])
            cpu.session.feed.release(1)
            cpu.session.feed.wait(1)


def test_programs_on_the_same_arrays_share_them(driver):
    data = arrays()
    layer = MemoryDataLayer(name="in", data=data, batch_size=BATCH, tops=TOPS, shuffle=True)
    again = MemoryDataLayer(name="other", data=data, batch_size=2, tops=TOPS)
    first, second = (mochac.compile(net(each), backend="cuda") for each in (layer, again))
    first.train(SGD, max_iter=1)
    before = driver.counts["uploads_bytes"]
    second.evaluate()
    first.evaluate()
    assert driver.counts["uploads_bytes"] - before < sum(a.nbytes for a in data) + 2000  # parameters, numbers
    held = [set(p.session.plans.datasets._on_device.values()) for p in (first, second)]
    assert held[0] == held[1] and {c.users for c in held[0]} == {2}
    first.close()
    assert {c.users for c in held[1]} == {1}
    second.close()
    assert not driver.live


def test_arrays_that_may_be_written_to_are_sent_for_every_long_training(driver):
    data = arrays(kept=False)
    layer = MemoryDataLayer(name="in", data=data, batch_size=BATCH, tops=TOPS)
    with mochac.compile(net(layer), backend="cuda") as program:
        program.train(SGD, max_iter=2)
        assert words(program) == "streamed: arrays that may be written to, in a run of no more than two epochs"
        program.evaluate()
        assert GATHER not in driver.launched
        for value in (7, 9):
            data[0][...] = value
            program.train(SGD, max_epoch=3)
            assert set(columns(program)["a"].tolist()) == {value} and words(program) == "resident: 0.0 MB"
        solver = mochac.Solver(SGD, max_iter=9)
        solver.init_solve(program)
        driver.launched.clear()
        solver.step()  # sees the arrays as they are now
        assert BEGIN in driver.launched and GATHER not in driver.launched
        solver.finalize()


def test_an_evaluation_of_arrays_leaves_the_dataset_of_the_training_in_its_place(driver):
    with mochac.compile(net(), backend="cuda") as program:
        program.train(SGD, max_iter=3)
        before = {top: column.copy() for top, column in columns(program).items()}
        others = {top: array[:5] for top, array in zip(TOPS, arrays(), strict=True)}
        program.evaluate(**others)
        assert all(np.array_equal(columns(program)[top], column) for top, column in before.items())


def test_steps_of_ones_own_gather_what_cannot_change(driver):
    with mochac.compile(net(), backend="cuda") as program:
        solver = mochac.Solver(SGD, max_iter=9)
        solver.init_solve(program)
        for _ in range(3):
            solver.step()
        solver.finalize()
        assert driver.launched.count(GATHER) == 3 and BEGIN not in driver.launched


@pytest.mark.slow
def test_a_large_set_is_sent_when_a_loop_of_ones_own_has_become_long(driver, monkeypatch):
    monkeypatch.setattr("mochac.runtime.cuda.resident_sets.AT_ONCE_BYTES", 10)
    with mochac.compile(net(), backend="cuda") as program:
        program.train(SGD, max_iter=2)
        assert words(program) == "streamed: more than 256 MiB, in a run of less than an epoch"
        driver.launched.clear()
        solver = mochac.Solver(SGD, max_iter=99)
        solver.init_solve(program)
        for _ in range(6):
            solver.step()
        assert [name for name in driver.launched if name in (BEGIN, GATHER)] == [BEGIN] * 2 + [GATHER] * 4
        solver.finalize()


@pytest.mark.slow
def test_every_batch_is_looked_at_where_that_is_asked_for(driver, monkeypatch):
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    with mochac.compile(net(), backend="cuda") as program:
        program.train(SGD, max_iter=9)
        assert GATHER not in driver.launched


def test_files_are_kept_until_they_change(driver, tmp_path, monkeypatch):
    monkeypatch.setattr("mochac.runtime.cuda.resident.CHUNK_BYTES", 100)
    with mochac.compile(net(files(tmp_path)), backend="cuda") as program:
        program.train(SGD, max_iter=1)
        before = columns(program)
        assert np.array_equal(before["b"], arrays()[1].reshape(-1))
        program.train(SGD, max_iter=1)
        with h5py.File(tmp_path / "1.h5", "r+") as f:
            f["b"][...] = -1
        (tmp_path / "1.h5").touch()
        program.train(SGD, max_iter=1)
        assert columns(program)["b"].tolist() == [*before["b"][:24], *[-1] * 6, *before["b"][30:]]
        assert len(driver.live) == len({id(a) for a in driver.live})
    assert not driver.live


@pytest.mark.slow
def test_a_program_nobody_holds_leaves_no_data_behind(driver):
    program = mochac.compile(net(), backend="cuda")
    program.train(SGD, max_iter=1)
    assert words(program).startswith("resident")
    del program
    gc.collect()
    assert not driver.live


def cut(folder):
    """Fewer samples than before."""
    files(folder, (4, 1, 3))


def spoil(folder):
    """A label that is no class."""
    with h5py.File(folder / "2.h5", "r+") as f:
        f["label"][2] = 7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "suppressed", "words"),
    [
        (cut, (), r"dataset 'a' of .*2.h5 has changed\n  expected  shape \(6, 2, 2, 3\),  got  shape \(3, 2, 2, 3\)"),
        (spoil, mochac.DataError, "data changed during training\n  expected  11 samples,  got  none that are as they"),
    ],
    ids=["other samples", "bad samples"],
)
def test_files_that_change_during_training_end_it(driver, tmp_path, change, suppressed, words):
    class Change:
        def enjoy(self, lounge, program, state):
            if state.iter == 2:
                change(tmp_path)
                with contextlib.suppress(suppressed):
                    program.evaluate()

    with mochac.compile(net(files(tmp_path)), backend="cuda") as program:
        solver = mochac.Solver(SGD, max_iter=9)
        solver.add_coffee_break(Change(), every_n_iter=2)
        with pytest.raises(mochac.DataError, match=words):
            program.train(solver)


def rewrite(folder, dtype, factor=1.0):
    """The same files with samples of another type."""
    for path in folder.glob("*.h5"):
        made = Path(shutil.copy(path, folder / "new"))
        with h5py.File(made, "r+") as f:
            values = f["a"][()]
            del f["a"]
            f["a"] = (values * factor).astype(dtype)
        made.replace(path)


def test_bytes_that_became_floats_are_sent_as_floats(driver, tmp_path):
    with mochac.compile(net(files(tmp_path)), backend="cuda") as program:
        program.train(SGD, max_iter=3)
        assert columns(program)["a"].dtype == np.uint8
        rewrite(tmp_path, np.float64, 1 / 100)
        program.train(SGD, max_iter=3)
        assert np.array_equal(columns(program)["a"], (arrays()[0].reshape(-1) / 100).astype(np.float32))
        rewrite(tmp_path, np.uint8)
        program.train(SGD, max_iter=3)
        assert columns(program)["a"].dtype == np.uint8


def test_files_that_change_while_a_plan_is_compiled_are_not_sent_as_what_they_were(driver, tmp_path):
    with mochac.compile(net(files(tmp_path)), backend="cuda") as program:
        program.session.begin(Update(SGD, 0.0))
        rewrite(tmp_path, np.float64, 1 / 100)
        with pytest.raises(mochac.DataError, match=r"has changed\n  expected  uint8, shape .*,  got  float64, shape"):
            TrainingStep(program.session).ready(1)
        assert words(program) == "streamed: files changed after the run began, in data layer 'in'"


class Restless(DataTransformers.Scale):
    """Might change its mind."""

    steady = False


def test_what_is_not_kept_is_streamed_and_said(driver, monkeypatch, caplog):
    cases = {
        "data layer 'in' has the transformer Restless, which may be different every time": {
            "transformers": [("b", Restless(2.0))]
        },
        "it takes 0.0 MB, half of the free memory is 0.0 MB": {},
        "MOCHAC_RESIDENT=0": {},
    }
    for why, how in cases.items():
        monkeypatch.setattr("mochac.runtime.cuda.resident_sets.SHARE", 0 if "free" in why else 0.5)
        monkeypatch.setenv("MOCHAC_RESIDENT", "0" if "RESIDENT" in why else "1")
        driver.launched.clear()
        with mochac.compile(net(**how), backend="cuda") as program:
            program.train(SGD, max_iter=2)
            assert words(program) == f"streamed: {why}"
            assert ("streamed" in caplog.text) == ("RESIDENT" not in why)
            assert GATHER not in driver.launched and BEGIN in driver.launched
        caplog.clear()


def test_a_device_that_fills_up_streams(driver, monkeypatch):
    def full(n_bytes, taken=driver.alloc):
        if n_bytes == N * 12:
            raise mochac.runtime.cuda.driver.DeviceMemoryError("out of memory")
        return taken(n_bytes)

    monkeypatch.setattr(driver, "alloc", full)
    with mochac.compile(net(), backend="cuda") as program:
        program.train(SGD, max_iter=2)
        assert words(program).startswith("streamed: not enough memory on CUDA device 0")
        assert GATHER not in driver.launched
    assert not driver.live


def test_a_full_device_says_what_datasets_take(driver):
    with mochac.compile(net(), backend="cuda") as program:
        program.train(SGD, max_iter=1)
        with pytest.raises(mochac.BackendError, match=r"held by mochac, 572 of it datasets\n.*MOCHAC_RESIDENT=0 keeps"):
            program.session.plans.backend.device.alloc(1 << 40, "a test")


def test_a_bad_sample_is_reported_when_its_batch_comes(driver):
    data = arrays()
    data[3] = np.array(data[3])
    data[3][9] = 3
    data[3].flags.writeable = False
    layer = MemoryDataLayer(name="in", data=data, batch_size=BATCH, tops=TOPS)
    with mochac.compile(net(layer), backend="cuda") as program:
        program.train(SGD, max_iter=2)
        assert words(program) == "streamed: label out of range, in data layer 'in'"
        with pytest.raises(mochac.DataError, match="blob 'label', sample 9"):
            program.train(SGD, max_iter=1)


def test_nothing_read_before_arrays_changed_is_used_where_sending_them_fails(driver):
    data = arrays(kept=False)
    layer = MemoryDataLayer(name="in", data=data, batch_size=BATCH, tops=TOPS)
    with mochac.compile(net(layer), backend="cuda") as program:
        program.train(SGD, max_iter=1)  # a reader goes on
        program.session.feed.wait(1)
        data[3][...] = 9
        with pytest.raises(mochac.DataError, match="got  9"):
            program.train(SGD, max_iter=30)


@pytest.mark.slow
def test_explain_says_where_the_data_is(driver):
    with mochac.compile(net(), backend="cuda") as program:
        assert "datasets      0.0 MB, on the device where half of its free memory holds them" in program.explain()
        program.train(SGD, max_iter=1)
        assert "datasets      resident: 0.0 MB" in program.explain()


# ---- on the emulator ------------------------------------------------------------------------------------------------

SLOW = [needs_gxx, pytest.mark.slow]
KINDS = [("u1", "f4", "f4", "i8"), ("u1", "u1", "u1", "u1"), ("f8", "?", ">i2", "f4"), ("i4", "f4", "u1", "?")]


def batches(program, steps):
    """What the device works on, step by step."""
    found = []
    for _ in range(steps):
        program.train(SGD, max_iter=1)
        runner = program.session.main_plan().runner
        found.append(
            {
                placement.key: runner.read(placement.name)
                for placement in runner.plan.placements
                if placement.place == "feed"
            }
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [pytest.param("float32", marks=SLOW), pytest.param("float64", marks=SLOW)])
def test_batches_are_those_of_the_cpu(monkeypatch, tmp_path, dtype):
    use_device(monkeypatch, EmulatedDriver(watched=True))
    mean = DataTransformers.SubMean(mean_blob=np.linspace(0, 1, 6))
    memory = [MemoryDataLayer(name="in", data=arrays(k), batch_size=BATCH, tops=TOPS, shuffle=True) for k in KINDS]
    changed = files(tmp_path, transformers=[("a", DataTransformers.Scale(1 / 255)), ("b", mean)])
    for layer in [*memory, changed]:
        given = {"dtype": dtype, "seed": 7}
        with (
            mochac.compile(net(layer), backend="cuda", **given) as gpu,
            mochac.compile(net(layer), backend="cpu", **given) as cpu,
        ):
            for found in batches(gpu, 6):
                cpu.session.feed.wait(1)
                for top, array in cpu.session.feed.arrays().items():
                    assert found[top].tobytes() == array.tobytes()
                cpu.session.feed.release(1)
            assert words(gpu).startswith("resident")
            assert gpu.session.batches.position.cursor() == cpu.session.batches.position.cursor()


@pytest.mark.slow
@pytest.mark.parametrize("reader", [pytest.param("memory", marks=SLOW), pytest.param("hdf5", marks=SLOW)])
def test_training_is_the_same_bits_resident_and_streamed(monkeypatch, tmp_path, reader):
    use_device(monkeypatch, EmulatedDriver())
    found = {}
    for resident in ("1", "0"):
        monkeypatch.setenv("MOCHAC_RESIDENT", resident)
        snapshots = str(tmp_path / f"snapshots{resident}")
        losses = []
        for upto in (5, 13):  # the second training resumes in the midst of an epoch
            layer = None if reader == "memory" else files(tmp_path)
            with mochac.compile(net(layer), backend="cuda", seed=9) as program:
                solver = mochac.Solver(SGD, max_iter=upto, load_from=snapshots)
                solver.add_coffee_break(mochac.Snapshot(snapshots), every_n_iter=5)
                solver.add_coffee_break(mochac.ValidationPerformance(program), every_n_iter=3)
                lounge = program.train(solver)
                losses += [program.forward(), program.evaluate()["end"], program.train(SGD, max_iter=2).statistics]
                assert words(program).startswith("resident" if resident == "1" else "streamed")
                state = [group[name][...].tobytes() for group in program.params.values() for name in group]
                losses += [lounge.statistics, program.session.batches.position.cursor(), state]
        found[resident] = losses
    assert found["1"] == found["0"]
