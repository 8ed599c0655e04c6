"""CUDA C around a step: bringing its scalars and batches in, taking its results out, counting on.

driver appends it to a plan's kernels, so that a step is launches with fixed arguments and can be replayed as a graph:
what changes from step to step is found through a counter in device memory. It moves data only and knows no ops.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.ir.program import Plan, Slot
from mochac.ir.types import DTYPES
from mochac.runtime.native.tables import owners

BEGIN, END = "mochac_step_begin", "mochac_step_end"
ROWS = 512
"""Steps for which scalars and results have room on the device."""
RING_BYTES = 32 << 20
MOST_SLOTS = 64
BLOCK = 256
MOST_BLOCKS = 1024
_WIDE = {"f32": "float", "f64": "double", "i32": "int", "i64": "long long"}


@dataclass(frozen=True)
class StepLayout:
    """What a step takes from tables in device memory and puts there.

    Attributes:
        feeds: one slot per fed array.
        hyper_words: 8-byte words of a row of per-step scalars.
        results: element types of the scalars reported, in the plan's order.
        ring: steps whose batches have room on the device, an even number.
    """

    feeds: tuple[Slot, ...]
    hyper_words: int
    results: tuple[str, ...]
    ring: int

    @property
    def begins(self) -> bool:
        """Whether there is anything to bring in."""
        return bool(self.feeds or self.hyper_words)

    @property
    def blocks(self) -> int:
        """Blocks of the kernel that brings it in."""
        most = max([self.hyper_words, *(_words(slot)[0] for slot in self.feeds)])
        return min(MOST_BLOCKS, -(-most // BLOCK))


def step_layout(plan: Plan) -> StepLayout:
    """The layout of a plan."""
    feeds = tuple(owners([s for s in plan.slots if s.place == "feed"]).values())
    ends = [s.offset + s.type.storage_bytes for s in plan.slots if s.place == "hyper"]
    slots = {s.name: s for s in plan.slots}
    batch_bytes = sum(slot.type.storage_bytes for slot in feeds)
    ring = 2 * max(1, min(MOST_SLOTS, RING_BYTES // max(1, batch_bytes)) // 2)
    return StepLayout(feeds, -(-max(ends, default=0) // 8), tuple(slots[v].type.dtype for _, v in plan.scalars), ring)


def step_text(plan: Plan) -> str:
    """The functions BEGIN (where there is anything to bring in) and END."""
    layout = step_layout(plan)
    return ("\n" + _begin(layout) if layout.begins else "") + "\n" + _end(layout)


def _begin(layout: StepLayout) -> str:
    parameters = ["const long long* __restrict__ step,  // steps done"]
    body: list[str] = []
    if layout.hyper_words:
        parameters.append("const unsigned long long* __restrict__ hyper_rows,  // a row of scalars per step")
        parameters.append("unsigned long long* __restrict__ hyper,  // this step's")
        n = layout.hyper_words
        body += _copied(n, f"hyper[k] = hyper_rows[now * {n} + k];")
    for k, slot in enumerate(layout.feeds):
        n, word = _words(slot)
        parameters.append(f"const {word}* __restrict__ ring{k},  // %{slot.name}, batches of {layout.ring} steps")
        parameters.append(f"{word}* __restrict__ feed{k},  // this step's, {slot.type}")
        body += _copied(n, f"feed{k}[k] = ring{k}[(now % {layout.ring}) * {n}LL + k];")
    head = ["const long long now = step[0];"]
    head += [f"const int thread = blockIdx.x * {BLOCK} + threadIdx.x, threads = gridDim.x * {BLOCK};"]
    what = "// A step begins: its scalars and its batch are put where the kernels look for them."
    return _function(what, BEGIN, BLOCK, parameters, [*head, *body])


def _copied(n: int, line: str) -> list[str]:
    return [f"for (int k = thread; k < {n}; k += threads) {{", f"    {line}", "}"]


def _end(layout: StepLayout) -> str:
    parameters = ["long long* __restrict__ step,  // steps done"]
    body = ["const long long now = step[0];"]
    if layout.results:
        parameters.append("double* __restrict__ results,  // a row of reported scalars per step")
    for k, dtype in enumerate(layout.results):
        parameters.append(f"const {_WIDE[dtype]}* scalar{k},")
        body.append(f"results[now * {len(layout.results)} + {k}] = (double)scalar{k}[0];")
    what = "// A step ends: its scalars are written down and it is counted."
    return _function(what, END, 1, parameters, [*body, "step[0] = now + 1;"])


def _function(what: str, name: str, block: int, parameters: list[str], body: list[str]) -> str:
    last = parameters[-1]
    parameters = [*parameters[:-1], last.replace(",  //", ")  //") if ",  //" in last else last.replace(",", ")")]
    lines = [what, f'extern "C" __global__ void __launch_bounds__({block})', f"{name}("]
    return "\n".join([*lines, *(f"    {p}" for p in parameters), "{", *(f"    {line}" for line in body), "}"]) + "\n"


def _words(slot: Slot) -> tuple[int, str]:
    """How many words of which C type a batch is copied in: as wide as divides it."""
    n = slot.type.elems * DTYPES[slot.type.dtype].itemsize
    for size, word in ((16, "uint4"), (8, "unsigned long long"), (4, "unsigned int")):
        if n % size == 0:
            return n // size, word
    return n, "unsigned char"
