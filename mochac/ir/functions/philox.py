"""philox(key u64, step i64, position i32, feature i32) -> u32: one random word, the same on every backend.

Philox 4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11), as in Random123. The counter is
(step, draw 0, position, feature // 4) and the result is word feature % 4. So a random number depends on its purpose,
and not on the thread or device that computes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.scalar import Emitter, Function, Reg, Shared, function

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
LOW = np.uint64(0xFFFFFFFF)


def dtype_rule(dtypes: tuple[str, ...]) -> str:
    if dtypes != ("u64", "i64", "i32", "i32"):
        raise ValueError(f"operands are {', '.join(dtypes)}, expected u64, i64, i32, i32")
    return "u32"


def philox4x32(counter: tuple[Any, Any, Any, Any], key: tuple[Any, Any]) -> tuple[np.ndarray, ...]:
    """Four words for four counter words and two key words, all uint64 arrays below 2^32.

    >>> [f"{int(w):08x}" for w in philox4x32((np.uint64(0),) * 4, (np.uint64(0),) * 2)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    shift = np.uint64(32)
    for n in range(ROUNDS):
        if n:
            k0, k1 = (k0 + np.uint64(WEYL[0])) & LOW, (k1 + np.uint64(WEYL[1])) & LOW
        p0, p1 = np.uint64(MULTIPLIERS[0]) * c0, np.uint64(MULTIPLIERS[1]) * c2
        c0, c1, c2, c3 = (p1 >> shift) ^ c1 ^ k0, p1 & LOW, (p0 >> shift) ^ c3 ^ k1, p0 & LOW
    return c0, c1, c2, c3


def numpy_philox(key: Any, step: Any, position: Any, feature: Any) -> np.ndarray:
    key, step, position, feature = (np.asarray(v).astype(np.uint64) for v in (key, step, position, feature))
    counter = (step & LOW, np.zeros_like(step), position & LOW, feature >> np.uint64(2))
    words = philox4x32(counter, (key & LOW, key >> np.uint64(32)))
    picked = np.broadcast_arrays(*words)
    return np.choose((feature & np.uint64(3)).astype(np.intp), picked).astype(np.uint32)


def emit_block(e: Emitter, key: Reg, step: Reg, position: Reg, block: Reg) -> tuple[Reg, ...]:
    """The words of features 4 `block` to 4 `block` + 3.

    They are kept in 64-bit lanes whose upper halves contain leftovers of products; only `product` reads these halves,
    and clears them first. Vector units multiply the lower halves of such lanes in one instruction, without shuffles.
    """
    lanes = block.lanes

    def word(value: int) -> Reg:
        return e.const(value, "u64", lanes)

    def wide(a: Reg) -> Reg:
        return e.cast("zext", Reg(a.text, "u32", lanes), "u64")

    def product(a: Reg, multiplier: int) -> tuple[Reg, Reg]:
        both = e.binary("mul", e.binary("and", a, word(int(LOW))), word(multiplier))
        return e.binary("lshr", both, word(32)), both

    def xor(a: Reg, b: Reg, c: Reg) -> Reg:
        return e.binary("xor", e.binary("xor", a, b), c)

    c0, c1, c2, c3 = Reg(step.text, "u64", lanes), word(0), wide(position), wide(block)
    k0, k1 = key, e.binary("lshr", key, word(32))
    for n in range(ROUNDS):
        if n:
            k0, k1 = e.binary("add", k0, word(WEYL[0])), e.binary("add", k1, word(WEYL[1]))
        (high0, low0), (high1, low1) = product(c0, MULTIPLIERS[0]), product(c2, MULTIPLIERS[1])
        c0, c1, c2, c3 = xor(high1, c1, k0), low1, xor(high0, c3, k1), low0
    return tuple(e.cast("trunc", c, "u32") for c in (c0, c1, c2, c3))


def emit_philox(e: Emitter, key: Reg, step: Reg, position: Reg, feature: Reg) -> Reg:
    lanes = feature.lanes
    feature = Reg(feature.text, "u32", lanes)
    words = emit_block(e, key, step, position, e.binary("lshr", feature, e.const(2, "u32", lanes)))
    which = e.binary("and", feature, e.const(3, "u32", lanes))
    result = words[3]
    for n, candidate in enumerate(words[:3]):
        result = e.select(e.compare("icmp", "eq", which, e.const(n, "u32", lanes)), candidate, result)
    return result


function(
    Function(
        name="philox",
        arity=4,
        result=dtype_rule,
        numpy=numpy_philox,
        llvm=emit_philox,
        shared=Shared(4, emit_block),
        cuda={"": "mochac_philox({0}, {1}, {2}, {3})"},
        domain=((0, 2**63), (0, 2**40), (0, 2**20), (0, 2**20)),
    )
)
