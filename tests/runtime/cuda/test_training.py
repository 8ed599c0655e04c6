"""Programs on a device compute what programs on the CPU compute, and take over from each other: on the emulator, and
with -m gpu on the first device of this machine."""

import importlib
from pathlib import Path

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx
from tiny_net import samples, tiny

import mochac
from mochac import (
    AccuracyLayer,
    Adam,
    BatchNormLayer,
    ConvolutionLayer,
    DropoutLayer,
    EmbeddingLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    MulticlassHingeLossLayer,
    Net,
    Neurons,
    PoolingLayer,
    SoftmaxLossLayer,
)
from mochac.codegen.cuda.schedules import split_sum
from mochac.inspect.replay import replay
from mochac.runtime.cuda.measurements import DevicePeak

SGD = mochac.SGD(lr_policy=LRPolicy.Inv(0.1, 0.1, 0.75), mom_policy=MomPolicy.Fixed(0.9))
EXAMPLES = Path(__file__).parents[3] / "examples"
CLOSE = {"float32": 2e-5, "float64": 1e-12}


@pytest.fixture(
    params=[pytest.param("emulated", marks=[needs_gxx, pytest.mark.slow]), pytest.param("real", marks=pytest.mark.gpu)],
    autouse=True,
)
def device(request, monkeypatch):
    if request.param == "emulated":
        use_device(monkeypatch, EmulatedDriver())


def mlp():
    rng = np.random.default_rng(8)
    x, y = rng.standard_normal((24, 7)).astype(np.float32), rng.integers(0, 3, 24)
    return Net("mlp", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=5, tops=["data", "label"], shuffle=True),
        InnerProductLayer(name="a", output_dim=9, neuron=Neurons.Tanh(), bottoms=["data"]),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["a"]),
        InnerProductLayer(name="b", output_dim=3, bottoms=["a"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])  # fmt: skip


def voided():
    """A class at every pixel, some of which count for nothing, in three judgements."""
    rng = np.random.default_rng(9)
    x, y = rng.standard_normal((11, 2, 3, 3)).astype(np.float32), rng.integers(0, 4, (11, 1, 3, 3))
    y[rng.uniform(size=y.shape) < 0.3] = 255
    judged = {"bottoms": ["scores", "label"], "ignore_label": 255}
    return Net("voided", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=5, tops=["data", "label"]),
        ConvolutionLayer(name="scores", n_filter=4, kernel=1, bottoms=["data"]),
        SoftmaxLossLayer(name="loss", **judged),
        MulticlassHingeLossLayer(name="hinges", norm="L2", weight=0.1, **judged),
        AccuracyLayer(name="accuracy", top_k=2, **judged),
    ])  # fmt: skip


def lenet():
    """Two convolutions with pools between, all of whose sums are long enough to be cut."""
    rng = np.random.default_rng(10)
    x, y = rng.standard_normal((14, 1, 13, 13)).astype(np.float32), rng.integers(0, 3, 14)
    return Net("lenet in parts", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=7, tops=["data", "label"]),
        ConvolutionLayer(name="conv1", n_filter=5, kernel=4, bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"]),
        ConvolutionLayer(name="conv2", n_filter=6, kernel=3, neuron=Neurons.ReLU(), bottoms=["pool1"]),
        InnerProductLayer(name="ip1", output_dim=12, neuron=Neurons.ReLU(), bottoms=["conv2"]),
        InnerProductLayer(name="ip2", output_dim=3, bottoms=["ip1"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
    ])  # fmt: skip


def assert_alike(a, b):
    for key, group in a.params.items():
        for name, parameter in group.items():
            other = b.params[key][name][...]
            np.testing.assert_allclose(other, parameter[...], rtol=CLOSE[a.dtype], atol=CLOSE[a.dtype])


@pytest.mark.slow
def test_an_overflow_of_the_last_update_is_told(tmp_path):
    """It is looked for without bringing anything home."""
    solver = mochac.Solver(mochac.SGD(lr_policy=LRPolicy.Fixed(3e38), mom_policy=MomPolicy.Fixed(0.0)), max_iter=1)
    solver.add_coffee_break(mochac.Snapshot(tmp_path), every_n_iter=1)
    with mochac.compile(mlp(), backend="cuda") as gpu:
        gpu.train(SGD, max_iter=2)
        assert [copy.newer for copy in gpu.params["a"]["weight"].copies] == [True]
        with pytest.raises(mochac.NumericError, match=r"iteration 1: (parameter|solver slot) .* became -?inf"):
            gpu.train(solver)
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot-000000.h5"]


GROUPS = {
    "a.*": mochac.RMSProp(0.01, eps_in_sqrt=False, centered=True, momentum=0.5, weight_decay=0.1),
    "*.bias": mochac.SGD(0.1, momentum=0.9, history="gradients", dampening=0.3),
    "*": Adam(LRPolicy.Exp(0.01, 0.9), epsilon_hat=False, amsgrad=True),
}
CASES = [
    (tiny, SGD, "float32"), (mlp, Adam(), "float64"), (mlp, GROUPS, "float64"), (voided, SGD, "float32"),
]  # fmt: skip
OTHER = [(tiny, SGD, "float64"), (mlp, Adam(), "float32"), (voided, SGD, "float64")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("net", "method", "dtype"), [*CASES, *(pytest.param(*case, marks=pytest.mark.soak) for case in OTHER)]
)
def test_training_gives_the_cpus_parameters(net, method, dtype):
    with (
        mochac.compile(net(), backend="cpu", dtype=dtype) as cpu,
        mochac.compile(net(), backend="cuda", dtype=dtype) as gpu,
    ):
        for program in (cpu, gpu):
            program.train(method, max_iter=12, clip_norm=2.0, clip_value=0.3)
        assert_alike(cpu, gpu)
        assert gpu.forward() == pytest.approx(cpu.forward(), rel=1e-5)
        for program in (cpu, gpu):
            program.backward()
        for key, group in cpu.grads.items():
            for name, gradient in group.items():
                np.testing.assert_allclose(gpu.grads[key][name], gradient, rtol=1e-4, atol=1e-6)
        assert gpu.evaluate() == pytest.approx(cpu.evaluate(), rel=1e-5)
        x = cpu.net.sources[0].data[0]
        np.testing.assert_allclose(gpu.predict(x), cpu.predict(x), rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_rows_of_a_table_are_those_of_the_cpu():
    """They change in place on the device; with momentum, from the middle on, all rows do."""
    rng = np.random.default_rng(11)
    ids, y = rng.integers(0, 9, (15, 3)), rng.integers(0, 3, 15)
    net = Net("words", [
        MemoryDataLayer(name="in", data=[ids, y], batch_size=5, tops=["ids", "label"]),
        EmbeddingLayer(name="words", vocabulary=12, output_dim=37, bottoms=["ids"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["words"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ])  # fmt: skip
    with mochac.compile(net, backend="cpu") as cpu, mochac.compile(net, backend="cuda") as gpu:
        for program in (cpu, gpu):
            before = program.params["words"]["weight"][...].copy()
            solver = mochac.Solver(mochac.SGD(0.2), max_iter=6)
            solver.init_solve(program)
            for k in range(6):
                solver.hypers["momentum"] = 0.5 * (k >= 4)
                solver.step()
            solver.finalize()
            np.testing.assert_array_equal(program.params["words"]["weight"][9:], before[9:])
        assert_alike(cpu, gpu)


@pytest.mark.slow
def test_accumulated_gradients_give_the_cpus_parameters():
    """Two plans share parameters, slots and sums on the device."""
    with mochac.compile(mlp(), backend="cpu") as cpu, mochac.compile(mlp(), backend="cuda") as gpu:
        for program in (cpu, gpu):
            program.train(SGD, max_iter=4, accumulate=3)
        assert_alike(cpu, gpu)


@pytest.mark.slow
def test_averages_are_those_of_the_cpu():
    found = []
    for backend in ("cpu", "cuda"):
        with mochac.compile(mlp(), backend=backend) as program:
            solver = mochac.Solver(Adam(), max_iter=5)
            solver.add_coffee_break(mochac.ParameterAverage(0.7), every_n_iter=2)
            program.train(solver)
            found.append((program.averages["a"]["weight"][...], program.evaluate(average=True)))
    (cpu, measured), (gpu, measured_there) = found
    np.testing.assert_allclose(gpu, cpu, rtol=1e-4, atol=1e-6)
    assert measured_there == pytest.approx(measured, rel=1e-4)


@pytest.mark.slow
def test_norms_are_those_of_the_cpu():
    found = []
    for backend in ("cpu", "cuda"):
        with mochac.compile(mlp(), backend=backend) as program:
            solver = mochac.Solver(Adam(), max_iter=4)
            solver.add_coffee_break(mochac.ParameterNorms(), every_n_iter=2)
            found.append(program.train(solver, verbose=0).statistics)
    assert found[0].keys() == found[1].keys() and any(name.startswith("gradient/") for name in found[0])
    for name, rows in found[0].items():
        assert found[1][name] == pytest.approx(rows, rel=1e-4)


@pytest.mark.parametrize("net", [mlp, tiny])
def test_steps_on_arrays_are_those_of_the_cpu(net):
    """Also where the device keeps the data layers' own samples, which are not used."""
    with mochac.compile(net(), backend="cpu") as cpu, mochac.compile(net(), backend="cuda") as gpu:
        for program in (cpu, gpu):
            sources = program.net.sources
            arrays = {top: a[: program.batch_size] for s in sources for top, a in zip(s.tops, s.data, strict=True)}
            solver = mochac.Solver(SGD)
            solver.init_solve(program)
            losses = [solver.step(**arrays), solver.step(), solver.step(**arrays)]
            solver.finalize()
            assert len(losses) == 3
        assert_alike(cpu, gpu)


@pytest.mark.slow
def test_updates_by_gradients_from_outside_are_those_of_the_cpu():
    """Some gradients are replaced on the host; the others never leave the device."""
    with mochac.compile(tiny(), backend="cpu") as cpu, mochac.compile(tiny(), backend="cuda") as gpu:
        for program in (cpu, gpu):
            solver = mochac.Solver(SGD, accumulate=2)
            solver.init_solve(program)
            for k in range(4):
                program.forward()
                program.backward(diffs={"out": np.full((4, 3), 0.1 * k - 0.1)})
                program.grads["conv"]["filter"] *= 0.5
                solver.update()
            solver.step()
            assert solver.state.iter == 3
            solver.finalize()
        assert_alike(cpu, gpu)


def test_two_runs_give_the_same_bits():
    found = []
    for _ in range(2):
        with mochac.compile(mlp(), backend="cuda") as program:
            program.train(SGD, max_iter=7)
            found.append({key: group["weight"][...].tobytes() for key, group in program.params.items()})
    assert found[0] == found[1]


@pytest.mark.slow
def test_sums_in_parts_train_as_whole_ones(monkeypatch, tmp_path):
    """Every sum of products that is not pooled is split in three, with the solver's update in the second grid."""

    def third(kernel, form, target):
        return -(-form.extent.get(split_sum.along(kernel, form), 1) // 3)

    monkeypatch.setattr(split_sum, "terms_of_part", third)
    monkeypatch.setattr(DevicePeak, "_timed", lambda *args: 1.0)  # loops this long are for devices
    found = []
    for _ in range(2):
        with mochac.compile(lenet(), backend="cpu") as cpu, mochac.compile(lenet(), backend="cuda") as gpu:
            for program in (cpu, gpu):
                program.train(SGD, max_iter=5)
            assert_alike(cpu, gpu)
            found.append({name: values.tobytes() for name, values in gpu.parameters().items()})
            of = {launch.of for launch in gpu.session.main_plan().compiled.plan.launches}
            assert {"conv1.conv_dw+conv1.filter", "conv2.conv_dw+conv2.filter", "ip1.inner_product"} <= of
    assert found[0] == found[1]
    with mochac.compile(lenet(), backend="cuda") as gpu:
        gpu.dump(tmp_path)
        assert "a grid of conv2.conv_dw" in gpu.explain()
        profile = gpu.profile(1)
        assert "conv2.conv_dw+conv2.filter.parts" in str(profile)
        assert "predicted" in str(profile) and all(row.predicted for row in profile.rows)
    assert replay(tmp_path).agreed


def normed():
    """Statistics of a batch normalization are sums of few results."""
    rng = np.random.default_rng(4)
    x, y = rng.standard_normal((12, 3, 10, 10)).astype(np.float32), rng.integers(0, 3, 12)
    return Net("normed", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=6, tops=["data", "label"]),
        BatchNormLayer(name="norm", bottoms=["data"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["norm"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip


@pytest.mark.slow
def test_the_last_block_ends_sums_in_parts(monkeypatch, tmp_path):
    """In one launch, with one result in every step of a graph and the same bits in every run."""
    monkeypatch.setattr(split_sum, "pays", lambda *args: True)
    monkeypatch.setattr(DevicePeak, "_timed", lambda *args: 1.0)  # loops this long are for devices
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))
    found = []
    for _ in range(2):
        with mochac.compile(normed(), backend="cpu") as cpu, mochac.compile(normed(), backend="cuda") as gpu:
            for program in (cpu, gpu):
                program.train(SGD, max_iter=6)
            assert_alike(cpu, gpu)
            found.append({name: values.tobytes() for name, values in gpu.parameters().items()})
            plan = gpu.session.main_plan().compiled.plan
            counters = [p for p in plan.placements if p.name.endswith(".blocks")]
            assert counters and not any(launch.of for launch in plan.launches)
            others = [p for p in plan.placements if p.place == "arena" and p not in counters]
            assert max(p.offset + p.type.storage_bytes for p in others) <= min(p.offset for p in counters)
            assert len({p.offset for p in counters}) == len(counters)
    assert found[0] == found[1]
    with mochac.compile(normed(), backend="cuda") as gpu:
        gpu.dump(tmp_path / "dump")
        assert "mochac_last_block(" in (tmp_path / "dump" / "module.cu").read_text()
        assert "norm" in str(gpu.profile(1))
    assert replay(tmp_path / "dump").agreed


@pytest.mark.parametrize("order", [("cpu", "cuda"), ("cuda", "cpu")])
def test_a_snapshot_resumes_on_the_other_backend(order, tmp_path):
    for backend, upto in zip(order, (4, 9), strict=True):
        with mochac.compile(mlp(), backend=backend) as program:
            solver = mochac.Solver(SGD, max_iter=upto, load_from=str(tmp_path))
            solver.add_coffee_break(mochac.Snapshot(str(tmp_path)), every_n_iter=4)
            program.train(solver)
            resumed = {key: group["weight"][...] for key, group in program.params.items()}
    with mochac.compile(mlp(), backend="cpu") as straight:
        straight.train(SGD, max_iter=9)
        for key, value in resumed.items():
            np.testing.assert_allclose(value, straight.params[key]["weight"][...], rtol=2e-5, atol=2e-6)


def test_programs_of_both_backends_share_parameters():
    with mochac.compile(tiny(), backend="cuda") as gpu, mochac.compile(tiny(), backend="cpu", params=gpu.params) as cpu:
        cpu.evaluate()
        gpu.train(SGD, max_iter=3)
        assert cpu.evaluate() == pytest.approx(gpu.evaluate(), rel=1e-5)
        cpu.train(SGD, max_iter=2)
        assert cpu.evaluate() == pytest.approx(gpu.evaluate(), rel=1e-5)
        gpu.params["ip"]["weight"] = 0
        assert cpu.evaluate() == pytest.approx(gpu.evaluate(), rel=1e-5)


@pytest.mark.slow
def test_breaks_freeze_keep_and_models(tmp_path, monkeypatch):
    monkeypatch.setattr(DevicePeak, "_timed", lambda *args: 1.0)  # loops this long are for devices
    with mochac.compile(tiny(), backend="cuda", keep=["ip"]) as gpu, mochac.compile(tiny(), backend="cpu") as cpu:
        before = gpu.params["conv"]["filter"][...]
        gpu.freeze("conv")
        solver = mochac.Solver(SGD, max_iter=4)
        solver.add_coffee_break(mochac.ValidationPerformance(cpu), every_n_iter=2)
        lounge = gpu.train(solver)
        assert np.array_equal(gpu.params["conv"]["filter"][...], before)
        assert gpu.blobs["ip"].shape == (4, 4) and np.isfinite(gpu.blobs["ip"]).all()
        assert any(name.startswith("end") for name in lounge.statistics)
        gpu.save(tmp_path / "model.h5")
        cpu.load(tmp_path / "model.h5")
        assert_alike(gpu, cpu)
        x = samples()[0]
        np.testing.assert_allclose(cpu.predict(x), gpu.predict(x), rtol=1e-4, atol=1e-6)
        assert "conv.conv+pool" in str(gpu.profile(2))


@pytest.mark.slow
def test_a_dump_is_replayed(tmp_path):
    with mochac.compile(tiny(), backend="cuda") as gpu:
        gpu.train(SGD, max_iter=2)
        gpu.dump(tmp_path)
    report = replay(tmp_path)
    assert report.agreed and [ran.stage for ran in report.others][-4:] == ["naive", "schedule", "scheduled", "native"]


@pytest.mark.slow
@pytest.mark.parametrize("example", ["own_layer", "own_op"])
def test_layers_and_ops_of_a_users_own(example, monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES / "own-layer"))
    net = importlib.import_module(example).net
    with mochac.compile(net, backend="cpu") as cpu, mochac.compile(net, backend="cuda") as gpu:
        for program in (cpu, gpu):
            program.train(SGD, max_iter=2)
        assert_alike(cpu, gpu)


@pytest.mark.slow
def test_a_resumed_run_has_the_bits_of_a_straight_one(tmp_path):
    found = []
    for folder, stops in (("straight", [9]), ("resumed", [4, 9])):
        for upto in stops:
            with mochac.compile(mlp(), backend="cuda") as program:
                solver = mochac.Solver(Adam(), max_iter=upto, load_from=str(tmp_path / folder))
                solver.add_coffee_break(mochac.Snapshot(str(tmp_path / folder)), every_n_iter=4)
                program.train(solver)
                values = {key: group["weight"][...].tobytes() for key, group in program.params.items()}
        found.append(values)
    assert found[0] == found[1]


def test_blobs_gradients_and_early_stopping_are_the_cpus():
    with mochac.compile(tiny(), backend="cpu") as cpu, mochac.compile(tiny(), backend="cuda") as gpu:
        for program in (cpu, gpu):
            program.forward()
            program.backward()
        for of in ("blobs", "blob_diffs"):
            for name, values in getattr(cpu, of).items():
                np.testing.assert_allclose(getattr(gpu, of)[name], values, rtol=1e-4, atol=1e-6)
        for program in (cpu, gpu):
            solver = mochac.Solver(mochac.SGD(lr_policy=LRPolicy.Fixed(1.5)), max_iter=40)
            solver.add_coffee_break(mochac.EarlyStopping("end", test=program, patience=2), every_n_iter=2)
            program.train(solver)
        np.testing.assert_allclose(
            gpu.params["ip"]["weight"][...], cpu.params["ip"]["weight"][...], rtol=1e-3, atol=1e-4
        )
        gpu.close()
        with pytest.raises(mochac.OptionError, match="program 'tiny' is closed"):
            gpu.forward()


@pytest.mark.parametrize("method", [SGD, Adam()], ids=["SGD", "Adam"])
def test_training_goes_on_bit_for_bit(method):
    """train(resume=True): slots that only the device has the newest values of."""

    def trained(*limits):
        with mochac.compile(mlp(), backend="cuda") as program:
            for limit in limits:
                program.train(method, max_iter=limit, resume=True)
            return {n: a.tobytes() for n, a in {**program.parameters(), **program.session.slots()}.items()}

    assert trained(3, 4) == trained(7)


@pytest.mark.slow
def test_parameters_are_lent_where_they_are_on_the_device():
    """What others write there is seen by the next step, and by the host."""
    with mochac.compile(mlp(), backend="cuda") as program:
        weight = program.params["a"]["weight"]
        program.train(SGD, max_iter=2)
        lent = weight.__cuda_array_interface__
        address, read_only = lent["data"]
        assert (lent["shape"], lent["typestr"], read_only) == ((9, 7), "<f4", False)
        (copy,) = weight.copies
        assert copy.newer and address == copy.address
        before = np.asarray(weight)
        weight[...] = 2 * before
        assert weight.__cuda_array_interface__["data"] == (address, False)
        with copy.device.use() as driver:
            found = np.empty((9, 7), np.float32)
            driver.download(found, address, copy.device.stream)
            driver.wait(copy.device.stream)
            np.testing.assert_array_equal(found, 2 * before)
            driver.upload(address, 3 * before, copy.device.stream)
            driver.wait(copy.device.stream)
        np.testing.assert_array_equal(np.asarray(weight), 3 * before)
    with pytest.raises(AttributeError, match=r"parameter a\.weight is not on a CUDA device"):
        _ = weight.__cuda_array_interface__
