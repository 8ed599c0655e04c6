"""How users write the classes that fields take, and which of them a word such as "relu" means."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from mochac.base.hints.fields import VALUES
from mochac.base.registry import suggestion


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
