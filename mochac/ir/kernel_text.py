"""parse_kernel: parses the text of a Kernel; the inverse of str().

Dumps, replay and tests use it. Each statement is on one line. The text is not verified: see ir/kernel_verify.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from mochac.base.errors import MochacError
from mochac.base.escaping import unword
from mochac.base.registry import did_you_mean
from mochac.ir.graph import parse_loc
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    RUNS,
    Accum,
    Buffer,
    Const,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Prefetch,
    Stmt,
    Store,
)
from mochac.ir.types import DTYPES, parse_type


class KernelTextError(MochacError, ValueError):
    """The text is not a kernel; the message quotes the line."""


DEEPEST = 64
"""Maximum nesting depth of loops and conditions."""

LONGEST = 10_000
"""Maximum length of a statement, in characters."""

NAME = r"[^\s%\[\](),:{}=]+"
_STORED = r"\w+\[[^\]]*\](?: blocked\(\d+\))?"
_BUFFER = rf"%{NAME}: {_STORED}(?: of {_STORED})?(?: = %{NAME})?"
_BUFFERS = rf"(?:{_BUFFER}(?:, {_BUFFER})*)?"
_HEADER = re.compile(
    rf"kernel @(?P<name>\S+?)\((?P<inputs>{_BUFFERS})\) -> \((?P<outputs>{_BUFFERS})\)(?: root (?P<root>\S+))?"
    r"(?: ops \((?P<ops>[^)]*)\))?(?: flops (?P<flops>\d+))?(?: parts (?P<parts>\d+))?"
    r"(?: threads (?P<threads>\d+(?:, \d+)*))?"
    r"(?: members (?P<members>\S+ \d+(?:, \S+ \d+)*))?"
    r"(?P<loc>(?: @\"(?:[^\"\\]|\\.)*\")*) \{"
)
_LOOP = re.compile(rf"(each|sum|for) (\S+) in (.+)\.\.(.+?)(?: ({'|'.join(RUNS)}))?(?: at %({NAME}))? \{{")
_ACCESS = re.compile(rf"%({NAME})\[([^\]]*)\]")
_TERM = re.compile(r"([+-]?)\s*(?:(\d+)\s*\*\s*)?([A-Za-z_][\w.]*|\d+)")


def parse_kernel(text: str) -> Kernel:
    """The kernel that a text describes.

    Raises:
        KernelTextError: quotes the line that could not be parsed.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    with _quoting(lines[0] if lines else ""):
        header = _parse_header(lines[0] if lines else "")
    at, locals_ = 1, []
    while at < len(lines) and lines[at].startswith("local "):
        declared, _, space = lines[at][len("local ") :].rpartition(" ")
        with _quoting(lines[at]):
            locals_.append(_parse_buffer(declared, space))
        at += 1
    body, at = _parse_body(lines, at)
    if at != len(lines):
        raise KernelTextError(f"text after the kernel: {_shown(lines[at])}")
    return replace(header, locals=tuple(locals_), body=body)


def _parse_header(line: str) -> Kernel:
    """A kernel without locals and body."""
    head = _HEADER.fullmatch(line)
    if head is None:
        raise KernelTextError(f"not a kernel header: {_shown(line)}")
    return Kernel(
        unword(head["name"]),
        _parse_params(head["inputs"]),
        _parse_params(head["outputs"]),
        (),
        (),
        unword(head["root"] or ""),
        tuple(o.strip() for o in (head["ops"] or "").split(",") if o.strip()),
        tuple(parse_loc(json.loads(m)) for m in re.findall(r'@("(?:[^"\\]|\\.)*")', head["loc"])),
        int(head["flops"] or 0),
        tuple(map(int, head["threads"].split(", "))) if head["threads"] else (),
        int(head["parts"] or 1),
        tuple(_parse_member(text) for text in head["members"].split(", ")) if head["members"] else (),
    )


def _parse_member(text: str) -> tuple[str, int]:
    root, _, count = text.partition(" ")
    return unword(root), int(count)


@contextmanager
def _quoting(line: str) -> Iterator[None]:
    """Wraps the parsing of one line: errors in its numbers and types quote the line."""
    try:
        yield
    except KernelTextError:
        raise
    except (ValueError, ArithmeticError) as error:
        raise KernelTextError(f"{error}: {_shown(line)}") from None


def _shown(line: str) -> str:
    return repr(line if len(line) <= 200 else line[:200] + "...")


def _parse_buffer(text: str, space: str = "global") -> Buffer:
    name, _, type = text.partition(": ")
    if not name.startswith("%") or not type:
        raise KernelTextError(f"not a buffer: {text!r}")
    type, _, begins = type.partition(" = %")
    type, _, passed = type.partition(" of ")
    return Buffer(unword(name[1:]), parse_type(type), space, unword(begins), parse_type(passed) if passed else None)


def _parse_params(text: str) -> tuple[Buffer, ...]:
    return tuple(_parse_buffer(part) for part in re.split(r", (?=%)", text) if part)


def _parse_body(lines: list[str], at: int, depth: int = 0) -> tuple[tuple[Stmt, ...], int]:
    out: list[Stmt] = []
    while at < len(lines):
        line = lines[at]
        at += 1
        if line == "}":
            return tuple(out), at
        if len(line) > LONGEST:
            raise KernelTextError(f"a line of {len(line):,} characters: {_shown(line)}")
        if not line.endswith("{"):
            with _quoting(line):
                out.append(_parse_simple(line))
            continue
        if depth == DEEPEST:
            raise KernelTextError(f"loops are nested more than {DEEPEST} deep: {_shown(line)}")
        inner, at = _parse_body(lines, at, depth + 1)
        with _quoting(line):
            out.append(_parse_block(line, inner))
    raise KernelTextError("the last '}' is missing")


def _parse_block(line: str, body: tuple[Stmt, ...]) -> Stmt:
    if line.startswith("if "):
        conds = [c.strip() for c in line[3:-1].split(",")]
        if not all(c.endswith(">= 0") for c in conds):
            raise KernelTextError(f"conditions read 'index >= 0': {line!r}")
        return If(tuple(parse_index(c[:-4]) for c in conds), body)
    match = _LOOP.fullmatch(line)
    if match is None:
        raise KernelTextError(f"not a loop: {line!r}")
    lo, hi = _parse_limit(match[3], "max"), _parse_limit(_limit_alone(match[4]), "min")
    return Loop(match[2], lo, hi, match[1], match[5] or "serial", body, unword(match[6] or ""))


def _limit_alone(text: str) -> str:
    """The end of a loop's range; a word behind it is a misspelt way to run it."""
    limit, _, last = text.rpartition(" ")
    if limit and last.isidentifier() and limit[-1] not in "+-*/(,":
        raise KernelTextError(f"a loop runs {', '.join(RUNS)}, not {last}{did_you_mean(last, RUNS)}")
    return text


def _parse_simple(line: str) -> Stmt:
    if line.startswith("prefetch "):
        rest = line[len("prefetch ") :]
        element = rest.removeprefix("write ").removeprefix("l2 ")
        return Prefetch(*_parse_access(element, line), rest.startswith("write "), rest.startswith("l2 "))
    left, _, right = line.partition(" = ")
    if not right:
        raise KernelTextError(f"not a statement: {line!r}")
    call = re.fullmatch(r"([A-Za-z_]\w*)\((.*)\)", right)
    if not left.endswith("]"):
        if call:
            return Let(unword(left[1:]), call[1], tuple(map(parse_operand, _split(call[2]))))
        return Load(unword(left[1:]), *_parse_access(right, line))
    buffer, index = _parse_access(left, line)
    if call is None:
        return Store(buffer, index, parse_operand(right))
    *args, last = _split(call[2])
    if last != left:
        raise KernelTextError(f"the last argument of an accumulation is its target: {line!r}")
    return Accum(buffer, index, call[1], tuple(map(parse_operand, args)))


def _parse_access(text: str, line: str) -> tuple[str, tuple[Index, ...]]:
    match = _ACCESS.fullmatch(text)
    if match is None:
        raise KernelTextError(f"not an access %buffer[...]: {line!r}")
    return unword(match[1]), tuple(parse_index(i) for i in match[2].split(",") if i.strip())


def _split(text: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append(text[start:k].strip())
            start = k + 1
    tail = text[start:].strip()
    return [*parts, tail] if tail else parts


def _parse_limit(text: str, joiner: str) -> Limit:
    texts = _split(text[len(joiner) + 1 : -1]) if text.startswith(f"{joiner}(") else [text]
    if not texts:
        raise KernelTextError(f"not a limit of a loop: {text!r}")
    return Limit(tuple(map(_parse_candidate, texts)))


def _parse_candidate(text: str) -> tuple[Index, int]:
    match = re.fullmatch(r"ceil\(\((.*)\) / ([1-9]\d*)\)", text.strip())
    return (parse_index(match[1]), int(match[2])) if match else (parse_index(text), 1)


def parse_operand(text: str) -> Operand:
    """Inverse of operand_text."""
    if text.startswith("%"):
        return unword(text[1:])
    number, colon, dtype = text.rpartition(":")
    if not colon:
        return parse_index(text)
    if dtype not in DTYPES:
        raise KernelTextError(f"not a literal: {text!r}")
    if dtype == "bool":
        return Const(number == "true", dtype)
    return Const(float(number) if dtype.startswith("f") else int(number), dtype)


def parse_index(text: str) -> Index:
    """Inverse of str(Index).

    >>> print(parse_index("2*oh + kh - 1"))
    kh + 2*oh - 1
    """
    text = text.strip()
    terms: dict[str, int] = {}
    const = at = 0
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None or (at and not match[1]):
            missing = f", expected + or - before {match[3]!r}" if match else ""
            raise KernelTextError(f"not an index: {text!r}{missing}")
        factor = int(match[2] or 1) * (-1 if match[1] == "-" else 1)
        if match[3].isdigit():
            const += factor * int(match[3])
        else:
            terms[match[3]] = terms.get(match[3], 0) + factor
        at = match.end()
        while at < len(text) and text[at] == " ":
            at += 1
    return Index.make(terms, const)
