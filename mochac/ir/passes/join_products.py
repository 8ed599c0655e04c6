"""Rules of join_kernels about products: join_gates, join_factors.

join_gates: a product and what reads equal parts of its columns together become one kernel.

    p = x w + b                                          each n { each u {
    y = tanh(p[:, 0:U]) * sigmoid(p[:, U:2*U])    ->       each gate { p[gate] = b + sum f x[n, f] * w[gate*U + u, f] }
                                                           y[n, u] = tanh(p[0]) * sigmoid(p[1])
                                                         } }

So the gates of a recurrent step are computed together with its product, which is never stored: a step is one kernel,
also in loops over time. A product joins the elementwise kernel that alone reads it, if the backend computes both
together as fast as one after another.

join_factors: with precision="bfloat16", a product and the kernels that round its factors become one kernel.

    w.pairs = pairs(w)                       each panel of w that the product reads { round it into near memory;
    y = inner_product(x.pairs, w.pairs)  ->    multiply it }

So a weight is read from memory once, and its rounded numbers are neither stored nor read again. A product takes over
the rounding of a weight for which it alone needs the rounded numbers, if it rounds them about once: not in each of many
blocks of the other factor. Weights that stay near from step to step are rounded as quickly by a kernel of their own,
and so are activations, which another kernel has just stored (Zen 4: a step of an MLP of 1000 units takes 0.92 of the
time; if all factors of a GPT were joined, 1.00).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mochac.ir.graph import STORED
from mochac.ir.kernel import Buffer, Kernel
from mochac.ir.nests import nests_of, reads_gates
from mochac.ir.notes import Note, NotFused, WithGates
from mochac.ir.passes.join_kernels import KernelJoin, Staged, composed, joining

SEVERAL = "other kernels read the product, too"
ANOTHER = "its reader is one kernel with another product"

Refuse = Callable[[Sequence[Kernel], Kernel], str]
"""Why several kernels should not be one; "" if they should."""
Rounds = Callable[[Kernel], "tuple[bool, ...] | None"]
"""For each factor that a joined kernel rounds, whether it does so about once; None if it cannot be scheduled."""

FAR = 1.0
"""A weight does not stay near if it and its pairs are larger than this many times L2."""


@joining
def join_gates(staged: Staged, refuse: Refuse) -> Iterator[KernelJoin | Note]:
    """Join what can be joined; notes say what was, and why the rest was not.

    Args:
        refuse: the backend's decision about a product, what reads it, and both as one kernel.
    """
    taken: set[int] = set()
    for product, reading in _gated_products(staged):
        reader = reading[0]
        parts = staged.kernels[product], staged.kernels[reader]
        whole = composed(parts, (b.name for b in parts[1].outputs)).with_(members=(), parts=parts[0].parts)
        why = SEVERAL if len(reading) > 1 else ANOTHER if reader in taken else refuse(parts, whole)
        if why:
            yield NotFused(parts[0].outputs[0].name, parts[1].outputs[0].name, "gates", why)
            continue
        taken.add(reader)
        yield KernelJoin((product, reader), whole)
        yield WithGates(staged.names((product, reader)))


def _gated_products(staged: Staged) -> Iterator[tuple[int, list[int]]]:
    """Products that are stored only for other kernels, with these kernels, of which the first reads them as gates."""
    for k, kernel in enumerate(staged.kernels):
        if staged.kind(k) != "contraction" or kernel.members:
            continue
        out, *others = kernel.outputs
        reading = staged.readers_by_any_name.get(out.name, [])
        if others or staged.owner(out.name) != out.name or out.name in staged.results:
            continue
        if reading and staged.loop_of[k] == staged.loop_of[reading[0]] and _are_gates(staged.kernels[reading[0]], out):
            yield k, reading


def _are_gates(reader: Kernel, product: Buffer) -> bool:
    """Whether a kernel computes element by element, and reads a product as gates."""
    nests = nests_of(reader)
    gates = [nest for nest in nests if product.name in nest.reads]
    if not gates or any(nest.has_loops for nest in nests):
        return False
    return all(reads_gates(nest, product.name, product.type.shape) for nest in gates)


@joining
def join_factors(staged: Staged, rounds: Rounds, near_bytes: int) -> Iterator[KernelJoin]:
    """Join what can be joined.

    Args:
        rounds: the backend's answer about a product and kernels that round its factors, as one kernel.
        near_bytes: size of L2.
    """
    for product, rounding in _rounded_products(staged, near_bytes):
        once = rounds(_whole(staged, rounding, product)) or (False,) * len(rounding)
        taken = [k for k, fits in zip(rounding, once, strict=True) if fits]
        if taken:
            yield KernelJoin((*taken, product), _whole(staged, taken, product))


def _whole(staged: Staged, rounding: Sequence[int], product: int) -> Kernel:
    """One kernel of a product and kernels that round its factors."""
    own = staged.kernels[product]
    whole = composed([*(staged.kernels[k] for k in rounding), own], (b.name for b in own.outputs))
    return whole.with_(name=own.name, loc=own.loc, parts=own.parts)


def _rounded_products(staged: Staged, near_bytes: int) -> Iterator[tuple[int, list[int]]]:
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
