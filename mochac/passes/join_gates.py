"""join_gates: a product and what reads equal parts of its columns together become one kernel.

    p = x w + b                                          each n { each u {
    y = tanh(p[:, 0:U]) * sigmoid(p[:, U:2*U])    ->       each gate { p[gate] = b + sum f x[n, f] * w[gate*U + u, f] }
                                                           y[n, u] = tanh(p[0]) * sigmoid(p[1])
                                                         } }

So the gates of a recurrent step are computed where its product is, which is never stored: a step is one kernel. The
pipeline runs it after to_kernels, on staged kernels, those of loops over time included. A product joins the elementwise
kernel that alone reads it, if the backend computes both together as fast as one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mochac.ir.graph import Graph
from mochac.ir.kernel import Buffer, Kernel
from mochac.ir.nests import nests_of, reads_gates
from mochac.ir.op import OPS
from mochac.passes.fuse import NOT_FUSED
from mochac.passes.join_items import Joined, composed
from mochac.passes.loops import SharedMemory

GATES = "gates with their product: "
"""In notes, precedes the kernels that were joined."""

Refuse = Callable[[Sequence[Kernel], Kernel], str]
"""Why several kernels should not be one; "" if they should."""


def join_gates(graph: Graph, kernels: Sequence[Kernel], refuse: Refuse) -> Joined:
    """Join what can be joined.

    Args:
        kernels: the kernels of a graph, in dependency order.
        refuse: the backend's word on a product, what reads it, and both as one kernel.
    """
    found, notes = dict(enumerate(kernels)), list(graph.notes)
    for product, reader in _pairs(graph, kernels):
        parts = kernels[product], kernels[reader]
        joined = composed(parts, (b.name for b in parts[1].outputs)).with_(members=(), parts=parts[0].parts)
        why = refuse(parts, joined)
        if why:
            notes.append(f"%{parts[0].outputs[0].name} -> %{parts[1].outputs[0].name} (gates){NOT_FUSED}{why}")
        else:
            found[reader] = joined
            del found[product]
            notes.append(GATES + " + ".join(part.name for part in parts))
    return Joined(tuple(found[k] for k in sorted(found)), tuple(notes))


def _pairs(graph: Graph, kernels: Sequence[Kernel]) -> Iterator[tuple[int, int]]:
    """Products, each with the elementwise kernel that alone reads it, as gates."""
    memory = SharedMemory.of(graph)
    loop_of = memory.loop_of(kernels)
    kept = {memory.window(name).owner for name in graph.results()}
    readers: dict[str, list[int]] = {}
    for k, kernel in enumerate(kernels):
        for b in kernel.inputs:
            readers.setdefault(memory.window(b.name).owner, []).append(k)
    for k, kernel in enumerate(kernels):
        if kernel.root not in OPS or OPS[kernel.root].kind != "contraction" or kernel.members:
            continue
        out, *others = kernel.outputs
        reading = readers.get(out.name, [])
        private = not others and memory.window(out.name).owner == out.name and out.name not in kept
        if private and len(reading) == 1 and loop_of[k] == loop_of[reading[0]]:
            if _are_gates(kernels[reading[0]], out):
                yield k, reading[0]


def _are_gates(reader: Kernel, product: Buffer) -> bool:
    """Whether a kernel computes element by element, and reads a product as gates."""
    nests = nests_of(reader)
    gates = [nest for nest in nests if product.name in nest.reads]
    if not gates or any(nest.has_loops for nest in nests):
        return False
    return all(reads_gates(nest, product.name, product.type.shape) for nest in gates)
