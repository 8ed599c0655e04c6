"""Runs a script as it is, on the CPU, and keeps the CUDA C of every plan that it compiles.

    python recording.py both|turns FOLDER SCRIPT ARGUMENTS...

test_cuda_sources.py calls it. Each plan is lowered once more, for an A100 and an H100, or for these two in turns. Of
kernels that differ in names only, one is kept.
"""

import hashlib
import runpy
import sys
from itertools import cycle
from pathlib import Path

from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.generator import LibraryCode
from mochac.lowering import pipeline
from mochac.runtime.lowered import Lowered

TARGETS = (CudaTarget(80, multiprocessors=108), CudaTarget(90, multiprocessors=132))
KEPT = ("scalars", "named", "dtype", "fused")


def main(both: bool, folder: Path, script: str) -> None:
    lower, turns, known = pipeline.lower, cycle(TARGETS), set[str]()

    def lower_and_keep(graph, generator, **how):
        if not isinstance(generator, CudaGenerator):
            same = {name: how[name] for name in KEPT if name in how}
            plan = hashlib.sha256(f"{graph}{same}".encode()).hexdigest()[:12]
            targets = TARGETS if both else [next(turns)] * (plan not in known)
            known.add(plan)
            for other in targets:
                lowered = lower(graph, CudaGenerator(other), **same)
                (folder / f"{graph.name}-{plan}.{other.name}.cu").write_text(distinct(lowered))
        return lower(graph, generator, **how)

    pipeline.lower = lower_and_keep
    sys.path[0] = str(Path(script).resolve().parent)
    runpy.run_path(script, run_name="__main__")


def distinct(lowered: Lowered) -> str:
    """The module with one kernel of each canonical one."""
    codes = {kernel.canonical: kernel.code for kernel in reversed(lowered.kernels)}
    return lowered.generator.module_text([c for c in codes.values() if not isinstance(c, LibraryCode)], lowered.plan)


if __name__ == "__main__":
    del sys.argv[0]
    main(sys.argv.pop(0) == "both", Path(sys.argv.pop(0)), sys.argv[0])
