"""Damaged prototxt files: whatever is dropped, doubled, swapped or changed, a net or one of mochac's errors."""

import logging
import re

import numpy as np
import pytest

import mochac

pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")

WHOLE = """\
name: "whole"
layer { name: "in" type: "Input" top: "x" top: "l"
  input_param { shape { dim: 2 dim: 4 dim: 6 dim: 5 } shape { dim: 2 dim: 1 } } }
layer { name: "c" type: "Convolution" bottom: "x" top: "c" param { name: "w" lr_mult: 1 }
  param { name: "b" decay_mult: 0 }
  convolution_param { num_output: 4 kernel_size: 3 pad: 1 stride: 1 group: 2
    weight_filler { type: "gaussian" std: 0.1 } } }
layer { name: "r" type: "ReLU" bottom: "c" top: "c" relu_param { negative_slope: 0.01 } }
layer { name: "n" type: "LRN" bottom: "c" top: "n" lrn_param { local_size: 3 alpha: 0.1 beta: 0.75 } }
layer { name: "p" type: "Pooling" bottom: "n" top: "p"
  pooling_param { pool: AVE kernel_h: 2 kernel_w: 3 stride: 2 pad: 1 } }
layer { name: "j" type: "Concat" bottom: "p" bottom: "p" top: "j" concat_param { axis: 1 } }
layer { name: "e" type: "Eltwise" bottom: "j" bottom: "j" bottom: "j" top: "e"
  eltwise_param { coeff: 1 coeff: -1 coeff: 2 } }
layer { name: "w" type: "Power" bottom: "e" top: "e" power_param { power: 2 scale: 0.5 shift: 1 } }
layer { name: "s" type: "Reshape" bottom: "e" top: "s" reshape_param { shape { dim: 0 dim: -1 dim: 2 } axis: 0 } }
layer { name: "f" type: "Flatten" bottom: "s" top: "f" flatten_param { axis: 1 end_axis: 2 } }
layer { name: "ip" type: "InnerProduct" bottom: "f" top: "ip" inner_product_param { num_output: 3 axis: 1 } }
layer { name: "t" type: "TanH" bottom: "ip" top: "t" include { phase: TRAIN } }
layer { name: "d" type: "Dropout" bottom: "ip" top: "ip" dropout_param { dropout_ratio: 0.4 } }
layer { name: "a" type: "Accuracy" bottom: "ip" bottom: "l" include { phase: TEST }
  accuracy_param { top_k: 1 axis: 1 } }
layer { name: "m" type: "ArgMax" bottom: "ip" top: "m" argmax_param { axis: 1 top_k: 1 } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip"
  bottom: "l" loss_weight: 0.5 propagate_down: true propagate_down: false
  loss_param { normalization: VALID ignore_label: 2 } }
"""
PAIR = re.compile(r'(\w+): ("[^"]*"|[^\s{}]+)')
NUMBERS = ["0", "-1", "1", "2", "3", "7", "1000000", "0.5", "nan", "1e40", "true"]
NAMES = [
    "x",
    "l",
    "c",
    "ip",
    "nowhere",
    "",
    "d",
    "Softmax",
    "Silence",
    "Split",
    "Convolution",
    "HDF5Output",
    "gaussian",
]


def mutated(rng):
    """WHOLE with one to three settings dropped, doubled or changed, now and then a brace, and layers swapped."""
    text = WHOLE
    for _ in range(rng.integers(1, 4)):
        pairs = list(PAIR.finditer(text))
        found = pairs[rng.integers(0, len(pairs))]
        before, after = text[: found.start()], text[found.end() :]
        match rng.integers(0, 8):
            case 0:
                text = before + after
            case 1:
                text = before + found[0] + " " + found[0] + after
            case 2:
                lines = text.splitlines()
                k, other = rng.integers(0, len(lines), 2)
                lines[k], lines[other] = lines[other], lines[k]
                text = "\n".join(lines)
            case 3:
                text = before + str(rng.choice(["{", "}", "layer {"])) + after
            case _:
                value = f'"{rng.choice(NAMES)}"' if found[2].startswith('"') else str(rng.choice(NUMBERS))
                text = before + f"{found[1]}: {value}" + after
    return text


def answer(path, phase):
    """ "" for a net, else mochac's message."""
    try:
        mochac.caffe.load_net(path, phase=phase)
    except mochac.MochacError as error:
        return str(error)
    except Exception as error:
        raise AssertionError(path.read_text()) from error
    return ""


@pytest.mark.slow
def test_damaged_text(tmp_path, caplog):
    count = 600
    caplog.set_level(logging.ERROR, "mochac")
    rng, path, good = np.random.default_rng(count), tmp_path / "net.prototxt", 0
    for _ in range(count):
        path.write_text(mutated(rng))
        said = answer(path, str(rng.choice(["train", "test"])))
        good += not said
        assert not said or "net.prototxt" in said or "net 'whole'" in said, path.read_text()
    assert 0.02 * count < good < 0.9 * count


def test_the_undamaged_text_is_a_net(tmp_path):
    (tmp_path / "net.prototxt").write_text(WHOLE)
    for phase in ("train", "test"):
        assert len(mochac.caffe.load_net(tmp_path / "net.prototxt", phase=phase).layers) > 12
