"""What every op in the table must have; the cases come from the registry, so a new op needs no edit here."""

import numpy as np
import pytest

from mochac.ir import parse, verify
from mochac.ir.kernel_build import Alias, Nest, Pointwise, Repeated
from mochac.ir.op import OPS, run_reference
from mochac.ir.samples import draw
from mochac.ir.types import DTYPES

KINDS = {"elementwise", "contraction", "transform", "window", "row", "reduce", "shape", "source", "call", "loop"}


def samples(name):
    """An op's samples; the last one printed is the one that fails."""
    for k, sample in enumerate(OPS[name].samples):
        print(f"{name} sample {k}")
        yield sample


@pytest.mark.parametrize("name", list(OPS))
def test_every_op_is_complete_and_its_samples_survive_text(name):
    op = OPS[name]
    assert op.samples, "an op without samples is not tested by anything"
    assert op.kind in KINDS
    for sample in samples(name):
        case = draw(op, sample)
        assert isinstance(op.lowering(case.attrs), (Pointwise, Nest, Alias, Repeated))
        graph = case.graph()
        assert parse(str(graph)) == graph


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", list(OPS))
def test_references_give_the_inferred_types_and_agree(name):
    for sample in samples(name):
        single, double = (draw(OPS[name], sample, dtype) for dtype in ("f32", "f64"))
        wide = tuple(a.astype(np.float64) if a.dtype == np.float32 else a for a in single.arrays)
        for got, want in zip(checked(single, single.arrays), checked(double, wide), strict=True):
            if got.dtype.kind == "f":
                np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)
            else:
                np.testing.assert_array_equal(got, want)


def checked(case, arrays):
    """What the reference gives: of the inferred types, in a legal graph, and with its inputs as they were."""
    verify(case.graph())
    before = [array.copy() for array in arrays]
    results = run_reference(case.op, arrays, case.attrs)
    inferred = case.op.infer(*case.types, **case.attrs)
    assert [(r.shape, r.dtype) for r in results] == [(t.shape, DTYPES[t.dtype]) for t in inferred]
    for array, old in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, old)
    return results


@pytest.mark.parametrize("name", list(OPS))
def test_blocked_operands_give_blocked_results(name):
    """Layout passes through infer: batch results of blocked batch operands are blocked, everything else natural."""
    for sample in samples(name):
        case = draw(OPS[name], sample)
        if name == "relayout" or not any(t.batch for t in case.types):
            continue
        blocked = [t.with_(lanes=16) if t.batch and p not in case.op.natural else t for p, t in enumerate(case.types)]
        lanes = max(t.lanes for t in blocked)  # 0 if all operands must be natural
        plain = case.op.infer(*case.types, **case.attrs)
        for before, after in zip(plain, case.op.infer(*blocked, **case.attrs), strict=True):
            assert after == before.with_(lanes=lanes if before.batch else 0)
