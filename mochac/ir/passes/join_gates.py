"""join_gates: a product and what reads equal parts of its columns together become one kernel.

    p = x w + b                                          each n { each u {
    y = tanh(p[:, 0:U]) * sigmoid(p[:, U:2*U])    ->       each gate { p[gate] = b + sum f x[n, f] * w[gate*U + u, f] }
                                                           y[n, u] = tanh(p[0]) * sigmoid(p[1])
                                                         } }

So the gates of a recurrent step are computed together with its product, which is never stored: a step is one kernel,
also in loops over time. A product joins the elementwise kernel that alone reads it, if the backend computes both
together as fast as one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mochac.ir.kernel import Buffer, Kernel
from mochac.ir.nests import nests_of, reads_gates
from mochac.ir.notes import Note, NotFused, WithGates
from mochac.ir.passes.join_kernels import Join, Staged, composed

SEVERAL = "other kernels read the product, too"
ANOTHER = "its reader is one kernel with another product"

Refuse = Callable[[Sequence[Kernel], Kernel], str]
"""Why several kernels should not be one; "" if they should."""


def join_gates(staged: Staged, refuse: Refuse) -> Staged:
    """Join what can be joined; notes say what was, and why the rest was not.

    Args:
        refuse: the backend's decision about a product, what reads it, and both as one kernel.
    """
    joins, notes = list[Join](), list[Note]()
    for product, reading in _products(staged):
        reader = reading[0]
        parts = staged.kernels[product], staged.kernels[reader]
        whole = composed(parts, (b.name for b in parts[1].outputs)).with_(members=(), parts=parts[0].parts)
        taken = any(reader in join.members for join in joins)
        why = SEVERAL if len(reading) > 1 else ANOTHER if taken else refuse(parts, whole)
        if why:
            notes.append(NotFused(parts[0].outputs[0].name, parts[1].outputs[0].name, "gates", why))
        else:
            joins.append(Join((product, reader), whole))
            notes.append(WithGates(tuple(part.name for part in parts)))
    return staged.joined(joins, notes)


def _products(staged: Staged) -> Iterator[tuple[int, list[int]]]:
    """Products that are stored only for other kernels, with these kernels, of which the first reads them as gates."""
    for k, kernel in enumerate(staged.kernels):
        if staged.kind(k) != "contraction" or kernel.members:
            continue
        out, *others = kernel.outputs
        reading = staged.readers_by_any_name.get(out.name, [])
        if others or staged.owner(out.name) != out.name or out.name in staged.kept:
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
