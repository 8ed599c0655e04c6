"""Nets as text, dot and SVG where it gets crowded: branches, sharing, parameters as blobs, outputs, random wirings."""

import random
import re
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from mochac import (
    ConcatLayer,
    DropoutLayer,
    ElementWiseLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    Neurons,
    ParameterLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
    TiedInnerProductLayer,
)
from mochac.base.drawing.layout import Wire, layout, levels

SVG = "{http://www.w3.org/2000/svg}"


def data(**kw):
    return MemoryDataLayer(name="in", data=[np.zeros((8, 6)), np.zeros(8)], batch_size=4, **kw)


def ip(name, bottom, **kw):
    return InnerProductLayer(name=name, output_dim=6, bottoms=[bottom], **kw)


def crowded():
    """Three branches of unequal length that join, a shared parameter, a tied layer, an in-place layer and an output."""
    return Net(
        "a<b",
        [
            data(),
            ParameterLayer(name="W", shape=(6, 6)),
            ip("one", "data", weight="W"),
            ip("two", "data", weight="W", neuron=Neurons.ReLU()),
            ip("deep1", "data", param_key="deep"),
            ip("deep2", "deep1", param_key="deep"),
            DropoutLayer(name="drop", bottoms=["two"]),
            TiedInnerProductLayer(name="tied", tied_param_key="deep", bottoms=["deep2"]),
            ConcatLayer(name="join", bottoms=["one", "two", "tied"]),
            MemoryOutputLayer(name="keep", bottoms=["join"]),
            SoftmaxLossLayer(name="<l>", bottoms=["join", "label"]),
            SquareLossLayer(name="same", bottoms=["one", "two"]),
        ],
    )


def drawn(net):
    return ElementTree.fromstring(net.to_svg())


def boxes(root):
    return [tuple(float(e.get(k)) for k in ("x", "y", "width", "height")) for e in root.iter(f"{SVG}rect")]


def points_of(path):
    """A line as points: its straight pieces and, between them, curves from row to row in four steps."""
    found = []
    for kind, text in re.findall(r"([MCL])([-\d. ]+)", path.get("d")):
        numbers = [float(v) for v in text.split()]
        if kind == "C":
            x0, y0 = found[-1]
            (x1, y1), (x2, y2), (x3, y3) = zip(numbers[::2], numbers[1::2], strict=True)
            for t in (0.25, 0.5, 0.75, 1.0):
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
                found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
        else:
            found.append((numbers[0], numbers[1]))
    return found


def inside(point, box):
    (px, py), (x, y, w, h) = point, box
    return x + 1 < px < x + w - 1 and y + 1 < py < y + h - 1


def check_picture(net):
    root = drawn(net)
    found, paths = boxes(root), list(root.iter(f"{SVG}path"))
    assert len(found) == len(net.layers)
    lent = sum(len(layer.borrowed_keys) for layer in net.layers)
    assert len(paths) == lent + sum(len(layer.reads) for layer in net.layers)
    for a, b in combinations(found, 2):
        assert a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1], "boxes overlap"
    for path in paths:
        assert not [box for box in found for point in points_of(path) if inside(point, box)], "a line through a box"
    width, height = float(root.get("width")), float(root.get("height"))
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in found)
    return root


def test_a_crowded_picture():
    net = crowded()
    root = check_picture(net)
    texts = [e.text for e in root.iter(f"{SVG}text")]
    for layer in net.layers:
        assert layer.name in texts
    assert {"InnerProduct (ReLU)", "data: 4 x 6", "label: 4 x 1", "two: 4 x 6", "parameters 'deep'"} <= set(texts)
    assert texts.count("label") == 1 and texts.count("data") == 3, "a blob's name where its layer makes several"
    assert root.find(f"{SVG}title").text == "a<b"
    dashed = [p for p in root.iter(f"{SVG}path") if p.get("stroke-dasharray")]
    assert len(dashed) == 3, "W twice, the tied weight"
    assert len({e.get("fill") for e in root.iter(f"{SVG}rect")}) == 5, "data, parameter, layer, loss, output"
    assert net._repr_svg_() == net.to_svg()


@pytest.mark.parametrize("seed", range(12))
def test_random_wirings(seed):
    rng = random.Random(seed)
    layers, blobs = [data()], ["data"]
    for k in range(rng.randint(1, 18)):
        if rng.random() < 0.3:
            layers.append(ElementWiseLayer(name=f"layer-with-a-long-name-{k}", bottoms=rng.choices(blobs, k=2)))
        else:
            layers.append(ip(f"l{k}", rng.choice(blobs)))
        blobs.append(layers[-1].name)
    layers.append(SoftmaxLossLayer(name="loss", bottoms=[rng.choice(blobs[1:]), "label"]))
    check_picture(Net(f"seed {seed}", layers))


def test_a_chain_stands_upright():
    net = Net("chain", [data(tops=["data", "label"]), *(ip(f"l{k}", f"l{k - 1}" if k else "data") for k in range(6))])
    centres = [x + w / 2 for x, _, w, _ in boxes(drawn(net))]
    assert max(centres) - min(centres) < 40


def test_what_takes_nothing_stands_above_its_reader():
    assert levels(5, [Wire(0, (1,)), Wire(1, (2,)), Wire(2, (4,)), Wire(3, (4,))]) == [0, 1, 2, 2, 3]
    assert levels(2, []) == [0, 0]


def test_one_box_needs_no_wires():
    places = layout([(50.0, 20.0)], [], 5.0)
    assert (places.centres, places.width, places.height) == (((30.0, 15.0),), 60.0, 30.0)


def test_text_says_who_shares_what():
    text = str(crowded())
    assert "ARCHITECTURE: 12 layers, 96 parameters" in text
    assert "    Param  deep.weight: 6 x 6, shared with 'deep2'" in text
    assert "    Uses   parameters 'deep'" in text
    assert "    Input  W: Blob(6 x 6)" in text


def test_dot_dashes_parameters():
    text = crowded().to_dot()
    edges = [line.strip() for line in text.splitlines() if "->" in line]
    assert len(edges) == len(set(edges)) == 17
    assert sum("[style=dashed]" in e for e in edges) == 3
    assert "\\<l\\>" in text and 'digraph "a<b"' in text
