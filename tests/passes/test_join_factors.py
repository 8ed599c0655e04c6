"""join_factors: which products round a weight themselves, and that nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from parts_nets import native_lanes

import mochac
from mochac.codegen.canonical import canonical
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.join_products import join_factors
from mochac.ir.passes.pair_factors import pair_factors
from mochac.ir.text import parse

TEXT = """
graph @g(%x: f32[b16,1024], %w: f32[1024,1024] param, %b: f32[1024], %dy: f32[b16,1024]) {
  %y: f32[b16,1024] = inner_product(%x, %w, %b)
  %n: f32[b16,1024] = relu(%y)
  %dx: f32[b16,1024] = inner_product_dx(%dy, %w)
  %dw: f32[1024,1024] = inner_product_dw(%x, %dy)
  return %n, %dx, %dw
}
"""
SHAPES = {"x": (16, 1024), "w": (1024, 1024), "b": (1024,), "dy": (16, 1024)}
GENERATOR = CpuGenerator(CpuTarget.of("znver4", 64), "bfloat16")


def rounds(kernel):
    return GENERATOR.rounds(canonical(kernel)[0])


def joined(text=TEXT, near_bytes=0, rounds=rounds):
    graph = fuse(pair_factors(parse(text)))
    return join_factors(Staged.of(graph), rounds, near_bytes).kernels


def ops(kernels):
    return sorted(kernel.ops for kernel in kernels)


def test_products_round_the_weight_and_not_what_was_just_computed():
    found = joined()
    assert ops(found) == [
        ("inner_product_dw",), ("pairs",), ("pairs",), ("pairs",), ("pairs",),
        ("pairs", "inner_product", "relu"), ("pairs", "inner_product_dx"),
    ]  # fmt: skip
    (forward,) = (k for k in found if "inner_product" in k.ops)
    assert forward.root == "inner_product" and forward.inputs[0].name == "w"
    for kernel in found:
        verify_kernel(kernel)


@pytest.mark.parametrize(
    ("text", "near_bytes"),
    [
        (TEXT, 1024 * 1024 * 6),
        (TEXT.replace(" param", ""), 0),
        (TEXT.replace("%w: f32", "%v: f32").replace("%y:", "%w: f32[1024,1024] = neg(%v)\n  %y:"), 0),
    ],
)
def test_what_stays_near_is_rounded_by_a_kernel_of_its_own(text, near_bytes):
    """A weight that L2 holds with its pairs; a fed value; a value that another kernel has stored."""
    assert ("pairs", "inner_product", "relu") not in ops(joined(text, near_bytes))


def test_pairs_that_two_products_read_are_stored():
    twice = TEXT.replace("%dx:", "%z: f32[b16,1024] = inner_product(%x, %w)\n  %dx:").replace("%dw\n}", "%dw, %z\n}")
    found = ops(joined(twice))
    assert ("pairs", "inner_product", "relu") not in found and ("pairs", "inner_product_dx") in found


def test_the_backend_may_refuse():
    apart = Staged.of(fuse(pair_factors(parse(TEXT))))
    assert join_factors(apart, lambda kernel: None, 0) == apart
    assert join_factors(apart, lambda kernel: (False,), 0) == apart


def test_notes_do_not_say_that_joined_pairs_are_stored():
    graph = fuse(pair_factors(parse(TEXT)))
    after = join_factors(Staged.of(graph), rounds, 0).graph
    assert any(str(note).startswith("%w.pairs -> ") for note in graph.notes)
    assert not any(str(note).startswith("%w.pairs -> ") for note in after.notes)
    assert any(str(note).startswith("%x.pairs -> ") for note in after.notes)


@pytest.mark.slow
def test_a_product_of_many_blocks_of_samples_would_round_too_often():
    """A weight that is rounded again for each block of 1000s of samples."""
    kernel = next(k for k in joined() if "inner_product" in k.ops)
    assert rounds(kernel) == (True,)
    many = joined(TEXT.replace("b16", "b8000"), rounds=lambda kernel: (True,))
    assert rounds(next(k for k in many if "inner_product" in k.ops)) == (False,)


@pytest.mark.slow
@pytest.mark.parametrize("op", ["inner_product", "inner_product_dx"])
def test_bits_are_those_of_two_kernels(op):
    """As scheduled for Zen 4, by the interpreter."""
    rng = np.random.default_rng(3)
    arrays = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in SHAPES.items()}
    want = mochac.ir.run(pair_factors(parse(TEXT)), arrays)
    kernels = joined()
    (kernel,) = (k for k in kernels if op in k.ops)
    for k in kernels:
        if k.ops == ("pairs",):
            arrays |= run_kernel(k, {k.inputs[0].name: arrays[k.inputs[0].name]})
    schedule = GENERATOR.choose(kernel)
    assert schedule.name.startswith("factors.product.")
    scheduled = apply(schedule, kernel)
    verify_kernel(scheduled, printable=True)
    given = {b.name: arrays[b.name] for b in kernel.inputs}
    got, naive = (run_kernel(k, given)[kernel.outputs[0].name] for k in (scheduled, kernel))
    np.testing.assert_allclose(got, naive, rtol=1e-5, atol=1e-4)  # lanes are added up in another order
    np.testing.assert_allclose(got, want[kernel.outputs[0].name], rtol=1e-5, atol=1e-4)


@pytest.mark.slow
def test_training_has_the_same_bits(monkeypatch, tmp_path):
    """Natively, with weights that do not fit into L2, and two vectors of samples."""
    rng, n = np.random.default_rng(0), 2 * native_lanes()
    data = mochac.MemoryDataLayer(data=[rng.normal(size=(n, 700)), rng.integers(0, 5, n)], batch_size=n)
    layers = [
        mochac.InnerProductLayer(name="first", output_dim=600, bottoms=["data"], neuron=mochac.Neurons.Tanh()),
        mochac.InnerProductLayer(name="second", output_dim=600, bottoms=["first"], neuron=mochac.Neurons.ReLU()),
        mochac.InnerProductLayer(name="last", output_dim=5, bottoms=["second"]),
        mochac.SoftmaxLossLayer(name="loss", bottoms=["last", "label"]),
    ]
    found = []
    for apart in (False, True):
        if apart:
            monkeypatch.setattr(CpuGenerator, "rounds", lambda self, joined: None)
        monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / str(apart)))
        net = mochac.Net("wide", [data, *layers])
        with mochac.compile(net, precision="bfloat16", seed=1, backend="cpu") as program:
            assert ("schedule factors." in program.explain()) is not apart
            program.train(mochac.SGD(), max_iter=5)
            found.append({name: program.params[name]["weight"][...].copy() for name in ("first", "second", "last")})
    for name, weight in found[0].items():
        np.testing.assert_array_equal(weight, found[1][name])
