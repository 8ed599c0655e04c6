"""compile(tune=) on a CUDA device, which the emulator stands in for: other schedules run there, are compared with the
interpreter, and replace the rules' where they are faster. Who is faster is decided here, since nothing takes time."""

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx
from tiny_net import tiny

import mochac
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir import parse
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.lowering.pipeline import lower
from mochac.lowering.tuning import search
from mochac.lowering.tuning.bench import Bench
from mochac.lowering.tuning.schedules import LEVELS, SearchLevel
from mochac.lowering.verification import check_native
from mochac.runtime.cuda.backend import CudaBackend

SHORT = SearchLevel("quick", 1e6, 1e6, 3, 0.0, rounds=2, confirming=2, burst_s=0.0, hops=1)
PRODUCT = """graph @product(%x: f32[b64,96], %w: f32[48,96] param) {
  %y: f32[b64,48] = inner_product(%x, %w)
  return %y
}"""
SUM = """graph @sums(%x: f32[b512,16,8,8]) {
  %y: f32[16] = reduce_sum(%x) {axes = (0,2,3)}
  return %y
}"""
SGD = mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.1))


def test_variants_are_other_tiles_and_rules():
    generator = CudaGenerator(CudaTarget(90))
    (kernel,) = to_kernels(fuse(parse(PRODUCT)))
    found = [variant.schedule for variant in generator.variants(kernel)]
    assert found[0] == generator.choose(kernel)
    assert len(set(found)) == len(found) > 10 and {"contraction.tiled", "reduce.block"} <= {s.name for s in found}


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("text", [PRODUCT, SUM])
def test_kernels_are_compared_with_the_interpreter_on_the_device(monkeypatch, text):
    """Kernels of one grid, of two, and of two in one launch."""
    backend = CudaBackend(device=use_device(monkeypatch, EmulatedDriver(watched=True)))
    check_native(lower(parse(text), backend.generator, scalars={}, named={"y": "y"}), backend)


@needs_gxx
@pytest.mark.slow
def test_faster_schedules_replace_those_of_the_rules(monkeypatch):
    use_device(monkeypatch, EmulatedDriver())
    plain, timed = mochac.compile(tiny(), backend="cuda", seed=1), []

    def ratios(bench, candidate, other, rounds, burst_s):
        timed.append(bench._seconds(candidate, 1))
        return [2.0] * rounds

    monkeypatch.setattr(Bench, "ratios", ratios)
    monkeypatch.setattr(search, "compared", lambda first, second, parts, rounds: dict.fromkeys(parts, 2.0))
    monkeypatch.setitem(LEVELS, "quick", SHORT)
    tuned = mochac.compile(tiny(), backend="cuda", seed=1, tune="quick")
    for program in (plain, tuned):
        program.train(SGD, max_iter=2)
    assert timed and "by search: 2.00x of the rule" in tuned.explain()
    for layer, params in plain.params.items():
        for name, value in params.items():
            np.testing.assert_allclose(tuned.params[layer][name], value, rtol=1e-5, atol=1e-6)
    plain.close()
    tuned.close()
