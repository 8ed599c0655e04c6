"""Prototxt files as protobuf messages, with the line of each layer."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

from mochac.base.errors import DataError, OptionError, shown
from mochac.base.files.caffe.schema import message_class, require_protobuf
from mochac.base.files.reading import NOT_TEXT, guarded, read_text
from mochac.base.records import record
from mochac.formats.caffe.blocks import DEEPEST, Block, fields_of, scan, stub, too_deep


@record
class Entry:
    """A layer as it is in the file.

    Attributes:
        message: a LayerParameter or V1LayerParameter.
        type: as written.
        line: where it begins.
        stubbed: the type is unknown, and only name, wiring and rules were read.
    """

    message: Any
    type: str
    line: int
    stubbed: bool


@record
class NetText:
    """The file of a net: its message, in which layers are not parsed, and the layers."""

    path: str
    message: Any
    entries: tuple[Entry, ...]


@record
class SolverText:
    """The file of a solver: its message without nets in it, and these nets by the names of their fields."""

    path: str
    message: Any
    nets: Mapping[str, tuple[NetText, ...]]


def read_net(path: str | os.PathLike[str], known: Collection[str]) -> NetText:
    """Read the prototxt of a net; of layers whose types are not in `known`, only the wiring is read.

    Raises:
        DataError: no such file, or not a net; with the line. OptionError: protobuf is not installed.
    """
    net = parse_net(read_prototxt(path), os.fspath(path), known)
    if not net.entries and not net.message.input:
        raise DataError(f"{net.path} has no layers")
    return net


def parse_net(text: str, path: str, known: Collection[str]) -> NetText:
    """Parse the text of a net; `path` is for messages."""
    blocks = scan(text)
    strange = [b for b in blocks if b.type not in known]
    net = _parsed(_stubbed(text, strange), path, "NetParameter", "a net")
    rest = {"layer": iter(net.layer), "layers": iter(net.layers)}
    entries = tuple(Entry(next(rest[b.field.name]), b.type, b.line, b in strange) for b in blocks)
    return NetText(path, net, entries)


def read_solver(path: str | os.PathLike[str], known: Collection[str]) -> SolverText:
    """Read the prototxt of a solver, with nets inside it as by `read_net`.

    Raises:
        DataError: no such file, or not a solver; with the line. OptionError: protobuf is not installed.
    """
    text, name = read_prototxt(path), os.fspath(path)
    nets: dict[str, tuple[NetText, ...]] = {}
    for field in fields_of(text):
        if field.name in _INLINE and field.inside:
            begin, end = field.inside
            blank = "\n" * text.count("\n", 0, begin)  # so that line numbers are those of the file
            nets[field.name] = (*nets.get(field.name, ()), parse_net(blank + text[begin:end], name, known))
    return SolverText(name, _parsed(_without_nets(text), name, "SolverParameter", "a solver"), nets)


_INLINE = ("net_param", "train_net_param", "test_net_param")


def _without_nets(text: str) -> str:
    """The text with empty nets, and the same number of lines."""
    for field in reversed(fields_of(text)):
        if field.name in _INLINE and field.inside:
            begin, end = field.inside
            text = text[:begin] + "\n" * text.count("\n", begin, end) + text[end:]
    return text


def read_prototxt(path: str | os.PathLike[str]) -> str:
    """The text of a prototxt.

    Raises:
        DataError: no such file, not text, or messages nested too deeply. OptionError: protobuf is not installed.
    """
    require_protobuf("reading a prototxt")
    if not isinstance(path, (str, os.PathLike)):
        raise OptionError("not a path", expected="the name of a prototxt file", got=shown(path))
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
