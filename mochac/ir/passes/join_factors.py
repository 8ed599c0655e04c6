"""join_factors: a product and the kernels that round its factors become one kernel.

    w.pairs = pairs(w)                       each panel of w that the product reads { round it into near memory;
    y = inner_product(x.pairs, w.pairs)  ->    multiply it }

So a weight is read from memory once, and its rounded numbers are neither stored nor read again. This is for
precision="bfloat16". A product takes over the rounding of a weight for which it alone needs the rounded numbers, if it
rounds them about once: not in each of many blocks of the other factor. Weights that stay near from step to step are
rounded as quickly by a kernel of their own, and so are activations, which another kernel has just stored (Zen 4: a step
of an MLP of 1000 units takes 0.92 of the time; if all factors of a GPT were joined, 1.00).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mochac.ir.graph import STORED
from mochac.ir.kernel import Kernel
from mochac.ir.passes.join_kernels import Join, Staged, composed

Rounds = Callable[[Kernel], "tuple[bool, ...] | None"]
"""For each factor that a joined kernel rounds, whether it does so about once; None if it cannot be scheduled."""

FAR = 1.0
"""A weight does not stay near if it and its pairs are larger than this many times L2."""


def join_factors(staged: Staged, rounds: Rounds, near_bytes: int) -> Staged:
    """Join what can be joined.

    Args:
        rounds: the backend's answer about a product and kernels that round its factors, as one kernel.
        near_bytes: size of L2.
    """
    joins: list[Join] = []
    for product, rounding in _products(staged, near_bytes):
        once = rounds(_whole(staged, rounding, product)) or (False,) * len(rounding)
        taken = [k for k, fits in zip(rounding, once, strict=True) if fits]
        if taken:
            joins.append(Join((*taken, product), _whole(staged, taken, product)))
    return staged.joined(joins)


def _whole(staged: Staged, rounding: Sequence[int], product: int) -> Kernel:
    """One kernel of a product and kernels that round its factors."""
    own = staged.kernels[product]
    whole = composed([*(staged.kernels[k] for k in rounding), own], (b.name for b in own.outputs))
    return whole.with_(name=own.name, loc=own.loc, parts=own.parts)


def _products(staged: Staged, near_bytes: int) -> Iterator[tuple[int, list[int]]]:
    """Products, each with the kernels that round a large weight for it alone."""
    weights = frozenset(i.name for i in staged.graph.inputs if i.role in STORED)
    makers = {k.outputs[0].name: i for i, k in enumerate(staged.kernels) if _is_far(k, weights, near_bytes)}
    passed_on = makers.keys() - staged.graph.results()
    for i, kernel in enumerate(staged.kernels):
        if not kernel.members and staged.kind(i) == "contraction":
            names = [b.name for b in kernel.inputs if b.name in passed_on and staged.readers[b.name] == [i]]
            if names:
                yield i, [makers[name] for name in names]


def _is_far(kernel: Kernel, weights: frozenset[str], near_bytes: int) -> bool:
    """Whether a kernel only rounds a weight that does not stay near."""
    if kernel.ops != ("pairs",) or not weights.intersection(b.name for b in kernel.inputs):
        return False
    return sum(b.type.storage_bytes for b in (*kernel.inputs, *kernel.outputs)) > FAR * near_bytes
