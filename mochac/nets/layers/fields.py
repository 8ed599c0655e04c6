"""Rules of fields for objects such as neurons, and how users write their classes.

Rules of numbers and strings are in base/rules.py; those of axes, shapes and blobs in field_kinds.py.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from mochac.base.hints.names import VALUES
from mochac.base.registry import suggestion
from mochac.base.rules import Refusal, Rule


def spelled(cls: type) -> str:
    """A class as users write it: with its namespace, if it has one.

    >>> from mochac.nets.layers.neurons import ReLU
    >>> spelled(ReLU)
    'Neurons.ReLU'
    """
    for holder in vars(sys.modules[cls.__module__]).values():
        if isinstance(holder, type) and holder is not cls and vars(holder).get(cls.__name__) is cls:
            return f"{holder.__name__}.{cls.__name__}"
    return cls.__name__


def word_hint(base: type, word: str) -> str:
    """The hint for a word in place of an instance of `base`; lists all classes if none is similar.

    >>> from mochac.nets.layers.neurons import Neuron
    >>> word_hint(Neuron, "relu"), word_hint(Neuron, "leaky_relu")
    ('write Neurons.ReLU()', 'write Neurons.LReLU()')
    """
    known = {_letters(name): cls for name, cls in sorted(_public(base))}
    letters = _letters(word)
    said = letters if letters in known else VALUES.get(letters, letters)
    if " " in said:
        return said
    close = suggestion(_letters(said), known)
    if close:
        return f"write {spelled(known[close])}()"
    return f"one of {', '.join(dict.fromkeys(spelled(cls) for cls in known.values()))}"


def _public(base: type) -> Iterator[tuple[str, type]]:
    """mochac's subclasses of `base` by their names, and without the last word, such as Xavier(Initializer)."""
    for cls in base.__subclasses__():
        yield from _public(cls)
        name = cls.__name__
        if cls.__module__.startswith("mochac.nets.layers.") and not name.startswith("_"):
            yield name, cls
            yield re.sub("(Initializer|Regu|Cons)$", "", name), cls


def _letters(word: str) -> str:
    return re.sub(r"[\W_]", "", word).lower()


def instance(cls: type, words: str, good: Any) -> Rule:
    """An instance of `cls`, such as `good`; `words` describe it."""

    def convert(value: Any) -> Any:
        if isinstance(value, type) and issubclass(value, cls):
            raise Refusal(f"write {spelled(value)}() with parentheses")
        if isinstance(value, str):
            raise Refusal(word_hint(cls, value))
        if not isinstance(value, cls) and callable(value):  # torch.relu, torch.nn.ReLU(), keras.regularizers.L2()
            raise Refusal(word_hint(cls, getattr(value, "__name__", type(value).__name__)))
        if not isinstance(value, cls):
            raise TypeError
        return value

    return Rule(words, convert, good, ("relu", 3, None))
