"""Register locals while printing: which SSA value each element holds now.

The statement printer reads and writes them here; loops ask which elements need phi nodes. It prints nothing.
"""

from __future__ import annotations

from mochac.codegen.cpu.emitter import TextEmitter
from mochac.ir.kernel import Accum, Buffer, If, Load, Loop, Stmt, Store, written_buffers
from mochac.ir.scalar import Reg

Key = tuple[str, tuple[object, ...]]


class Registers:
    """Current value of every element of the register locals; an index is constants and at most one "lane"."""

    def __init__(self, emitter: TextEmitter, buffers: dict[str, Buffer]) -> None:
        self.e = emitter
        self.buffers = buffers
        self._values: dict[Key, Reg] = {}

    def has(self, buffer: str, index: tuple[object, ...]) -> bool:
        return (buffer, index) in self._values

    def read(self, buffer: str, index: tuple[object, ...], lanes: int, is_lane: bool) -> Reg:
        value = self._values.get((buffer, index))
        if value is not None:
            return value
        return self.e.const(0, self.buffers[buffer].type.dtype, lanes if is_lane else 1)

    def write(self, buffer: str, index: tuple[object, ...], value: Reg) -> None:
        self._values[buffer, index] = Reg(value.text, self.buffers[buffer].type.dtype, value.lanes)

    def current(self, key: Key) -> Reg:
        return self._values[key]

    def update(self, values: dict[Key, Reg]) -> None:
        self._values.update(values)

    def changed(self, body: tuple[Stmt, ...]) -> dict[Key, Reg]:
        """Elements that exist now and that a body may write."""
        written = written_buffers(body)
        return {key: reg for key, reg in self._values.items() if key[0] in written}

    def carried(self, body: tuple[Stmt, ...]) -> dict[Key, Reg]:
        """Elements that one iteration of a loop hands to the next: written inside, and read before they are."""
        needed = {b for b in written_buffers(body) if b in self.buffers and read_before_write(body, b)}
        return {key: reg for key, reg in self._values.items() if key[0] in needed}

    def forget_private(self, body: tuple[Stmt, ...], carried: dict[Key, Reg]) -> None:
        """After a loop: elements that were private to an iteration are gone."""
        self.keep_only_known(body, carried)

    def keep_only_known(self, body: tuple[Stmt, ...], known: dict[Key, Reg]) -> None:
        written = written_buffers(body)
        for key in [k for k in self._values if k[0] in written and k not in known]:
            del self._values[key]


def read_before_write(body: tuple[Stmt, ...], buffer: str) -> bool:
    """Whether a body may read `buffer` before it stores to it (a store under an If counts as a read)."""
    return _first_access(body, buffer, guarded=False) != "write"


def _first_access(body: tuple[Stmt, ...], buffer: str, guarded: bool) -> str | None:
    for stmt in body:
        found: str | None = None
        match stmt:
            case Load() | Accum() if stmt.buffer == buffer:
                return "read"
            case Store() if stmt.buffer == buffer:
                return "read" if guarded else "write"
            case Loop():
                found = _first_access(stmt.body, buffer, guarded)
            case If():
                found = _first_access(stmt.body, buffer, True)
        if found is not None:
            return found
    return None
