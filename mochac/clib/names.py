"""Names in C of what a net calls by any text."""

from __future__ import annotations

import re
from collections.abc import Iterable

KEYWORDS = frozenset(
    "alignas alignof and asm auto bitand bitor bool break case catch char class compl const constexpr continue "
    "decltype default delete do double else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not nullptr operator or private protected public register restrict return short "
    "signed sizeof static struct switch template this thread_local throw true try typedef typeid typename union "
    "unsigned using virtual void volatile while xor".split()
)
"""Of C99 and of C++."""
TAKEN = frozenset("net n loss results given_ made_ predict_samples train_on evaluate_samples".split())
"""What the functions that take blobs use themselves."""


def identifier(text: str) -> str:
    """A name in C for any text.

    >>> identifier("LeNet-5 (small)"), identifier("2 moons")
    ('lenet_5_small', 'net_2_moons')
    """
    words = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    if not words:
        return "net"
    return words if words[0].isalpha() and words not in KEYWORDS else f"net_{words}"


def arguments(texts: Iterable[str]) -> dict[str, str]:
    """Distinct names of parameters of functions, by text.

    >>> arguments(["data", "a-b", "a_b", "int", "n"])
    {'data': 'data', 'a-b': 'a_b', 'a_b': 'a_b_', 'int': 'int_', 'n': 'n_'}
    """
    names: dict[str, str] = {}
    for text in texts:
        name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "blob"
        name = f"blob_{name}" if name[0].isdigit() else name
        while name in KEYWORDS or name in TAKEN or name in names.values():
            name += "_"
        names[text] = name
    return names
