"""fuse: decide which nodes share a kernel (Node.group), and note why the others do not (Graph.notes).

    %c = conv2d(..); %r = relu(%c); %p, %i = max_pool(%r)   ->   all {group 0}, if nothing else reads %r

1. Sink: an elementwise node whose readers are all in one elementwise cluster joins them, so that values needed by the
   backward pass are recomputed from stored values instead of being stored, too.
2. Hang: in graph order, each cluster joins a producer with the same domain (shape, batch mark, layout): as the
   epilogue of a contraction, window, row op or reduction, or with other elementwise work. A group has at most one such
   root.
3. Pull: a pool or a reduction takes in its producer. Pools with whole, disjoint windows and reductions do so if they are
   the only reader; other pools work on planes of a blocked image (see planes). Elementwise work whose operands are
   stored anyway waits for this step instead of hanging on its producer.

No step may create a path that leaves a group and comes back. The pipeline runs it after assign_layout. It uses only the
kinds of ops and the attributes of windows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mochac.ir.graph import Graph, Node
from mochac.ir.kernel_build import Nest
from mochac.ir.op import OPS, lowering
from mochac.ir.types import TensorType
from mochac.passes import graph_pass
from mochac.passes.groups import free_nodes, is_alias
from mochac.passes.planes import GRADIENT, MOST_CELLS, is_partition, is_pool, makes_planes, reads_planes, whole_windows

ROOTS = frozenset({"contraction", "window", "row", "reduce"})
DRAWN = "random numbers are drawn by a kernel of their own, whole blocks at a time"


def fuse(graph: Graph, enabled: bool = True, separate_random: bool = False) -> Graph:
    """Number the groups of nodes that share a kernel; with `enabled` false every node is a kernel of its own.

    Args:
        separate_random: generate random numbers in their own kernels, not in the epilogue of another op.

    Requires: inferred types. Preserves: everything but Node.group and Graph.notes. Fills, broadcasts and reshapes are
    in no group (-1): they are inlined into every kernel that reads them.

    >>> from mochac.ir.graph import Graph
    >>> fuse(Graph("empty", (), (), ())).notes
    ()
    """
    plain = graph.with_(nodes=tuple(replace(node, group=-1) for node in graph.nodes))
    if not enabled:
        return plain.with_(notes=(*graph.notes, "fusion is switched off: every node is a kernel of its own"))
    fusion = _Fusion(plain, separate_random)
    fusion.sink()
    fusion.grow()
    return fusion.result()


@graph_pass("fuse")
def _fuse(graph: Graph) -> Graph:
    return fuse(graph)


@dataclass
class _Cluster:
    """A growing group: the positions of its nodes, its root if any, and the domain of its stored results."""

    members: set[int]
    root: Node | None
    domain: TensorType
    succ: set[int] = field(default_factory=set)

    @property
    def first(self) -> int:
        return min(self.members)

    @property
    def last(self) -> int:
        return max(self.members)


def _domain(t: TensorType) -> TensorType:
    return t.with_(dtype="f32")


def _is_nest(node: Node) -> bool:
    return isinstance(lowering(node), Nest)


def _elementwise(node: Node) -> bool:
    """Whether a node is elementwise, or a source that is too expensive to inline everywhere (a dropout mask)."""
    return not OPS[node.op].alone and OPS[node.op].kind in ("elementwise", "source")


class _Fusion:
    """Clusters by the number of their first node; `of` maps node positions to cluster numbers."""

    def __init__(self, graph: Graph, separate_random: bool) -> None:
        self.separate_random = separate_random
        self.graph, self.nodes = graph, graph.nodes
        self.types, self.free, self.kept = graph.types(), free_nodes(graph), graph.results()
        self.maker = {out.name: i for i, node in enumerate(self.nodes) for out in node.outputs}
        self.readers: dict[str, set[int]] = {}
        for i, node in enumerate(self.nodes):
            for name in node.inputs:
                self.readers.setdefault(name, set()).add(i)
        self.of = list(range(len(self.nodes)))
        self.clusters = {i: self._single(i) for i in self.of}
        self.reasons: dict[tuple[int, int], str] = {}

    def _single(self, i: int) -> _Cluster:
        node = self.nodes[i]
        root = node if OPS[node.op].kind in ROOTS else None
        succ = {r for out in node.outputs for r in self.readers.get(out.name, ())}
        return _Cluster({i}, root, _domain(node.outputs[0].type), succ)

    def _is_free(self, i: int) -> bool:
        return self.nodes[i].outputs[0].name in self.free

    def _is_separate_random(self, i: int) -> bool:
        """Whether a node generates random numbers (a source with a counter) and needs its own kernel for that."""
        node = self.nodes[i]
        return self.separate_random and OPS[node.op].kind == "source" and bool(node.inputs)

    # -- step 1

    def sink(self) -> None:
        """Merge elementwise nodes into the only elementwise cluster that reads them, last node first."""
        for i in reversed(range(len(self.nodes))):
            node = self.nodes[i]
            if not _elementwise(node) or self._is_free(i) or any(out.name in self.kept for out in node.outputs):
                continue
            targets = {self.of[r] for out in node.outputs for r in self.readers.get(out.name, ())}
            if len(targets) == 1 and not self._is_separate_random(i):
                target = self.clusters[next(iter(targets))]
                if target.root is None and self._mergeable(target) and target.domain == self.clusters[i].domain:
                    self._merge(self.of[i], self.of[target.first])

    def _mergeable(self, cluster: _Cluster) -> bool:
        return all(_elementwise(self.nodes[m]) and not self._is_free(m) for m in cluster.members)

    # -- steps 2 and 3

    def grow(self) -> None:
        """Hang clusters on producers, and pull producers into pools and reductions, in graph order."""
        for i in range(len(self.nodes)):
            if self._is_free(i) or OPS[self.nodes[i].op].alone:
                continue
            if _elementwise(self.nodes[i]):
                if i == self.clusters[self.of[i]].last and not self._awaits_reduction(i):
                    self._hang(i)
            elif _pulls(self.nodes[i]):
                self._pull(i)
            elif reads_planes(self.nodes[i]):
                self._pull_gradient(i)

    def _hang(self, i: int) -> None:
        """Merge the cluster that ends with node i into its producers: roots first, the latest first."""
        makers = sorted(self._makers(self.of[i]), reverse=True)
        for m in [m for m in makers if self._root_of(m)] + [m for m in makers if not self._root_of(m)]:
            if self.of[m] != self.of[i]:
                why = self._refuse_hang(m, self.of[i])
                if why:
                    self._explain(m, self.of[i], why)
                else:
                    self._merge(self.of[m], self.of[i])

    def _awaits_reduction(self, i: int) -> bool:
        """Whether the cluster of node i should wait until a reduction pulls it, so that nothing is stored for it.

        That is the case if nothing else reads its values, and what it reads is still needed later and stored anyway.
        """
        members = self.clusters[self.of[i]].members
        names = {out.name for m in members for out in self.nodes[m].outputs}
        readers = {r for name in names for r in self.readers.get(name, ())} - members
        if len(readers) != 1 or names & self.kept or OPS[self.nodes[reader := min(readers)].op].kind != "reduce":
            return False
        later = self._reached(reader)
        read = {n for m in members for n in self.nodes[m].inputs if n in self.maker and n not in self.free} - names
        return all((self.readers[name] - members) & later for name in read)

    def _reached(self, i: int) -> set[int]:
        """The nodes that depend on node i."""
        reached: set[int] = set()
        stack = [i]
        while stack:
            after = {r for out in self.nodes[stack.pop()].outputs for r in self.readers.get(out.name, ())} - reached
            reached |= after
            stack += after
        return reached

    def _root_of(self, i: int) -> Node | None:
        return self.clusters[self.of[i]].root

    def _makers(self, number: int) -> set[int]:
        """Positions of nodes outside a cluster whose results its nodes read."""
        cluster = self.clusters[number]
        names = {name for m in cluster.members for name in self.nodes[m].inputs}
        return {self.maker[n] for n in names if n in self.maker} - cluster.members

    def _explain(self, maker: int, number: int, why: str) -> None:
        for m in self.clusters[number].members:
            self.reasons[maker, m] = why

    def _refuse_hang(self, maker: int, number: int) -> str:
        """Why the cluster may not join its producer; "" if it may."""
        a, b = self.clusters[self.of[maker]], self.clusters[number]
        if self._is_free(maker) or OPS[self.nodes[maker].op].alone:
            return self._never(maker)
        if (a.root or b.root) is not None and any(map(self._is_separate_random, a.members | b.members)):
            return DRAWN
        if a.root is not None and b.root is not None:
            return f"each belongs to a kernel with a walk of its own ({a.root.op}, {b.root.op})"
        row = next((c.root for c in (a, b) if c.root is not None and _is_nest(c.root)), None)
        if row is not None:
            why = self._refuse_row(a.members | b.members, row)
            if why:
                return why
        elif a.domain != b.domain:
            return f"their domains differ ({a.domain} against {b.domain})"
        return self._refuse_cycle(self.of[maker], number)

    def _refuse_row(self, members: set[int], root: Node) -> str:
        """Check epilogues of a row op, which delivers each result in its own loops: each may follow one result only."""
        follows = {out.name: {out.name} for out in root.outputs}
        for m in sorted(members):
            node = self.nodes[m]
            if node is root:
                continue
            reached = set().union(*(follows.get(name, set()) for name in node.inputs))
            follows.update((out.name, reached) for out in node.outputs)
            if len(reached) > 1 or (not reached and self._leaves(m, members)):
                return f"an epilogue follows exactly one result of {root.op}"
            if reached and _domain(self.types[next(iter(reached))]) != _domain(node.outputs[0].type):
                return f"{node.op} has another shape than the result of {root.op} it reads"
        return ""

    def _leaves(self, i: int, members: set[int]) -> bool:
        """Whether some result of node i is needed outside `members`."""
        return any(o.name in self.kept or self.readers.get(o.name, set()) - members for o in self.nodes[i].outputs)

    def _refuse_cycle(self, a: int, b: int) -> str:
        """Check for a path from a to b through other clusters, which would leave the merged group and come back."""
        limit = self.clusters[b].last
        stack = [n for n in self._after(a) if n != b]
        seen = set(stack)
        while stack:
            n = stack.pop()
            if n == b:
                return "another kernel lies between them: it needs the one and feeds the other"
            for m in self._after(n) - seen:
                if self.clusters[m].first <= limit:
                    seen.add(m)
                    stack.append(m)
        return ""

    def _after(self, number: int) -> set[int]:
        return {self.of[s] for s in self.clusters[number].succ} - {number}

    def _pull(self, i: int) -> None:
        """Take the producer of the first operand into the kernel of a pool or reduction that is its only reader."""
        maker = self.maker.get(self.nodes[i].inputs[0])
        if maker is None or self.of[maker] == self.of[i]:
            return
        why = self._refuse_pull(maker, i)
        if why:
            self.reasons[maker, i] = why
        else:
            domain = self.clusters[self.of[i]].domain
            self._merge(self.of[maker], self.of[i])
            self.clusters[self.of[i]].domain = domain

    def _refuse_pull(self, maker: int, i: int) -> str:
        if self._is_free(maker) or OPS[self.nodes[maker].op].alone:
            return self._never(maker)
        a, node = self.clusters[self.of[maker]], self.nodes[i]
        if any(map(self._is_separate_random, a.members)):
            return DRAWN
        read_again = any(self._leaves(m, a.members | {i}) for m in a.members)
        if is_pool(node):
            kinds = {OPS[self.nodes[m].op].kind for m in a.members}
            if "contraction" not in kinds or "window" in kinds:
                return "a pool takes in a contraction and its epilogue only"
            if read_again:
                return "its values have other readers"
            return "" if whole_windows(node, self.types[node.inputs[0]]) else self._refuse_plane(a, node)
        if OPS[node.op].kind == "window":
            return "its windows overlap or touch padding: elements would be computed more than once"
        if a.root is not None:
            return f"a reduction takes in elementwise work only, not {a.root.op}"
        return "its values have other readers" if read_again else ""

    def _refuse_plane(self, a: _Cluster, node: Node) -> str:
        """Why a pool may not take in a convolution plane by plane; "" if it may."""
        x, attr = self.types[node.inputs[0]], a.root.attr if a.root is not None else {}
        if not x.lanes or (attr.get("stride"), attr.get("group"), "shape" in attr) != ((1, 1), 1, False):
            if not is_partition(node):
                return "its windows overlap or touch padding: elements would be computed more than once"
            return "its last windows hang over the edge: the contraction could not run in whole tiles"
        if x != a.domain.with_(dtype=x.dtype) or x.shape[2] * x.shape[3] > MOST_CELLS:
            return "planes of the image would not stay near until they are pooled"
        return ""

    def _pull_gradient(self, i: int) -> None:
        """Take the gradient of a pool into the kernel of the weight gradient that is its only reader."""
        maker = self.maker.get(self.nodes[i].inputs[GRADIENT])
        if maker is None or self.of[maker] == self.of[i]:
            return
        why = self._refuse_gradient(maker, i)
        if why:
            self.reasons[maker, i] = why
            return
        root, domain = self.nodes[i], self.clusters[self.of[i]].domain
        self._merge(self.of[maker], self.of[i])
        merged = self.clusters[self.of[i]]
        merged.root, merged.domain = root, domain

    def _refuse_gradient(self, maker: int, i: int) -> str:
        if self._is_free(maker) or OPS[self.nodes[maker].op].alone:
            return self._never(maker)
        a, x, attr = self.clusters[self.of[maker]], self.types[self.nodes[i].inputs[GRADIENT]], self.nodes[i].attr
        if a.root is None or not makes_planes(a.root):
            return f"{self.nodes[i].op} reads elements of it more than once: storing is cheaper than computing again"
        if any(self._leaves(m, a.members | {i}) for m in a.members):
            return "its values have other readers"
        plain = x.lanes and (attr.get("stride"), attr.get("group")) == ((1, 1), 1)
        if not plain or x.shape[2] * x.shape[3] > MOST_CELLS:
            return "planes of the image would not stay near while they are read"
        return ""

    def _never(self, maker: int) -> str:
        node = self.nodes[maker]
        if is_alias(node):
            return "it is read as another shape"
        return OPS[node.op].alone or f"{node.op} is inlined"

    def _merge(self, a: int, b: int) -> None:
        """Merge two clusters under the number of a."""
        kept, gone = self.clusters[a], self.clusters.pop(b)
        for m in gone.members:
            self.of[m] = a
        if gone.root is not None and kept.root is None:
            kept.root, kept.domain = gone.root, gone.domain
        kept.members |= gone.members
        kept.succ |= gone.succ

    # -- result

    def result(self) -> Graph:
        """The graph with groups numbered by first node, and with the notes."""
        numbers: dict[int, int] = {}
        nodes = []
        for i, node in enumerate(self.nodes):
            group = -1 if self._is_free(i) else numbers.setdefault(self.of[i], len(numbers))
            nodes.append(replace(node, group=group))
        return self.graph.with_(nodes=tuple(nodes), notes=(*self.graph.notes, *self._notes()))

    def _notes(self) -> Iterable[str]:
        for i, node in enumerate(self.nodes):
            if self._is_free(i):
                continue
            for name in dict.fromkeys(node.inputs):
                maker = self.maker.get(name)
                if maker is not None and self.of[maker] != self.of[i] and not OPS[self.nodes[maker].op].inlined:
                    yield f"%{name} -> %{node.outputs[0].name} ({node.op}) not fused: {self._why(maker, i)}"

    def _why(self, maker: int, i: int) -> str:
        node = self.nodes[i]
        if (maker, i) in self.reasons:
            return self.reasons[maker, i]
        if self._is_free(maker) or OPS[self.nodes[maker].op].alone:
            return self._never(maker)
        if OPS[node.op].alone:
            return OPS[node.op].alone
        if OPS[node.op].kind in ROOTS:
            return f"{node.op} reads elements of it more than once: storing is cheaper than computing again"
        return (
            f"their domains differ ({self.clusters[self.of[maker]].domain} against {self.clusters[self.of[i]].domain})"
        )


def _pulls(node: Node) -> bool:
    """Whether a node may compute its operand where it needs it: pools and reductions, but not gradients of pools."""
    kind = OPS[node.op].kind
    return kind == "reduce" or (kind == "window" and "shape" not in node.attr)
