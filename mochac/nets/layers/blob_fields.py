"""Rules of fields for the names of blobs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from mochac.base.support.array_like import is_array
from mochac.nets.layers.fields import Refusal, Rule, storable, text


def names(*, distinct: bool = True) -> Rule:
    """A list of non-empty strings, kept as a tuple; each once if `distinct`.

    >>> names().convert(["ip2", "label"])
    ('ip2', 'label')
    """

    def convert(value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            raise Refusal(f"write [{value!r}]")
        if getattr(value, "tops", ()):
            raise Refusal(f"bottoms are names: write {list(value.tops)!r} for the blob of layer {value.name!r}")
        if not isinstance(value, Iterable):
            raise TypeError
        given = tuple(value)
        for layer in (v for v in given if getattr(v, "tops", ())):
            raise Refusal(f"bottoms are names: write {layer.tops[0]!r} for the blob of layer {layer.name!r}")
        if not all(isinstance(v, str) and v for v in given):
            raise TypeError
        if distinct and len(set(given)) != len(given):
            raise ValueError
        return tuple(map(storable, given))

    bad = ("data", [1], [""], None, 3)
    if not distinct:
        return Rule("a list of blob names", convert, ["a", "b"], bad)
    return Rule("a list of distinct blob names", convert, ["a", "b"], (*bad, ["a", "a"]))


def _blob(value: Any, maker: str) -> str:
    """The name of a blob, or "". `maker` names what makes a blob from an array."""
    if isinstance(value, (list, tuple)) and len(value) == 1 and isinstance(value[0], str):
        raise Refusal(f"write {value[0]!r}")
    if is_array(value):
        raise Refusal(f"{maker} makes a blob of an array")
    return text(empty=True).convert(value)


def sample_blob() -> Rule:
    """The name of a blob with numbers for every sample; "" for none.

    >>> sample_blob().convert("mask"), sample_blob().convert("")
    ('mask', '')
    """
    return Rule('the name of a blob, or "" for none', partial(_blob, maker="a data layer"), "b", (3, None, True, ["b"]))


def parameter_blob() -> Rule:
    """The name of a blob to use as a parameter; "" for a parameter of the layer itself."""
    return Rule("the name of a blob", partial(_blob, maker="a ParameterLayer"), "W", (3, None, True))


def bias_blob(what: str = "bias") -> Rule:
    """As `parameter_blob`, or False for a layer without bias, or without `what`; True is "".

    >>> bias_blob().convert(True), bias_blob().convert(False), bias_blob().convert("b")
    ('', False, 'b')
    """
    name = text(empty=True)

    def convert(value: Any) -> str | bool:
        if isinstance(value, (bool, np.bool_)):
            return "" if value else False
        return name.convert(value)

    return Rule(f"the name of a blob, or False for no {what}", convert, "b", (3, None))
