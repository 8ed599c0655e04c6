"""Where the kernels of a CUDA plan come from: a library function, or the rule that made the schedule, and why.

A rule is described by the first sentence of its file, a node that no library computes by the reason of choose_library.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator

from mochac.base.support.array_like import columns
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.schedules import decided, generic
from mochac.codegen.generator import LibraryCode
from mochac.ir.graph import BoundNode, Graph
from mochac.ir.op import OPS
from mochac.ir.passes import choose_library
from mochac.runtime.lowered import Lowered, ScheduledKernel

WIDTH = 116


def origins(lowered: Lowered) -> str:
    """Kernels by library function or rule, then the nodes that a library could compute but does not."""
    generator = lowered.generator
    assert isinstance(generator, CudaGenerator)
    timed = bool(choose_library.timed_calls(lowered.graph))
    groups: dict[tuple[str, str], list[str]] = {}
    for kernel in lowered.kernels:
        groups.setdefault(_origin(kernel, generator, timed), []).append(kernel.naive.name)
    for node, why in _uncalled(lowered.graph, generator.libraries):
        groups.setdefault(("by no library", why), []).append(f"%{node.outputs[0].name} ({node.node.op})")
    return "\n".join(_group(*heading, names) for heading, names in groups.items())


def timed_lines(graph: Graph) -> str:
    """The times of every call: of the generated kernel that it is faster than, and of the library's engines."""
    return columns([], [[f"%{name}", *words.split("; ")] for name, words in choose_library.timed_calls(graph).items()])


def _group(what: str, why: str, names: list[str]) -> str:
    lines, line = [f"  {what}: {why}"], ""
    for name in names:
        if line and len(line) + len(name) > WIDTH:
            lines.append(line)
            line = ""
        line = f"{line}, {name}" if line else f"    {name}"
    return "\n".join([*lines, line])


def _origin(kernel: ScheduledKernel, generator: CudaGenerator, timed: bool) -> tuple[str, str]:
    if isinstance(kernel.code, LibraryCode) and kernel.code.exchanges:
        return f"between ranks, {kernel.code.symbol}", "see Exchanged between ranks"
    if isinstance(kernel.code, LibraryCode):
        why = "faster than generated kernels" if timed else f"{choose_library.MIN_FLOPS:,} operations and more"
        return f"called, {kernel.code.symbol}", why
    rule, _ = decided(kernel.staged, generator.target)
    module = rule.__module__
    root = kernel.naive.root
    if root in OPS and OPS[root].schedules.get("cuda") is rule:
        return f"generated, the rule of op {root}", module
    fallback = " as no other takes it" if rule is generic.rule else ""
    return f"generated, rule {module.rpartition('.')[2]}{fallback}", _described(module)


def _described(module: str) -> str:
    doc = (sys.modules[module].__doc__ or "").partition("\n\n")[0]
    sentence = " ".join(doc.split()).partition(". ")[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]


def _uncalled(graph: Graph, libraries: Collection[str]) -> Iterator[tuple[BoundNode, str]]:
    """Products and convolutions with generated code, each with the reason."""
    types, refused = graph.types(), choose_library.refused(graph)
    for node in graph.nodes:
        if node.op in choose_library.FUNCTIONS:
            bound = node.bound(types)
            yield bound, refused.get(node.outputs[0].name) or choose_library.refusal(graph, bound, libraries)
