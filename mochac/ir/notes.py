"""Notes: what passes decided about values and kernels, and why.

A graph carries them (Graph.notes). explain and the report list them by kind; dumps show their text as comments behind
the graph, which parse_note reads back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar

from mochac.base.records import record


class Note:
    """A decision of a pass. Its text is HEAD, and FORM with its fields filled in."""

    __slots__ = ()
    HEAD: ClassVar[str] = ""
    FORM: ClassVar[str]

    @property
    def words(self) -> str:
        """The text without its head."""
        return self.FORM.format(**{f.name: _text(getattr(self, f.name)) for f in fields(self)})  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.HEAD + self.words


@record(slots=True)
class Remark(Note):
    """Anything else, such as a comment in a text that was parsed."""

    text: str
    FORM: ClassVar = "{text}"


@record(slots=True)
class NotFused(Note):
    """Why a value is stored by one kernel and read by another. `op` is that of the node that makes `reader`."""

    maker: str
    reader: str
    op: str
    why: str
    FORM: ClassVar = "%{maker} -> %{reader} ({op}) not fused: {why}"

    @property
    def edge(self) -> str:
        """The text of the note without the reason."""
        return f"%{self.maker} -> %{self.reader} ({self.op})"


@record(slots=True)
class FusionOff(Note):
    """Why no nodes share a kernel."""

    FORM: ClassVar = "fusion is switched off: every node is a kernel of its own"


@record(slots=True)
class Folded(Note):
    """A sum or product with numbers per channel that became part of the weights of a product."""

    value: str
    op: str
    product: str
    into: str
    FORM: ClassVar = "%{value} ({op}) folded into %{product} ({into})"


@record(slots=True)
class Called(Note):
    """A value that a library computes because that was timed as the fastest."""

    value: str
    op: str
    times: str
    FORM: ClassVar = "%{value} ({op}) is called: {times}"


@record(slots=True)
class NotCalled(Note):
    """Why no library computes a value."""

    value: str
    op: str
    why: str
    FORM: ClassVar = "%{value} ({op}) not called: {why}"


@record(slots=True)
class InFloat(Note):
    """A value of a quantized net that is computed in floating point."""

    value: str
    op: str
    FORM: ClassVar = "%{value} ({op}) is computed in float"


@record(slots=True)
class Joined(Note):
    """Kernels that became one."""

    kernels: tuple[str, ...]
    FORM: ClassVar = "{kernels}"


@record(slots=True)
class JoinedItems(Joined):
    """Kernels that compute the same items one after another."""

    HEAD: ClassVar = "item by item: "


@record(slots=True)
class SeparateKernels(Note):
    """Why a kernel and one that reads from it, one of them a product, do not compute items one after another."""

    kernels: tuple[str, ...]
    why: str
    HEAD: ClassVar = JoinedItems.HEAD
    FORM: ClassVar = "{kernels} stay apart: {why}"

    @property
    def edge(self) -> str:
        """The kernels."""
        return f"kernels {_text(self.kernels)}"


@record(slots=True)
class Recomputed(Note):
    """A value that is computed again where it is read later, and the bytes that storing it would take."""

    value: str
    n_bytes: int
    HEAD: ClassVar = JoinedItems.HEAD
    FORM: ClassVar = "%{value} is computed again where it is read later; it would take {n_bytes} bytes"


@record(slots=True)
class WithGates(Joined):
    """A product, and the kernel that reads its columns as gates."""

    HEAD: ClassVar = "gates with their product: "


@record(slots=True)
class AllSteps(Joined):
    """The kernels of a loop over time, as one kernel that contains the loop."""

    HEAD: ClassVar = "all steps in one launch: "


@record(slots=True)
class StepByStep(Note):
    """Why the kernels of a loop over time are launched in every step."""

    kernels: tuple[str, ...]
    why: str
    HEAD: ClassVar = "step by step: "
    FORM: ClassVar = "{kernels}: {why}"


@record(slots=True)
class JoinedLaunches(Joined):
    """Kernels that run in one launch."""

    HEAD: ClassVar = "launched together: "


KINDS: tuple[type[Note], ...] = (
    *(NotFused, FusionOff, Folded, Called, NotCalled, InFloat),
    *(Recomputed, SeparateKernels, JoinedItems, WithGates, AllSteps, StepByStep, JoinedLaunches),
)
READERS: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": lambda text: int(text.replace(",", "")),
    "tuple[str, ...]": lambda text: tuple(text.split(" + ")),
}
"""Inverse of _text, by the type of a field."""


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return " + ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def parse_note(text: str) -> Note:
    """Inverse of str(note); a Remark if the text is none of a kind.

    >>> parse_note("%r -> %y (conv) not fused: for a reason")
    NotFused(maker='r', reader='y', op='conv', why='for a reason')
    >>> parse_note("for another reason")
    Remark(text='for another reason')
    """
    for kind in KINDS:
        match = re.fullmatch(_pattern(kind), text, re.DOTALL)
        if match is not None:
            return kind(**{f.name: READERS[f.type](match[f.name]) for f in fields(kind)})  # type: ignore[arg-type]
    return Remark(text)


@cache
def _pattern(kind: type[Note]) -> str:
    return re.sub(r"\\{(\w+)\\}", "(?P<\\1>.+?)", re.escape(kind.HEAD + kind.FORM))
