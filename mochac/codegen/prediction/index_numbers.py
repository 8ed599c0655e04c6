"""Numbers for the indices of statements in unrolled loops, so that equal places are found quickly."""

from __future__ import annotations

from mochac.ir.executed import Env
from mochac.ir.index import Index

Fixed = tuple[tuple[int, ...], tuple[tuple[tuple[str, int], ...], ...]]
"""Constants and terms of an index, axis by axis."""


class IndexNumbers:
    """Numbers for the indices of one kernel, which must be kept alive.

    Attributes:
        fixed: the index of each number.
    """

    def __init__(self) -> None:
        self.fixed: list[Fixed] = []
        self._numbers: dict[Fixed, int] = {}
        self._variables: dict[int, tuple[str, ...]] = {}
        self._known: dict[tuple[int | None, ...], int] = {}

    def number(self, index: tuple[Index, ...], consts: Env) -> int:
        """The number of a statement's index where these variables have these values."""
        variables = self._variables.get(id(index))
        if variables is None:
            variables = self._variables[id(index)] = tuple({var for i in index for var in i.vars})
        key = (id(index), *map(consts.get, variables))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._numbered(fixed(index, consts))
        return found

    def _numbered(self, index: Fixed) -> int:
        if index not in self._numbers:
            self._numbers[index] = len(self.fixed)
            self.fixed.append(index)
        return self._numbers[index]


def fixed(index: tuple[Index, ...], consts: Env) -> Fixed:
    """An index with the values of some variables put in.

    >>> fixed((Index.var("i") * 2 + Index.var("j"),), {"i": 3})
    ((6,), ((('j', 1),),))
    """
    known: list[int] = []
    terms: list[tuple[tuple[str, int], ...]] = []
    for i in index:
        at, rest = i.const, list[tuple[str, int]]()
        for term in i.terms:
            if term[0] in consts:
                at += term[1] * consts[term[0]]
            else:
                rest.append(term)
        known.append(at)
        terms.append(tuple(rest))
    return tuple(known), tuple(terms)
