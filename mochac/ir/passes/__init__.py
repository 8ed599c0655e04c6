"""Passes: functions Graph -> Graph, one file each, found by a folder scan.

`mochac opt` and the tests run passes by name; lowering/pipeline.py runs them in order. A pass must not depend on which
passes come before or after it.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.base.errors import OptionError
from mochac.base.options import Options
from mochac.base.registry import Registry, misspelt
from mochac.ir.graph import Graph

GraphPass = Callable[[Graph], Graph]

PASSES: Registry[GraphPass] = Registry("pass", "mochac.ir.passes", '@graph_pass("{}"')


def graph_pass(name: str) -> Callable[[GraphPass], GraphPass]:
    """Decorator: register a Graph -> Graph function as pass `name`, which can then be run by name.

    A pass with options registers a version with default options.
    """

    def add(fn: GraphPass) -> GraphPass:
        return PASSES.add(name, fn)

    return add


class UnknownPassError(OptionError, KeyError):
    """There is no pass of that name; the message lists the passes and suggests one."""

    __str__ = Exception.__str__  # KeyError would print the message in quotes


def known_pass(name: str) -> GraphPass:
    """The pass called `name`.

    Raises:
        UnknownPassError: there is no such pass.
    """
    if name not in PASSES:
        hint = misspelt(name, PASSES)
        raise UnknownPassError(f"no pass {name!r}", details=[f"passes: {' '.join(PASSES)}"], hint=hint)
    return PASSES[name]


def run(name: str, graph: Graph) -> Graph:
    """The graph after pass `name`.

    With MOCHAC_VERIFY=1 the graph is verified before and after, so that the right pass is blamed.

    Raises:
        UnknownPassError: there is no such pass; the message suggests one. It is an OptionError and a KeyError.
    """
    transform = known_pass(name)
    checked = Options.from_env().verify
    if checked:
        _verify(graph)
    result = transform(graph)
    if checked:
        _verify(result)
    return result


def _verify(graph: Graph) -> None:
    from mochac.ir.verifier import verify  # imports all ops, which are not needed to list the passes

    verify(graph)
