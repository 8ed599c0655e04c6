"""Nets of random layers of every kind: whatever is wrong with them, the answer is a MochacError that names a layer and
a line.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from mochac import (
    ConstantInitializer,
    ElementWiseFunctors,
    IdentityLayer,
    LRNMode,
    MemoryDataLayer,
    MochacError,
    Net,
    OptionError,
    OrthogonalInitializer,
    Pooling,
)
from mochac.ir import verify
from mochac.nets.layers.base import LAYERS, Layer, Source
from mochac.nets.layers.config import rules
from mochac.nets.trace import trace

KINDS = [cls for _, cls in LAYERS.items() if not issubclass(cls, Source)]
small = st.integers(1, 4)
shapes = st.lists(small, max_size=3).map(tuple)
FIELDS = {
    "kernel": st.tuples(small, small),
    "stride": small,
    "pad": st.integers(0, 2),
    "n_filter": small,
    "n_group": st.sampled_from([1, 1, 2]),
    "output_dim": small,
    "axis": st.sampled_from([1, 1, 2, 3, -1, -2]),
    "shape": st.lists(small, min_size=1, max_size=3),
    "param_key": st.sampled_from(["", "", "shared"]),
    "report_error": st.booleans(),
    "divisor": st.sampled_from(["kernel", "caffe", "valid"]),
    "crop_size": st.tuples(small, small),
    "n_class": small,
    "outdim": st.integers(2, 3),
    "output_dims": st.lists(small, min_size=1, max_size=2),
    "M": st.sampled_from([[[0, 1], [1, 0]], [[1]]]),
    "lambda_": st.just(1.0),
    "weights": st.sampled_from([[], [], [1, 2], [0]]),
    "normalize": st.sampled_from(["local", "global", "no"]),
    "tied_param_key": st.sampled_from(["shared", "l0", "l1"]),
    "filename": st.just("never-written.h5"),
    "pooling": st.sampled_from([Pooling.Max(), Pooling.Mean()]),
    "mode": st.sampled_from([LRNMode.AcrossChannel(), LRNMode.WithinChannel()]),
    "operation": st.sampled_from([ElementWiseFunctors.Add(), ElementWiseFunctors.Divide()]),
    "init": st.sampled_from([ConstantInitializer(1), OrthogonalInitializer()]),
    "filter": st.sampled_from(["", "", "b0", "b1", "data", "nowhere"]),
    "bias": st.sampled_from(["", "", "b0", "b1"]),
}
WEIGHT_BLOB = st.sampled_from(["", "", "b0", "b1", "label", "nowhere"])


@st.composite
def layers(draw: st.DrawFn) -> list[Layer]:
    batch = draw(small)
    arrays = [np.zeros((5, *draw(shapes))), np.zeros((5, 1))]
    found: list[Layer] = [MemoryDataLayer(name="in", data=arrays, batch_size=batch)]
    blobs = ["data", "label", "nowhere"]
    for k in range(draw(st.integers(1, 5))):
        found.append(draw(one_layer(k, blobs)))
        blobs[-1:] = [*found[-1].tops, "nowhere"]
    return draw(st.permutations(found))


@st.composite
def one_layer(draw: st.DrawFn, k: int, blobs: list[str]) -> Layer:
    """A layer that its own constructor takes."""
    cls = draw(st.sampled_from(KINDS))
    n = cls.n_bottoms[0] + (draw(st.integers(0, 1)) if cls.n_bottoms[1] is None else 0)
    bottoms = [draw(st.sampled_from(blobs[:-1] if draw(small) > 1 else blobs)) for _ in range(n)]
    fields = {f: draw(FIELDS[f]) for f in rules(cls) if f in FIELDS}
    fields |= {"weight": draw(WEIGHT_BLOB)} if "weight" in cls.blob_fields else {}
    tops = [f"b{k}{'x' * j}" for j in range(n if cls.paired else 1)] if cls.n_tops[1] != 0 else []
    try:
        return cls(name=f"l{k}", bottoms=bottoms, tops=tops, **fields)
    except OptionError as e:  # such a record does not exist: it has settings of what is a blob, it takes a blob once
        event(f"no such record: {e.rule}")
        return IdentityLayer(name=f"l{k}", bottoms=["data"], tops=[f"b{k}"])


def built(given_layers: list[Layer]) -> Net | MochacError:
    try:
        return Net("fuzzed", given_layers)
    except MochacError as e:
        return e


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 2, deadline=None, derandomize=True)
@given(layers())
def test_a_net_is_built_or_refused_with_names(given_layers):
    net = built(given_layers)
    event("refused" if isinstance(net, MochacError) else "built")
    if isinstance(net, MochacError):
        assert all(p.layer and p.at for p in net.problems)
        return
    for mode in ("train", "test"):
        fits = not net.emitted(training=True, dtype="f64", seed=0, batch=3).problems  # a parameter fits one batch size
        traced = trace(net, mode, "float64", batch=3 if fits else None)
        verify(traced.graph)
        assert set(traced.blobs) == set(net.blobs)
        for blob, value in traced.blobs.items():
            t = traced.graph.types()[value]
            assert t.dtype == "f64"
            assert t.shape[1:] == net.blobs[blob].shape[1:]
    str(net)
    net.to_dot()
