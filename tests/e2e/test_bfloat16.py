"""precision="bfloat16" on a CPU: code of nets against the interpreter bit for bit, errors of operations, training."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    InnerProductLayer,
    LSTMLayer,
    MemoryDataLayer,
    MultiHeadAttentionLayer,
    Net,
    NetClassifier,
    Neurons,
    OptionError,
    PoolingLayer,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
)
from mochac.base.options import Options
from mochac.inspect.replay import replay
from mochac.ir import parse
from mochac.ir.bfloat16 import parts
from mochac.ir.kernel import Accum, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.lowering.main_plan import lowered_net
from mochac.lowering.operands import any_operands, draw_inputs, operands
from mochac.lowering.pipeline import lower
from mochac.lowering.run_graph import run_graph
from mochac.lowering.verification import LoneKernel
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.compiler import assembly
from mochac.runtime.cpu.cpuinfo import named_cpu


def data(*shape, classes=5, batches=2):
    """Classes that differ in a few features."""
    rng = np.random.default_rng(3)
    labels = rng.integers(0, classes, batches * shape[0])
    x = rng.normal(size=(batches * shape[0], *shape[1:])).astype(np.float32)
    x.reshape(len(x), -1)[np.arange(len(x)), labels] += 6.0
    return MemoryDataLayer(data=[x, labels], batch_size=shape[0])


def ending(bottom, classes=5):
    last = InnerProductLayer(name="last", output_dim=classes, bottoms=[bottom])
    return [last, SoftmaxLossLayer(name="loss", bottoms=["last", "label"])]


def perceptron():
    first = InnerProductLayer(name="first", output_dim=37, bottoms=["data"], neuron=Neurons.ReLU())
    second = InnerProductLayer(name="second", output_dim=64, bottoms=["first"], neuron=Neurons.Tanh())
    return Net("perceptron", [data(24, 51), first, second, *ending("second")])


def convolutions():
    """The first has too few channels to pair; the second has a stride."""
    one = ConvolutionLayer(name="one", kernel=(3, 3), n_filter=16, pad=(1, 1), bottoms=["data"], neuron=Neurons.ReLU())
    two = ConvolutionLayer(name="two", kernel=(2, 2), stride=(2, 2), n_filter=17, bottoms=["one"])
    three = ConvolutionLayer(name="three", kernel=(1, 1), n_filter=24, bottoms=["two"], neuron=Neurons.ReLU())
    pool = PoolingLayer(name="pool", kernel=(2, 2), stride=(2, 2), bottoms=["three"])
    return Net("convolutions", [data(20, 3, 12, 12), one, two, three, pool, *ending("pool")])


def recurrent():
    return Net("recurrent", [data(16, 7, 20), LSTMLayer(name="cell", output_dim=24, bottoms=["data"]), *ending("cell")])


def attention():
    heads = MultiHeadAttentionLayer(name="heads", heads=2, causal=True, bottoms=["data"])
    return Net("attention", [data(8, 24, 32), heads, *ending("heads")])


INEXACT = {"tanh", "sigmoid", "softmax", "reduce_sum"}
"""Ops whose code differs from NumPy's in the last bit, or adds up lanes in another order."""
NETS = [perceptron, convolutions, recurrent, attention]


@pytest.fixture(scope="module")
def backend():
    return CpuBackend(precision="bfloat16")


@pytest.mark.slow
@pytest.mark.parametrize("net", NETS)
def test_sums_of_pairs_have_the_bits_of_the_interpreter(net, backend):
    """Every kernel that multiplies pairs, as it is scheduled."""
    lowered = lowered_net(net(), backend, convolutions="direct")
    drawn, seen = draw_inputs(lowered.stages[0][1]), set()
    for kernel in lowered.kernels:
        adds = {s.fn for s in walk(kernel.naive.body) if isinstance(s, Accum)}
        if "dot2" not in adds or id(kernel.canonical) in seen:
            continue
        seen.add(id(kernel.canonical))
        given = operands(lowered.graph, kernel.naive, drawn) or any_operands(kernel.naive)
        arrays = dict(zip((b.name for b in kernel.scheduled.inputs), given.inputs, strict=True))
        want = run_kernel(kernel.scheduled, arrays)
        got = LoneKernel.of(lowered, kernel).run(backend, given)
        for flat, other in zip(want.values(), got, strict=True):
            one = flat.reshape(other.shape)  # schedules may make lines of the axes of an image
            np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-6 * np.abs(one).max(), err_msg=kernel.naive.name)
            if not set(kernel.naive.ops) & INEXACT:
                np.testing.assert_array_equal(one, other, err_msg=kernel.naive.name)
    assert len(seen) >= 3


def test_operands_of_a_kernel_alone_have_pairs_of_usual_size():
    text = "kernel @k(%x: bf16x2[40]) -> (%y: bf16x2[40]) {\n each i in 0..40 {\n %a = %x[i]\n %y[i] = %a\n }\n}\n"
    for numbers in parts(any_operands(parse_kernel(text)).inputs[0]):
        assert np.all((numbers >= 0.5) & (numbers <= 1.5)) and len(set(numbers.tolist())) > 20


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("net", NETS)
def test_trains_about_as_well_as_in_float32_with_the_same_bits_on_any_number_of_threads(net):
    found, losses = [], []
    for precision, threads in (("float32", 1), ("bfloat16", 1), ("bfloat16", 2), ("bfloat16", 3)):
        with mochac.compile(net(), precision=precision, threads=threads, seed=1) as program:
            program.train(SGD(lr_policy=mochac.LRPolicy.Fixed(0.05)), max_iter=40)
            found.append(program.params["last"]["weight"][...].copy())
            losses.append(float(program.forward()))
    np.testing.assert_array_equal(found[1], found[2])
    np.testing.assert_array_equal(found[1], found[3])
    assert np.abs(found[0] - found[1]).max() > 0
    assert losses[1] < 1.3 and abs(losses[1] - losses[0]) < 0.1 * max(losses[0], 0.3)


OPS = {
    "inner_product(%x, %w)": ("f32[b33,70]", "f32[45,70]", "f32[b33,45]"),
    "inner_product_dx(%x, %w)": ("f32[b33,45]", "f32[45,70]", "f32[b33,70]"),
    "inner_product_dw(%x, %w)": ("f32[b34,70]", "f32[b34,45]", "f32[45,70]"),
    "conv(%x, %w) {stride = (1,1), pad = (1,1)}": ("f32[b17,19,6,7]", "f32[21,19,3,3]", "f32[b17,21,6,7]"),
    "conv(%x, %w) {stride = (2,1), pad = (0,1)}": ("f32[b4,16,6,7]", "f32[24,16,2,3]", "f32[b4,24,3,7]"),
    "conv_dx(%x, %w) {shape = (17,16,6,7), stride = (1,1), pad = (1,1)}": (
        "f32[b17,19,6,7]", "f32[19,16,3,3]", "f32[b17,16,6,7]"
    ),
    "conv_dw(%x, %w) {kernel = (1,1), stride = (1,1), pad = (0,0)}": (
        "f32[b17,19,6,10]", "f32[b17,21,6,10]", "f32[21,19,1,1]"
    ),
    "conv_dw(%x, %w) {kernel = (1,), stride = (1,), pad = (0,)}": ("f32[b32,64,9]", "f32[b32,48,9]", "f32[48,64,1]"),
    'einsum(%x, %w) {spec = "bqhd,bkhd->bhqk"}': ("f32[b2,40,2,24]", "f32[b2,40,2,24]", "f32[b2,2,40,40]"),
    'einsum(%x, %w) {spec = "bhqk,bkhd->bqhd"}': ("f32[b2,2,40,33]", "f32[b2,33,2,24]", "f32[b2,40,2,24]"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("call", OPS)
def test_error_is_that_of_rounded_factors(call, backend):
    """Within 2^-8 of the sum of the terms' sizes: two factors, each rounded by at most 2^-9."""
    x, w, y = OPS[call]
    graph = parse(f"graph @g(%x: {x}, %w: {w}) {{ %y: {y} = {call} return %y }}")
    rng = np.random.default_rng(5)
    inputs = {i.name: rng.normal(size=i.type.shape).astype(np.float32) for i in graph.inputs}
    got = run_graph(graph, inputs, backend=backend, convolutions="direct")["y"]
    exact = mochac.ir.run(graph, inputs, dtype="f64")["y"]
    sizes = mochac.ir.run(graph, {name: np.abs(a) for name, a in inputs.items()}, dtype="f64")["y"]
    error = np.abs(got - exact) / sizes
    assert 2**-20 < error.max() <= 2**-8


@pytest.mark.slow
def test_explain_says_how_pairs_are_multiplied():
    assert "vdpbf16ps" not in mochac.explain(perceptron(), target="znver4")
    fast = mochac.explain(perceptron(), target="znver4", precision="bfloat16")
    slow = mochac.explain(perceptron(), target="haswell", precision="bfloat16")
    assert "Precision bfloat16" in fast and "pairs of them are multiplied by vdpbf16ps; in float32:" in fast
    assert "pairs of them are multiplied in float32, several instructions for a pair; in float32:" in slow
    assert "inner_product_dw  fewer than 8 products for each element of a factor" in fast


@pytest.mark.slow
def test_code_for_cpus_with_the_instruction_uses_it(tmp_path):
    mochac.dump(perceptron(), tmp_path, target="znver4", precision="bfloat16")
    kernels = [path.read_text() for path in tmp_path.rglob("*.s")]
    assert sum("vdpbf16ps" in code for code in kernels) >= 4
    assert any("vcvtne2ps2bf16" in code for code in kernels)


def test_neighbours_of_a_row_are_rounded_without_shuffles():
    """Pairs along the last axis: one instruction for 32 numbers of a row, which leaves them in order."""
    graph = parse("graph @g(%x: f32[8,96]) { %y: bf16x2[8,48] = pairs(%x) {axis = 1} return %y }")
    cpu = named_cpu("znver4")
    lowered = lower(graph, CpuBackend(cpu=cpu, precision="bfloat16").generator, scalars={}, named={"y": "y"})
    code = assembly(str(lowered.text), cpu)
    assert "vcvtne2ps2bf16" in code
    assert "vperm" not in code and "vshuf" not in code


def test_other_precisions_are_refused():
    with pytest.raises(OptionError, match="precision='tf32' can only be used with cuBLAS and cuDNN"):
        mochac.compile(perceptron(), precision="tf32", backend="cpu")
    with pytest.raises(OptionError, match="applies to float32 only"):
        mochac.compile(perceptron(), precision="bfloat16", dtype="float64", backend="cpu")


def test_a_cpu_without_the_instruction_warns(caplog):
    if CpuBackend(Options()).generator.target.bfloat16:
        pytest.skip("this CPU has AVX512_BF16")
    with mochac.compile(perceptron(), precision="bfloat16", backend="cpu"):
        pass
    assert "has no instructions for bfloat16" in caplog.text


@pytest.mark.slow
def test_a_training_goes_on_in_another_precision(tmp_path, caplog):
    """Snapshots hold float32 numbers."""
    for precision, iterations in (("bfloat16", 4), ("float32", 8)):
        with mochac.compile(perceptron(), precision=precision, backend="cpu") as program:
            solver = Solver(SGD(), max_iter=iterations, load_from=tmp_path)
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=4)
            program.train(solver)
            assert program.params["first"]["weight"][...].dtype == np.float32
    assert "was written with precision='bfloat16', this training has 'float32': products round otherwise" in caplog.text


@pytest.mark.slow
def test_estimators_take_a_precision():
    x = np.random.default_rng(0).normal(size=(200, 40)).astype(np.float32)
    y = (x[:, 0] > 0).astype(int)
    layers = [InnerProductLayer(name="hidden", output_dim=32, bottoms=["data"], neuron=Neurons.ReLU())]
    found = [
        NetClassifier(layers, max_epoch=3, precision=p, backend="cpu").fit(x, y).predict_proba(x)
        for p in ("float32", "bfloat16")
    ]
    assert 0 < np.abs(found[0] - found[1]).max() < 0.05


@pytest.mark.slow
def test_stages_of_a_dump_agree_behind_the_rounding(tmp_path):
    with mochac.compile(perceptron(), precision="bfloat16", backend="cpu") as program:
        program.dump(tmp_path)
    report = replay(tmp_path)
    assert report.agreed and report.reference.stage == "pair_factors"
    assert replay(tmp_path, "assign_layout").agreed and replay(tmp_path, "native").agreed
