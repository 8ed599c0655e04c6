"""Nets of random layers: whatever is wrong with them, the answer is a MochacError that names a layer and a line."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from mochac import MemoryDataLayer, MochacError, Net, OptionError
from mochac.frontend.trace import trace
from mochac.ir import verify
from mochac.layers.base import LAYERS, Layer, Source
from mochac.layers.config import rules

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
    "tops": None,
}


@st.composite
def layers(draw: st.DrawFn) -> list[Layer]:
    batch = draw(small)
    arrays = [np.zeros((5, *draw(shapes))), np.zeros((5, 1))]
    found: list[Layer] = [MemoryDataLayer(name="in", data=arrays, batch_size=batch)]
    blobs = ["data", "label", "nowhere"]
    for k in range(draw(st.integers(1, 5))):
        cls = draw(st.sampled_from(KINDS))
        n = cls.n_bottoms[0]
        bottoms = [draw(st.sampled_from(blobs[:-1] if draw(small) > 1 else blobs)) for _ in range(n)]
        fields = {f.name: rules(cls)[f.name].good for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING}
        fields |= {f: draw(FIELDS[f]) for f in rules(cls) if FIELDS.get(f) is not None}
        fields = {f: value for f, value in fields.items() if f not in ("name", "tops")}
        tops = {} if not cls.n_tops[1] and cls.n_tops[1] is not None else {"tops": [f"b{k}"]}
        try:
            found.append(cls(name=f"l{k}", bottoms=bottoms, **fields, **tops))
        except OptionError:  # such a record does not exist: its kernel has one side only, it takes a blob once
            continue
        blobs[-1:] = [*(t for t in tops.get("tops", [])), "nowhere"]
    return draw(st.permutations(found))


def built(given_layers: list[Layer]) -> Net | MochacError:
    try:
        return Net("fuzzed", given_layers)
    except MochacError as e:
        return e


@settings(max_examples=150, deadline=None, derandomize=True)
@given(layers())
def test_a_net_is_built_or_refused_with_names(given_layers):
    net = built(given_layers)
    event("refused" if isinstance(net, MochacError) else "built")
    if isinstance(net, MochacError):
        assert all(p.layer and p.at for p in net.problems)
        return
    for mode in ("train", "test"):
        traced = trace(net, mode, "float64", batch=3)
        verify(traced.graph)
        assert set(traced.blobs) == set(net.blobs)
        for blob, value in traced.blobs.items():
            t = traced.graph.types()[value]
            assert t.dtype == "f64"
            assert t.shape[1:] == net.blobs[blob].shape[1:]
    str(net)
    net.to_dot()
