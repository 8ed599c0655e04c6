"""Every declared limit of every registered layer, neuron, initializer, regularizer and constraint, violated and met."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from mochac.base.errors import OptionError
from mochac.nets.layers import augmentations, initializers, neurons, regularizers
from mochac.nets.layers import regularizers as constraints
from mochac.nets.layers.base import LAYERS, Layer
from mochac.nets.layers.config import Config, rules
from mochac.nets.layers.element_wise import ElementWiseFunctor
from mochac.nets.layers.image_norms import LRNModeType
from mochac.nets.layers.inner_product import EmbeddingLayer
from mochac.nets.layers.pooling import PoolingFunction
from mochac.nets.layers.resizing import UpsampleLayer
from mochac.nets.layers.transformers import DataTransformer, SubMean


def options() -> list[type[Config]]:
    bases = (
        initializers.Initializer,
        neurons.Neuron,
        regularizers.Regularizer,
        constraints.Constraint,
        PoolingFunction,
        ElementWiseFunctor,
        LRNModeType,
        DataTransformer,
        augmentations.Augmentation,
    )
    return [cls for base in bases for cls in base.__subclasses__()]


def minimal(cls: type[Config]) -> dict[str, Any]:
    """The least a constructor needs."""
    given = {f.name: rules(cls)[f.name].good for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING}
    if issubclass(cls, Layer):
        given["name"] = "layer1"
        given["bottoms"] = [f"bottom{k}" for k in range(cls.n_bottoms[0])]
    return given


CLASSES = [*(cls for _, cls in LAYERS.items()), *options()]

EITHER = {SubMean: {"mean_file": "mean.h5"}}
"""Fields of which one must be given."""


WHERE_GOOD = {EmbeddingLayer: {"bias": True, "vocabulary": 3}, UpsampleLayer: {"mode": "bilinear"}}
"""Fields that values of other fields need: settings of a bias, an id, and elements between cells."""


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_minimal_fields_suffice_and_are_read_only(cls):
    made = cls(**minimal(cls), **EITHER.get(cls, {}))
    assert made.origin[0].endswith("test_fields.py")
    for name in rules(cls):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, name, None)
    with pytest.raises(OptionError, match="no field 'nonsense'"):
        cls(**minimal(cls), nonsense=1)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_good_values_are_taken(cls):
    """How many bottoms and tops are good is for test_layer.py."""
    for name in set(rules(cls)) - {"bottoms", "tops"}:
        rule = rules(cls)[name]
        value = getattr(cls(**{**minimal(cls), **WHERE_GOOD.get(cls, {}), name: rule.good}), name)
        assert str(value) == str(rule.convert(rule.good)), name
        assert str(rule.convert(value)) == str(value), f"{name}: canonical values stay"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_bad_values_are_refused_by_name_range_and_line(cls):
    for name, rule in rules(cls).items():
        for bad in rule.bad:
            with pytest.raises(OptionError) as caught:
                cls(**{**minimal(cls), name: bad})
            text = str(caught.value)
            assert f"{name} is out of range" in text
            assert rule.text in text, bad
            assert "test_fields.py:" in text
            if issubclass(cls, Layer) and name != "name":
                assert text.startswith(f"layer 'layer1' ({cls.kind}): ")
