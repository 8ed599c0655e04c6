"""with_loops: comments in LLVM IR and assembly that name the loop of the nest to which a block of code belongs.

The printer names blocks after loops (module.py, KernelCode.heads), and LLVM writes the names of blocks into its
assembly. The comments are added to text for people only: code that is compiled, and its hash, stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mochac.ir.kernel import Kernel, Loop, walk

if TYPE_CHECKING:
    from mochac.codegen.cpu.module import KernelCode

_LABEL = re.compile(r"^(?:(?P<ir>[\w.$-]+):|\.?L?(?:BB\w+:|# %bb\.\d+:).*# %(?P<asm>[\w.$-]+))\s*$")


def with_loops(text: str, kernel: Kernel, code: KernelCode, comment: str) -> str:
    """The text with a comment behind every label of a loop's head: "; loop 3: sum f_i in 0..16".

    Args:
        kernel: as scheduled; its loops are counted from 0 in the order of its text.
        comment: how a comment begins.
    """
    loops = [str(s).removesuffix(" {") for s in walk(kernel.body) if isinstance(s, Loop)]
    heads = dict(code.heads)

    def noted(line: str) -> str:
        found = _LABEL.match(line)
        number = heads.get(found["ir"] or found["asm"]) if found else None
        return line if number is None else f"{line}  {comment} loop {number}: {loops[number]}"

    return "\n".join(map(noted, text.split("\n")))
