"""join_gates: a product and what reads equal parts of its columns together become one kernel.

    p = x w + b                                          each n { each u {
    y = tanh(p[:, 0:U]) * sigmoid(p[:, U:2*U])    ->       each gate { p[gate] = b + sum f x[n, f] * w[gate*U + u, f] }
                                                           y[n, u] = tanh(p[0]) * sigmoid(p[1])
                                                         } }

So the gates of a recurrent step are computed together with its product, which is never stored: a step is one kernel.
The pipeline runs this after to_kernels, on staged kernels, including those of loops over time. A product joins the
elementwise kernel that alone reads it, if the backend computes both together as fast as one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mochac.ir.graph import Graph, Node
from mochac.ir.kernel import Buffer, Kernel
from mochac.ir.nests import nests_of, reads_gates
from mochac.ir.op import OPS
from mochac.ir.passes.fuse import NOT_FUSED
from mochac.ir.passes.join_items import composed
from mochac.ir.passes.loops import SharedMemory

GATES = "gates with their product: "
"""In notes, precedes the kernels that were joined."""
SEVERAL = "other kernels read the product, too"
ANOTHER = "its reader is one kernel with another product"

Refuse = Callable[[Sequence[Kernel], Kernel], str]
"""Why several kernels should not be one; "" if they should."""


def join_gates(graph: Graph, kernels: Sequence[Kernel], refuse: Refuse) -> tuple[Graph, tuple[Kernel, ...]]:
    """Join what can be joined; return the graph with updated notes, and the kernels.

    Args:
        kernels: the kernels of a graph, in dependency order.
        refuse: the backend's decision about a product, what reads it, and both as one kernel.
    """
    found, notes, joined = dict(enumerate(kernels)), list[str](), set[str]()
    taken = set[int]()
    for product, reading in _products(graph, kernels):
        parts = kernels[product], kernels[reading[0]]
        made, reads = parts[0].outputs[0].name, parts[1].outputs[0].name
        whole = composed(parts, (b.name for b in parts[1].outputs)).with_(members=(), parts=parts[0].parts)
        why = SEVERAL if len(reading) > 1 else ANOTHER if reading[0] in taken else refuse(parts, whole)
        if why:
            notes.append(f"%{made} -> %{reads} (gates){NOT_FUSED}{why}")
        else:
            found[reading[0]] = whole
            taken.add(reading[0])
            del found[product]
            joined.add(made)
            notes.append(GATES + " + ".join(part.name for part in parts))
    left = without_notes(graph, joined)
    return left.with_(notes=(*left.notes, *notes)), tuple(found[k] for k in sorted(found))


def without_notes(graph: Graph, joined: set[str]) -> Graph:
    """The graph without the notes that these values, which may be in bodies of loops, are stored."""

    def inside(node: Node) -> Node:
        begin = f"{node.outputs[0].name}/"
        own = {name.removeprefix(begin) for name in joined if name.startswith(begin)}
        return node.with_bodies(lambda body: without_notes(body, own)) if own else node

    edges = tuple(f"%{name} -> " for name in joined)
    notes = tuple(note for note in graph.notes if NOT_FUSED not in note or not note.startswith(edges))
    return graph.with_(nodes=tuple(map(inside, graph.nodes)), notes=notes)


def _products(graph: Graph, kernels: Sequence[Kernel]) -> Iterator[tuple[int, list[int]]]:
    """Products that are stored only for other kernels, with these kernels, of which the first reads them as gates."""
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
        if others or memory.window(out.name).owner != out.name or out.name in kept:
            continue
        if reading and loop_of[k] == loop_of[reading[0]] and _are_gates(kernels[reading[0]], out):
            yield k, reading


def _are_gates(reader: Kernel, product: Buffer) -> bool:
    """Whether a kernel computes element by element, and reads a product as gates."""
    nests = nests_of(reader)
    gates = [nest for nest in nests if product.name in nest.reads]
    if not gates or any(nest.has_loops for nest in nests):
        return False
    return all(reads_gates(nest, product.name, product.type.shape) for nest in gates)
