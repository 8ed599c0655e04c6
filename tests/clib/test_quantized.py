"""Libraries that predict in integers: the interpreter's bits, smaller weights, refusals."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from clib_kit import built, needs_cc

sys.path.insert(0, str(Path(__file__).parents[1] / "quantization"))
from quantized_kit import NETS, images, interpreted, quantized

import mochac
from mochac.base.errors import OptionError
from mochac.runtime.data.params import Params
from mochac.tools.cli.command import CliError
from mochac.training.session.net_parameters import make_parameters


def library(folder, name, **how):
    """A library of a net with the parameters of `quantized`, and the net in integers."""
    net = NETS[name]()
    params = Params()
    make_parameters(net, params, "float32", 3)
    return built(folder, net, params=params, quantize="data layers", **how), quantized(net)


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize("name", ["lenet", "residual"])
def test_a_library_has_the_interpreters_bits_for_any_threads(name, tmp_path):
    lib, made = library(tmp_path, name)
    x = images(lib.net.blobs["data"].shape[1:], 6, seed=9)
    wanted = interpreted(made, {"data": x})
    (got,) = lib.instance().predict((5,), data=x)
    assert (got == wanted).all()
    with lib.pool(3) as pool:
        several = lib.instance(3)
        several.share(3, pool)
        assert (several.predict((5,), data=x)[0] == wanted).all()


@pytest.mark.slow
@needs_cc
def test_a_library_of_older_cpus_has_the_same_bits(tmp_path):
    lib, made = library(tmp_path, "lenet", targets=["x86-64"])
    x = images((1, 12, 12), 3, seed=9)
    assert (lib.instance().predict((5,), data=x)[0] == interpreted(made, {"data": x})).all()


@pytest.mark.slow
@needs_cc
def test_explain_says_what_is_held_as_integers_and_what_is_lost(tmp_path, caplog):
    library(tmp_path, "mixed")
    text = (tmp_path / "explain.txt").read_text()
    assert "Integers, by 24 samples of the data layers of net 'mixed'" in text
    assert re.search(r"^  c1 +u8 ", text, re.MULTILINE)
    assert "%c1 (tanh) is computed in float" in text
    assert re.search(r"Loss of out: .*accuracy [\d.]+ % instead of [\d.]+ %", text)
    assert not (tmp_path / "mixed.h").read_text().count("mixed_save")


@pytest.mark.slow
@needs_cc
def test_weights_take_a_quarter(tmp_path):
    net = mochac.Net("wide", [
        mochac.MemoryDataLayer(data=[images((400,)), np.arange(24) % 5], batch_size=4),
        mochac.InnerProductLayer(name="ip", output_dim=300, bottoms=["data"]),
        mochac.InnerProductLayer(name="out", output_dim=5, bottoms=["ip"]),
    ])  # fmt: skip
    sizes = []
    for how in ({}, {"quantize": "data layers"}):
        mochac.build(net, tmp_path, outputs="out", weights="flash", **how)
        sizes.append((tmp_path / "objects" / "data.o").stat().st_size)
    assert sizes[1] < 0.28 * sizes[0]


REFUSED = [
    ({"solver": mochac.SGD(0.1)}, "build: a quantized library only predicts"),
    ({"dtype": "float64"}, "build: quantize= takes nets in float32"),
    ({"weights": "ram"}, "build: weights in integers do not change"),
    ({"percentile": 10}, "quantize: percentile is out of range"),
]


@pytest.mark.parametrize(("how", "message"), REFUSED)
def test_what_does_not_fit_is_refused(how, message, tmp_path):
    with pytest.raises(OptionError, match=re.escape(message)):
        mochac.build(NETS["lenet"](), tmp_path, quantize="data layers", **how)
    assert not list(tmp_path.iterdir())
    assert CliError
