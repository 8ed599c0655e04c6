"""Instructions of the functions of the scalar table, counted in the text that the printer writes for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mochac.codegen.cpu.emitter import TextEmitter
from mochac.ir.scalar import FUNCTIONS, Reg

FREE = ("bitcast", "insertelement", "shufflevector", "fneg")
"""Instructions that cost nothing, or are part of others."""
SLOW = ("fdiv", "sqrt")
PRODUCTS = ("fmul", "mul", "@llvm.fma")
DOT4_COUNTS = {"vnni": (1, 0), "sdot": (1, 0), "madd": (2, 5), "smlad": (2, 2)}
"""Multiplications and other instructions of the products of four bytes (codegen/cpu/instructions.py): pmaddwd twice,
two sums, and for one of the factors three that divide its bytes; the other factor serves several sums. ARM's take the
bytes of the other factor apart in two."""
LOWER_HALF = str(2**32 - 1)
"""The mask of the lower half of a 64-bit lane."""


class Counted(NamedTuple):
    """Instructions of a function: multiplications and multiply-adds, divisions and roots, and others."""

    products: int = 0
    arithmetic: int = 0
    slow: int = 0


def dot4_counts(how: str) -> Counted:
    """Instructions that add the products of four bytes; `how` is Machine.byte_products.

    >>> dot4_counts("vnni"), dot4_counts("").products
    (Counted(products=1, arithmetic=0, slow=0), 4)
    """
    products, arithmetic = DOT4_COUNTS.get(how, (4, 15))
    return Counted(products, arithmetic)


@lru_cache(maxsize=256)
def instructions(fn: str, dtypes: tuple[str, ...], after: tuple[str, ...] = (), bfloat16: bool = False) -> Counted:
    """Instructions of a function of the scalar table.

    Args:
        after: functions of the same arguments that have been computed; what they have in common is not computed again.
        bfloat16: the CPU has instructions for it.

    >>> instructions("add", ("f32", "f32")), instructions("div", ("f32", "f32")).slow
    (Counted(products=0, arithmetic=1, slow=0), 1)
    >>> instructions("gelu_slope", ("f32",), ("gelu",))
    Counted(products=2, arithmetic=2, slow=0)
    """
    if after:
        every, before = _together((*after, fn), dtypes, bfloat16), _together(after, dtypes, bfloat16)
        return Counted(*(a - b for a, b in zip(every, before, strict=True)))
    return _together((fn,), dtypes, bfloat16)


def _together(functions: Sequence[str], dtypes: tuple[str, ...], bfloat16: bool) -> Counted:
    emitter = TextEmitter(bfloat16=bfloat16)
    for fn in functions:
        FUNCTIONS[fn].llvm(emitter, *(Reg(f"%a{k}", dtype) for k, dtype in enumerate(dtypes)))
    return _counted(emitter)


@lru_cache(maxsize=16)
def shared_instructions(fn: str, dtypes: tuple[str, ...], known: tuple[bool, ...] = ()) -> Counted:
    """Instructions of the work that calls of a function with neighbouring last arguments share.

    Args:
        known: which of the arguments are literals.

    >>> types = ("u64", "i64", "i32", "i32")
    >>> shared_instructions("philox", types), shared_instructions("philox", types, (True, False, False, False))
    (Counted(products=20, arithmetic=65, slow=0), Counted(products=20, arithmetic=46, slow=0))
    """
    emitter, shared = TextEmitter(), FUNCTIONS[fn].shared
    assert shared is not None
    names = (f"{k}" if k < len(known) and known[k] else f"%a{k}" for k in range(len(dtypes)))
    shared.llvm(emitter, *(Reg(name, dtype) for name, dtype in zip(names, dtypes, strict=True)))
    return _counted(emitter)


def _counted(emitter: TextEmitter) -> Counted:
    """Instructions in the text, each once, without those whose operands are all literals."""
    lines = [line for scope in emitter.scopes for line in (*scope.head, *scope.lines)]
    codes = _distinct({name.strip(): code.split() for name, _, code in (line.partition("=") for line in lines) if code})
    folded = _folded(codes)
    literal: set[str] = set()
    products = arithmetic = slow = 0
    for name, code in codes.items():
        if literal.issuperset(_names(code)):
            literal.add(name)
        elif any(word in part for part in code[:3] for word in SLOW):
            slow += 1
        elif any(part.startswith(PRODUCTS) for part in code[:3]):
            products += 1
        elif not code[0].startswith(FREE) and name not in folded:
            arithmetic += 1
    return Counted(products, arithmetic, slow)


def _distinct(codes: dict[str, list[str]]) -> dict[str, list[str]]:
    """Instructions without those that compute the same as one before them."""
    same: dict[str, str] = {}
    found: dict[tuple[str, ...], str] = {}
    for name, code in codes.items():
        operands = [word.rstrip(",)") for word in code]
        read = tuple(same.get(o, o) + word[len(o) :] for o, word in zip(operands, code, strict=True))
        same[name] = found.setdefault(read, name)
    return {name: list(read) for read, name in found.items()}


def _folded(codes: dict[str, list[str]]) -> set[str]:
    """Instructions that vector units do as a part of the one that reads their result: masks of operands whose lower
    halves are multiplied, and the first of two `xor` in sequence."""
    readers: dict[str, list[str]] = {}
    for reader, code in codes.items():
        for name in _names(code):
            readers.setdefault(name, []).append(reader)
    found: set[str] = set()
    for name, code in codes.items():
        by = [codes[reader][0] for reader in readers.get(name, ())]
        mask = code[0] == "and" and code[-1] == LOWER_HALF and set(by) == {"mul"}
        if mask or (code[0] == "xor" and by == ["xor"] and found.isdisjoint(_names(code))):
            found.add(name)
    return found


def _names(code: list[str]) -> list[str]:
    return [word.rstrip(",)") for word in code if word.startswith("%")]
