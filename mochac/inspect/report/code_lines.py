"""Which loop of a kernel each line of its nest, of its LLVM IR and of its assembly belongs to.

Loops are numbered in the order of the scheduled kernel's text. Only those count that the printer printed as loops
(KernelCode.heads): a line in an unrolled loop belongs to the loop around it. -1 is the code outside of all loops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

OUTSIDE = -1
_OPENS = re.compile(r"\s*(?:each|sum|for) \S+ in .*\{$")
_IR_LABEL = re.compile(r"([\w.$-]+):")
_ASM_LABEL = re.compile(r"(?:\.?L?BB\w+:|# %bb\.\d+:).*?# %([\w.$-]+)")
_HEAD = re.compile(r"(.+)\.loop(\d+)")


def nest_loops(lines: Sequence[str], known: frozenset[int]) -> list[int]:
    """The loop of each line of a kernel's text; `known` are the loops that count."""
    found: list[int] = []
    around: list[int] = [OUTSIDE]
    n = 0
    for text in lines:
        closes = text.strip() == "}"
        if closes and len(around) > 1:
            found.append(around.pop())
            continue
        inner = around[-1]
        if _OPENS.match(text):
            inner = n if n in known else inner
            n += 1
        found.append(inner)
        if text.endswith("{"):
            around.append(inner)
    return found


def loop_lines(lines: Sequence[str]) -> list[int]:
    """The lines that open loops, in order."""
    return [k for k, text in enumerate(lines) if _OPENS.match(text)]


def llvm_loops(lines: Sequence[str], heads: Mapping[str, int]) -> tuple[list[int], dict[str, int]]:
    """The loop of each line of LLVM IR, and the loop of each of its blocks, by label."""
    ends = {_done(label): label for label in heads}
    around: list[str] = []
    found: list[int] = []
    blocks: dict[str, int] = {}
    for text in lines:
        label = _IR_LABEL.match(text)
        if label:
            name = label[1]
            if name in heads:
                around.append(name)
            elif name in ends and ends[name] in around:
                del around[around.index(ends[name]) :]
            blocks[name] = heads[around[-1]] if around else OUTSIDE
            before = heads[around[-2]] if len(around) > 1 else OUTSIDE
            if name in heads:
                blocks[f"{name}.preheader"] = before
        found.append(heads[around[-1]] if around else OUTSIDE)
    return found, blocks


def assembly_loops(lines: Sequence[str], blocks: Mapping[str, int]) -> list[int]:
    """The loop of each line of assembly, whose blocks have the names of LLVM's, with endings."""
    found: list[int] = []
    loop = OUTSIDE
    for text in lines:
        label = _ASM_LABEL.match(text)
        if label:
            name = label[1]
            while name and name not in blocks:
                name = name.rpartition(".")[0]
            loop = blocks.get(name, loop)
        found.append(loop)
    return found


def runs(loops: Sequence[int]) -> str:
    """Loops by line, equal neighbours together: "12x-1 3x0".

    >>> runs([-1, -1, 0, 3, 3])
    '2x-1 1x0 2x3'
    """
    return " ".join(f"{len(list(same))}x{loop}" for loop, same in groupby(loops))


def _done(head: str) -> str:
    """The label of the block after a loop: the printer numbers it next."""
    match = _HEAD.fullmatch(head)
    return f"{match[1]}.done{int(match[2]) + 1}" if match else ""
