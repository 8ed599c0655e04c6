"""C libraries compute the bits that Python computes: predictions, weights after many steps, saved states."""

from pathlib import Path

import numpy as np
import pytest
from clib_kit import Failure, Instance, built, needs_cc
from nets import cifar, digits, lenet, mlp, rows

import mochac
from mochac import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    BatchNormLayer,
    BilinearInitializer,
    ConstantInitializer,
    DataTransformers,
    DeconvolutionLayer,
    DropoutLayer,
    EmbeddingLayer,
    GaussianInitializer,
    InfoNCELossLayer,
    InnerProductLayer,
    InputLayer,
    L2Cons,
    LRPolicy,
    LSTMLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    MomPolicy,
    NAdam,
    Nesterov,
    Net,
    Neurons,
    OrthogonalInitializer,
    Program,
    RAdam,
    RMSProp,
    SoftmaxLossLayer,
    Solver,
)
from mochac.nets.layers import initializers
from mochac.nets.layers.config import config
from mochac.nets.layers.initializers import Initializer
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.cpuinfo import host_cpu

pytestmark = needs_cc


def trained(net: Net, method, steps: int, load_from: str = "", **how) -> Program:
    program = mochac.compile(net, threads=1)
    solver = Solver(method, max_iter=steps, load_from=load_from, **how)
    solver.progress = False
    program.train(solver)
    return program


def stepped(instance: Instance, x: np.ndarray, y: np.ndarray, first: int, steps: int, batch: int) -> float:
    loss = 0.0
    for k in range(first, first + steps):
        at = k * batch % len(x)
        loss = instance.step(data=x[at : at + batch], label=y[at : at + batch])
    return loss


def same_parameters(instance: Instance, program: Program, tmp_path: Path) -> bool:
    program.save(tmp_path / "python.safetensors")
    return instance.save() == (tmp_path / "python.safetensors").read_bytes()


METHODS = {
    "SGD": SGD(LRPolicy.Inv(0.05, 0.01, 0.75), momentum=MomPolicy.Linear(0.5, 0.1, 10, 0.9)),
    "Nesterov": Nesterov(LRPolicy.Cosine(0.05, 40), momentum=0.9),
    "Adam": Adam(LRPolicy.WarmUp(5, LRPolicy.Exp(0.01, 0.99))),
    "AdamW": AdamW(LRPolicy.OneCycle(0.01, 50), decay=0.1),
    "RAdam": RAdam(LRPolicy.Staged((7, 0.01), (8, LRPolicy.Step(0.02, 0.5, 3)), (1, LRPolicy.Polynomial(0.1, 2, 99)))),
    "NAdam": NAdam(LRPolicy.Linear(0.01, 0.001, 40)),
    "Adamax": Adamax(LRPolicy.Exp(0.01, 0.99)),
    "RMSProp": RMSProp(0.001),
    "Adagrad": Adagrad(),
    "Adadelta": Adadelta(),
}


def test_the_methods_are_all_there():
    from mochac.nets.solvers.method import METHODS as KNOWN

    assert {cls.__name__ for name, cls in KNOWN.items() if name not in KNOWN.foreign} == set(METHODS)


@pytest.mark.slow
def test_lenet_trains_and_predicts(tmp_path):
    net, (x, y) = lenet(), digits()
    method = SGD(LRPolicy.Inv(0.01, 0.0001, 0.75), momentum=0.9)
    library = built(tmp_path / "c", net, Solver(method))
    instance = library.instance()
    assert instance.evaluate(2, data=x, label=y) == list(mochac.compile(net).evaluate().values())
    stepped(instance, x, y, 0, 40, 16)
    with trained(net, method, 40) as program:
        assert same_parameters(instance, program, tmp_path)
        for n in (1, 16, 128):
            assert np.array_equal(instance.predict((10,), data=x[:n])[0], program.predict(x[:n]))
        assert np.allclose(instance.predict((10,), data=x[:5])[0], program.predict(x[:5]), rtol=1e-4, atol=1e-5)
        assert instance.evaluate(2, data=x, label=y) == list(program.evaluate().values())


def wide(batch: int = 16) -> Net:
    """Large enough for pairs of bfloat16."""
    rng = np.random.default_rng(0)
    given = [rng.normal(size=(64, 48)).astype(np.float32), rng.integers(0, 24, 64)]
    data = MemoryDataLayer(name="in", data=given, batch_size=batch)
    hidden = InnerProductLayer(name="hidden", output_dim=40, bottoms=["data"], neuron=Neurons.ReLU())
    last = InnerProductLayer(name="last", output_dim=24, bottoms=["hidden"])
    return Net("wide", [data, hidden, last, SoftmaxLossLayer(name="loss", bottoms=["last", "label"])])


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["native", "skylake-avx512", "haswell"])
def test_bfloat16(cpu, tmp_path, monkeypatch, caplog):
    """With the instructions and without them, a library has the bits of the program."""
    if host_cpu().vector_bytes < {"skylake-avx512": 64, "haswell": 32}.get(cpu, 0):
        pytest.skip(f"NO {cpu} HERE")
    net = wide()
    x, y = net.layers[0].data
    library = built(tmp_path / "c", net, SGD(0.1), targets=[cpu], precision="bfloat16")
    assert "float32, factors rounded to bfloat16" in (tmp_path / "c" / "explain.txt").read_text()
    assert ("has no instructions for bfloat16" in caplog.text) == (
        cpu != "native" or not target_of(host_cpu()).bfloat16
    )
    instance = library.instance()
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    stepped(instance, x, y, 0, 12, 16)
    with mochac.compile(net, precision="bfloat16", backend="cpu", threads=1) as program:
        program.train(SGD(0.1), max_iter=12, verbose=0)
        assert same_parameters(instance, program, tmp_path)
        for n in (1, 16, 64):
            assert np.array_equal(instance.predict((24,), data=x[:n])[0], program.predict(x[:n]))


@pytest.mark.parametrize(
    ("net", "method"),
    [
        pytest.param(lenet(), Adam(LRPolicy.Inv(0.003, 0.0001, 0.5)), id="lenet", marks=pytest.mark.slow),
        pytest.param(mlp(), Nesterov(LRPolicy.Exp(0.05, 0.99)), id="mlp", marks=pytest.mark.slow),
        pytest.param(cifar(16), SGD(0.001), id="cifar", marks=pytest.mark.slow),
        pytest.param(cifar(100), SGD(0.001), id="cifar of 100", marks=pytest.mark.soak),
    ],
)
def test_200_steps_with_and_without_threads_resumed_on_either_side(net, method, tmp_path):
    (x, y), batch = net.sources[0].data, net.batch
    library = built(tmp_path / "c", net, Solver(method, regu_coef=0.004), batches=batch, warn=False)
    instance = library.instance()
    stepped(instance, x, y, 0, 90, batch)
    (tmp_path / "c.safetensors").write_bytes(instance.save("save_state"))
    stepped(instance, x, y, 90, 110, batch)
    for how in ({}, {"load_from": str(tmp_path / "c.safetensors")}):
        with trained(net, method, 200, regu_coef=0.004, **how) as program:
            assert same_parameters(instance, program, tmp_path)
    with trained(net, method, 90, regu_coef=0.004) as program:
        program.save(tmp_path / "python.safetensors", training=True)
    with library.pool(2) as pool:
        shared = library.instance(threads=2, saved=(tmp_path / "python.safetensors").read_bytes())
        shared.share(2, pool)
        stepped(shared, x, y, 90, 110, batch)
    assert shared.save("save_state") == instance.save("save_state")


@pytest.mark.slow
def test_every_method(tmp_path):
    """Each for a layer of its own."""
    bottoms = ["data", *METHODS]
    layers = [InnerProductLayer(name=n, output_dim=5, bottoms=[b]) for n, b in zip(METHODS, bottoms, strict=False)]
    net, (x, y) = mlp(extra=(*layers,)), rows()
    method = {f"{name}.*": method for name, method in METHODS.items()} | {"ip*": METHODS["SGD"]}
    instance = built(tmp_path / "c", net, Solver(method, clip_norm=1.0), batches=(8,)).instance()
    stepped(instance, x, y, 0, 25, 8)
    with trained(net, method, 25, clip_norm=1.0) as program:
        assert same_parameters(instance, program, tmp_path)
        program.save(tmp_path / "state.safetensors", training=True)
    assert instance.save("save_state") == (tmp_path / "state.safetensors").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("momentum", [0.0, MomPolicy.Step(0.0, 1.0, 9), 0.5])
def test_the_state_of_an_embedding(momentum, tmp_path):
    """Python updates the rows that a batch names, C the whole table."""
    ids, y = np.arange(40).reshape(40, 1) % 7, np.arange(40) % 3
    net = Net("words", [
        MemoryDataLayer(data=[ids, y], tops=["ids", "label"], batch_size=8),
        EmbeddingLayer(name="table", vocabulary=20, output_dim=4, bottoms=["ids"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["table"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ])  # fmt: skip
    instance = built(tmp_path / "c", net, SGD(0.1, momentum=momentum)).instance()
    for k in range(6):
        instance.step(ids=ids[k * 8 % 40 :][:8], label=y[k * 8 % 40 :][:8])
    with trained(net, SGD(0.1, momentum=momentum), 6) as program:
        program.save(tmp_path / "state.safetensors", training=True)
    assert instance.save("save_state") == (tmp_path / "state.safetensors").read_bytes()


@pytest.mark.slow
def test_dropout_norms_constraints_and_accumulated_gradients(tmp_path):
    extra = (
        BatchNormLayer(name="bn", bottoms=["ip1"]),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["bn"]),
        InnerProductLayer(name="mid", output_dim=12, weight_cons=L2Cons(0.5, every_n_iter=3), bottoms=["drop"]),
    )
    net, (x, y), method = mlp(extra=extra), rows(), SGD(0.1, momentum=0.5)
    library = built(tmp_path / "c", net, Solver(method, accumulate=2), batches=(8,))
    assert "#define MLP_BATCH 16" in library.header
    instance = library.instance()
    loss = stepped(instance, x, y, 0, 11, 16)
    with trained(net, method, 11, accumulate=2) as program:
        assert same_parameters(instance, program, tmp_path)
        assert loss == program.session.last_training.statistics.get("obj_val", {}).get(11, loss)


@pytest.mark.slow
def test_samples_that_meet_in_a_loss(tmp_path):
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(48, 5)).astype(np.float32), rng.integers(0, 3, (48, 1)).astype(np.float32)
    net = Net("contrastive", [
        MemoryDataLayer(name="d", data=[x, y], batch_size=16),
        InnerProductLayer(name="a", output_dim=4, bottoms=["data"], tops=["a"]),
        InfoNCELossLayer(name="loss", bottoms=["a", "label"], temperature=0.5),
    ])  # fmt: skip
    instance = built(tmp_path / "c", net, Solver(SGD(0.1)), warn=False).instance()
    stepped(instance, x, y, 0, 6, 16)
    with trained(net, SGD(0.1), 6) as program:
        assert same_parameters(instance, program, tmp_path)
        assert instance.evaluate(1, data=x, label=y) == list(program.evaluate().values())
        assert np.array_equal(instance.predict((4,), data=x[:16])[0], program.predict(x[:16], blob="a"))


@pytest.mark.slow
def test_transformers_are_applied(tmp_path):
    """Several with an array of constants, too."""
    mean, std = np.linspace(-1, 1, 6), np.linspace(1, 2, 6)
    steps = DataTransformers.SubMean(mean_blob=mean), DataTransformers.Scale(0.5), DataTransformers.Normalize(mean, std)
    change = [("data", step) for step in steps]
    net, (x, y), method = mlp(transformers=change), rows(), SGD(0.1)
    instance = built(tmp_path / "c", net, method).instance()
    stepped(instance, x, y, 0, 5, 8)
    with trained(net, method, 5) as program:
        assert same_parameters(instance, program, tmp_path)
        assert np.array_equal(instance.predict((2,), data=x[:1])[0], program.predict(x[:1]))


@pytest.mark.slow
def test_double_precision(tmp_path):
    net, (x, y), method = mlp(), rows(), SGD(0.1, momentum=0.5)
    instance = built(tmp_path / "c", net, method, dtype="float64", batches=8).instance()
    stepped(instance, x, y, 0, 20, 8)
    with mochac.compile(net, dtype="float64") as program:
        program.train(method, max_iter=20, verbose=0)
        assert same_parameters(instance, program, tmp_path)


@pytest.mark.slow
def test_scalars_are_set_and_saved(tmp_path):
    net, (x, y), method = mlp(), rows(), SGD(LRPolicy.Inv(0.1, 0.1, 0.5), momentum=0.5)
    library = built(tmp_path / "c", net, method, batches=8)
    instance = library.instance()
    stepped(instance, x, y, 0, 3, 8)
    assert instance.get("lr") == method.hypers(3)["lr"]
    instance.set("lr", 0.25)
    stepped(instance, x, y, 3, 2, 8)
    state = instance.save("save_state")
    instance.set("lr", float("nan"))
    assert instance.get("lr") == method.hypers(5)["lr"]
    again = library.instance(saved=state)
    assert again.get("lr") == 0.25
    stepped(again, x, y, 5, 2, 8)
    (tmp_path / "state.safetensors").write_bytes(state)
    with trained(net, method, 7, load_from=str(tmp_path / "state.safetensors")) as program:
        assert same_parameters(again, program, tmp_path)
    for name, value, text in (("lr", -1.0, "scalar is out of range"), ("rate", 1.0, "no scalar of this name")):
        with pytest.raises(Failure, match=text):
            instance.set(name, value)
    with pytest.raises(Failure, match="out of range"):
        instance.set("momentum", 1.5)


@pytest.mark.slow
def test_groups_have_scalars_of_their_own(tmp_path):
    """Whatever their patterns hold: names of scalars go into strings, comments and headers of C."""
    net, (x, y) = mlp(), rows()
    biases, weights = '*[.][b"]ia[!*/?\\\n]', "*.[wW]eight"
    method = {biases: Adam(LRPolicy.Exp(0.05, 0.9)), weights: SGD(0.1, momentum=0.5)}
    instance = built(tmp_path / "c", net, method, batches=8).instance()
    stepped(instance, x, y, 0, 3, 8)
    assert instance.get(f"{biases}.lr") == 0.05 * 0.9**3
    instance.set(f"{weights}.lr", 0.01)
    stepped(instance, x, y, 3, 2, 8)
    (tmp_path / "state.safetensors").write_bytes(instance.save("save_state"))
    with trained(net, method, 7, load_from=str(tmp_path / "state.safetensors")) as program:
        stepped(instance, x, y, 5, 2, 8)
        assert same_parameters(instance, program, tmp_path)
    with pytest.raises(Failure, match="out of range"):
        instance.set(f"{weights}.momentum", 1.5)


@pytest.mark.slow
def test_outputs_are_those_of_output_layers(tmp_path):
    x, _ = rows()
    net = Net(
        "two",
        [
            MemoryDataLayer(name="d", data=[x], tops=["x-1"], batch_size=20),
            InnerProductLayer(name="a", output_dim=3, bottoms=["x-1"]),
            InnerProductLayer(name="b", output_dim=4, neuron=Neurons.Sigmoid(), bottoms=["a"]),
            MemoryOutputLayer(name="out", bottoms=["b", "a"]),
        ],
    )
    library = built(tmp_path / "c", net, params=mochac.compile(net).params)
    assert "two_predict(two *net, const float *x_1, int64_t n, float *b, float *a);" in library.header
    program = mochac.compile(net)
    b, a = library.instance().predict((4,), (3,), **{"x-1": x[:33]})
    assert np.allclose(a, program.predict(x[:33], blob="a"), atol=1e-6)
    assert np.allclose(b, program.predict(x[:33], blob="b"), atol=1e-6)
    assert not hasattr(library.dll, "two_step")
    only = built(tmp_path / "only", net, outputs=["a"], params=program.params, name="only")
    assert np.array_equal(only.instance().predict((3,), **{"x-1": x[:20]})[0], program.predict(x[:20], blob="a"))


@config
class Halves(Initializer):
    def fill(self, shape, dtype, generator):
        return np.full(shape, 0.5, dtype)


def layers_of_every_initializer() -> list[mochac.Layer]:
    """Products, and an enlarged image for the initializer of filters."""
    kinds = [value for value in vars(initializers).values() if isinstance(value, type)]
    kinds = [kind for kind in kinds if issubclass(kind, Initializer) and kind is not Initializer]
    layers: list[mochac.Layer] = [InputLayer(name="x", shape=(4, 70)), InputLayer(name="image", shape=(4, 2, 3, 3))]
    enlarged = {"n_filter": 2, "n_group": 2, "kernel": (4, 5), "stride": 2, "bias": False}
    for k, kind in enumerate(kinds):
        name = f'{k}\u00e9"'
        if kind is BilinearInitializer:
            layers.append(DeconvolutionLayer(name=name, filter_init=kind(), bottoms=["image"], **enlarged))
        else:
            layers.append(InnerProductLayer(name=name, output_dim=80, weight_init=kind(), bottoms=["x"]))
        layers.append(MemoryOutputLayer(name=f"out{k}", bottoms=[name]))
    return layers


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_initial_values_are_drawn_as_python_draws_them(dtype, tmp_path):
    layers = layers_of_every_initializer()
    for k, init in enumerate((GaussianInitializer(0.5, 0.1), ConstantInitializer(3.0), OrthogonalInitializer(2.0))):
        layers.append(InnerProductLayer(name=f"more{k}", output_dim=33, weight_init=init, bottoms=["x"]))
        layers.append(MemoryOutputLayer(name=f"out-more{k}", bottoms=[f"more{k}"]))
    net = Net("drawn", layers)
    library = built(tmp_path / dtype, net, batches=1, dtype=dtype)
    for seed in (0, 7, 2**64 - 1):
        with mochac.compile(net, seed=seed, dtype=dtype) as program:
            assert same_parameters(library.instance(seed=seed), program, tmp_path)


@pytest.mark.slow
def test_initial_values_that_only_python_draws(tmp_path):
    layers = [
        InputLayer(name="x", shape=(4, 3)),
        InnerProductLayer(name="ip", output_dim=2, weight_init=Halves(), bottoms=["x"]),
    ]
    library = built(tmp_path / "c", Net("plain", layers))
    assert "init_drawn" not in library.header
    assert np.array_equal(library.instance().predict((2,), x=np.ones((3, 3)))[0], np.full((3, 2), 1.5))


@pytest.mark.slow
def test_recurrent_nets(tmp_path):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(48, 7, 5)).astype(np.float32), rng.integers(0, 3, (48, 1)).astype(np.float32)
    layers = [
        MemoryDataLayer(name="d", data=[x, y], batch_size=8),
        LSTMLayer(name="lstm", output_dim=12, last=True, bottoms=["data"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["lstm"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ]
    net, method = Net("recurrent", layers), Adam(0.01)
    library = built(tmp_path / "c", net, method, batches=8)
    alone, shared = library.instance(), library.instance(threads=2)
    with library.pool(2) as pool:
        shared.share(2, pool)
        for instance in (alone, shared):
            stepped(instance, x, y, 0, 12, 8)
    with trained(net, method, 12) as program:
        assert same_parameters(alone, program, tmp_path)
        assert np.array_equal(alone.predict((3,), data=x[:8])[0], program.predict(x[:8]))
    assert shared.save("save_state") == alone.save("save_state")
