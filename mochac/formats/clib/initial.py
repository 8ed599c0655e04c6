"""Initial values as a library draws them: rows of a table, one for each parameter and state."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.formats.clib.data import Data
from mochac.formats.clib.ziggurat import FI, KI, WI
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.layers.initializers import Distribution, Initializer
from mochac.nets.net import Net

Drawn = Sequence[tuple[ParamInfo | StateInfo, Distribution]]


def drawn_in(net: Net) -> Drawn | None:
    """How the parameters and states of a net are drawn; None: one of them is made by Python code."""
    drawn: list[tuple[ParamInfo | StateInfo, Distribution]] = []
    for p in (*net.params, *net.states):
        own = type(p.init).fill is not Initializer.fill
        how = None if own else p.init.distribution(p.shape)
        if how is None:
            return None
        drawn.append((p, how))
    return drawn


def drawing_bytes(drawn: Drawn) -> int:
    """Memory for drawing: the doubles of an orthogonal matrix."""
    return max((8 * math.prod(p.shape) for p, how in drawn if how.kind == "orthogonal"), default=0)


def drawings(drawn: Drawn | None, numbers: dict[str, int], data: Data) -> dict[str, Any]:
    """What the template of init_drawn() prints; `numbers` are those of the arrays, by graph input."""
    if not drawn:
        return {"draws": False, "ziggurat": -1}
    rows = [_row(p, how, data) | {"array": numbers[p.value]} for p, how in drawn]
    kinds = {row["kind"] for row in rows}
    ziggurat = data.take(KI + WI + FI) if kinds & {"NORMAL", "ORTHOGONAL"} else -1
    return {"draws": True, "drawings": rows, "ziggurat": ziggurat, "orthogonal": "ORTHOGONAL" in kinds}


def _row(p: ParamInfo | StateInfo, how: Distribution, data: Data) -> dict[str, Any]:
    name = json.dumps([p.key, p.name], separators=(",", ":"))[1:]
    table = np.zeros(0) if how.values is None else np.ascontiguousarray(how.values, "<f8")
    return {
        "kind": how.kind.upper(),
        "n": math.prod(p.shape),
        "rows": p.shape[0] if p.shape else 1,
        "mean": repr(float(how.mean)),
        "scale": repr(float(how.scale)),
        "text": f",{name}",
        "table": data.take(table.tobytes()) if table.size else 0,
        "table_n": table.size,
    }
