"""Assembly as basic blocks, and what llvm-mca says of them: cycles on a CPU that need not be at hand.

llvm-mca knows execution ports, latencies and the width of dispatch, but no caches and no decoder: its cycles are what
arithmetic, loads that hit L1 and address computations take at least.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

OLDEST = 19
"""The first version of LLVM that knows znver5 by name."""
ITERATIONS = 200
"""Of a block, so that the filling of the pipeline does not count."""
_MULTIPLY_ADD = re.compile(r"vfn?m(add|sub)\d+p[sd]\b|fml[as]\b|fml[as]\tv")
_LABEL = re.compile(r"(?P<label>\.LBB\w+):\s*(?:(?:#|//) %(?P<name>\S+))?")
_FALLEN = re.compile(r"\s*(?:#|//) %bb\.\d+:(?:\s*(?:#|//) %(?P<name>\S+))?")
_WIDE_LOAD = re.compile(r"v(?:mov[au]p[sd]|broadcasts[sd])\t([^%,]*\(.*%zmm\d+)$")


@dataclass(frozen=True)
class Block:
    """A basic block: its label in assembly, the label of the block of LLVM IR that it was, its instructions, and the
    sizes in bytes of the registers that it spills or reloads."""

    label: str
    name: str
    instructions: tuple[str, ...]
    spills: tuple[int, ...]

    @property
    def multiply_adds(self) -> int:
        return sum(bool(_MULTIPLY_ADD.match(i)) for i in self.instructions)

    @property
    def is_loop(self) -> bool:
        """It jumps back to itself: an innermost loop."""
        return bool(self.label) and any(i.split()[-1] == self.label for i in self.instructions)


def blocks(assembly: str) -> Iterator[Block]:
    """The blocks of the only function of an assembly text with remarks, in order."""
    mark = "//" if "// %bb" in assembly else "#"
    function = re.split(r"^k_\w+:.*\n", assembly, maxsplit=1, flags=re.MULTILINE)[1].partition(".Lfunc_end")[0]
    label, name, lines = "", "", list[str]()
    for line in [*function.splitlines(), f"{mark} %bb.0:"]:
        start = _LABEL.match(line) or _FALLEN.match(line)
        if start is None:
            lines.append(line)
            continue
        code = [line.partition(mark)[0].strip() for line in lines if re.match(r"\s+[a-z]", line)]
        if code:
            spills = re.findall(r"(\d+)-byte (?:Folded )?(?:Spill|Reload)", "\n".join(lines))
            yield Block(label, name, tuple(code), tuple(map(int, spills)))
        found = start.groupdict()
        label, name, lines = found.get("label") or "", found["name"] or "", []


@lru_cache(maxsize=1)
def llvm_mca() -> str | None:
    """The path of the newest llvm-mca, None if there is none that is new enough."""
    found = {}
    for folder in map(Path, os.get_exec_path()):
        for path in folder.glob("llvm-mca*"):
            if shutil.which(path):
                version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
                number = re.search(r"LLVM version (\d+)", version)
                found[int(number[1]) if number else 0] = str(path)
    newest = max(found, default=0)
    return found[newest] if newest >= OLDEST else None


def cycles(blocks: Sequence[Block], triple: str, model: str) -> list[float]:
    """Cycles of each block, run again and again, by the scheduling model of a CPU."""
    mca = llvm_mca()
    assert mca is not None
    text = "".join(
        f"# LLVM-MCA-BEGIN b{k}\n"
        + "".join(f"\t{_as_read(i)}\n" for i in block.instructions)
        + f"# LLVM-MCA-END b{k}\n"
        for k, block in enumerate(blocks)
    )
    how = [f"-mtriple={triple}", f"-mcpu={model}", f"-iterations={ITERATIONS}", "-json"]
    run = subprocess.run([mca, *how], input=text, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    regions = {region["Name"]: region["SummaryView"] for region in json.loads(run.stdout)["CodeRegions"]}
    return [regions[f"b{k}"]["TotalCycles"] / ITERATIONS for k in range(len(blocks))]


def _as_read(instruction: str) -> str:
    """The instruction as llvm-mca gets it. LLVM's model of Skylake gives loads of 64 bytes a second operation, on a
    port of the multiply-adds, which the CPU has not (uops.info); only a streaming load it takes for what it is."""
    return _WIDE_LOAD.sub(r"vmovntdqa\t\1", instruction)
