"""Prototxt files as protobuf messages, with the line of every layer.

nets.py and solver.py read files through it. It knows the syntax and which types of layers mochac takes, not what they
mean.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mochac.caffe.blocks import DEEPEST, Block, fields_of, scan, stub, too_deep
from mochac.caffe.files.schema import message_class, require_protobuf
from mochac.errors import DataError, OptionError
from mochac.runtime.files.reading import NOT_TEXT, guarded, read_text


@dataclass(frozen=True)
class Entry:
    """One layer as its file has it.

    Attributes:
        message: a LayerParameter or V1LayerParameter.
        type: as written.
        line: of its first word.
        stubbed: the type is not known: only name, wiring and rules were read.
    """

    message: Any
    type: str
    line: int
    stubbed: bool


@dataclass(frozen=True)
class NetText:
    """A net's file: its message without layers looked at, and the layers."""

    path: str
    message: Any
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class SolverText:
    """A solver's file: its message without the nets written inside it, and these by the names of their fields."""

    path: str
    message: Any
    nets: Mapping[str, tuple[NetText, ...]]


def read_net(path: str | os.PathLike[str], known: Collection[str]) -> NetText:
    """A net from a prototxt; layers of types outside `known` are read as far as their wiring goes.

    Raises:
        DataError: no such file, or it is not a net's prototxt; with the line. OptionError: protobuf is not installed.
    """
    found = parse_net(read_prototxt(path), os.fspath(path), known)
    if not found.entries and not found.message.input:
        raise DataError(f"{found.path} has no layers")
    return found


def parse_net(text: str, path: str, known: Collection[str]) -> NetText:
    """The same from text; `path` is for messages."""
    blocks = scan(text)
    strange = [b for b in blocks if b.type not in known]
    net = _parsed(_stubbed(text, strange), path, "NetParameter", "a net")
    rest = {"layer": iter(net.layer), "layers": iter(net.layers)}
    entries = tuple(Entry(next(rest[b.field.name]), b.type, b.line, b in strange) for b in blocks)
    return NetText(path, net, entries)


def read_solver(path: str | os.PathLike[str], known: Collection[str]) -> SolverText:
    """A solver from a prototxt, with the nets inside it, read as `read_net` does.

    Raises:
        DataError: no such file, or it is not a solver's prototxt; with the line. OptionError: protobuf is absent.
    """
    text, name = read_prototxt(path), os.fspath(path)
    nets: dict[str, tuple[NetText, ...]] = {}
    for field in fields_of(text):
        if field.name in _INLINE and field.inside:
            begin, end = field.inside
            blank = "\n" * text.count("\n", 0, begin)  # so that lines are the file's
            nets[field.name] = (*nets.get(field.name, ()), parse_net(blank + text[begin:end], name, known))
    return SolverText(name, _parsed(_without_nets(text), name, "SolverParameter", "a solver"), nets)


_INLINE = ("net_param", "train_net_param", "test_net_param")


def _without_nets(text: str) -> str:
    """The same, over as many lines, with nothing in the nets."""
    for field in reversed(fields_of(text)):
        if field.name in _INLINE and field.inside:
            begin, end = field.inside
            text = text[:begin] + "\n" * text.count("\n", begin, end) + text[end:]
    return text


def read_prototxt(path: str | os.PathLike[str]) -> str:
    """The text of a prototxt whose messages nest no deeper than any net's.

    Raises:
        DataError: no such file, or it is not text. OptionError: protobuf is not installed.
    """
    require_protobuf("reading a prototxt")
    if not isinstance(path, (str, os.PathLike)):
        raise OptionError("not a path", expected="the name of a prototxt file", got=repr(path))
    name = os.fspath(path)
    with guarded(lambda fault: _unread(name, fault.reason)):
        text = read_text(path)
    if line := too_deep(text):
        raise DataError(f"{name} nests messages too deeply", expected=f"at most {DEEPEST} levels", at=f"{name}:{line}")
    return text


def _unread(path: str, reason: str) -> DataError:
    if reason == NOT_TEXT:
        return DataError(f"{path} is not text", hint="a .caffemodel holds weights, a .prototxt the net")
    return DataError(f"cannot read {path}", got=reason)


def _stubbed(text: str, blocks: list[Block]) -> str:
    for block in reversed(blocks):
        text = text[: block.field.start] + stub(text, block) + text[block.field.end :]
    return text


def _parsed(text: str, path: str, message: str, what: str) -> Any:
    from google.protobuf import text_format

    with guarded(lambda fault: _malformed(path, what, fault.reason)):
        try:
            return text_format.Parse(text, message_class(message)())
        except text_format.ParseError as error:
            line = error.GetLine()
            reason = str(error).removeprefix(f"{line}:{error.GetColumn()} : ").replace('"caffe.', '"')
            raise _malformed(path, what, reason, line) from None


def _malformed(path: str, what: str, reason: str, line: int | None = None) -> DataError:
    place = f"{path}:{line}" if line else path
    return DataError(f"{path} is not {what} in Caffe's text format", got=reason, at=place)
