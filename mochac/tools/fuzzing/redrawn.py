"""Arrays like those of a case that one call of a generator draws, and the script that reproduces a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.nets.layers.base import DataLayer
from mochac.nets.source import expression
from mochac.tools.fuzzing.drawer import DrawnNet

HEAD = """import numpy as np
from mochac import *
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.twins import TWINS, Trial

rng = np.random.default_rng(0)
"""


def redrawn(arrays: Mapping[str, np.ndarray]) -> dict[str, tuple[str, np.ndarray]]:
    """For each array an expression, such as "rng.standard_normal((4, 3))", and its value."""
    rng, found = np.random.default_rng(0), dict[str, tuple[str, np.ndarray]]()
    for top, array in arrays.items():
        method, arguments = _call(array)
        text = f"rng.{method}({', '.join(map(str, arguments))})"
        found[top] = text, getattr(rng, method)(*arguments)
    return found


def _call(array: np.ndarray) -> tuple[str, tuple[Any, ...]]:
    """A method of a generator and its arguments: integers, shares, numbers from 0 or -1 to 1, or normal ones."""
    low, high = float(array.min()), float(array.max())
    if (array == np.round(array)).all():
        return "integers", (int(low), int(high) + 1, array.shape)
    if low >= 0 and array.ndim == 2 and np.allclose(array.sum(axis=1), 1):
        return "dirichlet", ([1.0] * array.shape[1], array.shape[0])
    if low >= 0 and high <= 1:
        return "random", (array.shape,)
    return ("uniform", (-1, 1, array.shape)) if max(-low, high) <= 1 else ("standard_normal", (array.shape,))


def script(case: DrawnNet, twin: str) -> str:
    """Python code that compares a case with a twin."""
    drawn = redrawn(case.arrays)
    again = all(np.array_equal(drawn[top][1], array) for top, array in case.arrays.items())
    arrays = {top: drawn[top][0] if again else expression(np.asarray(array)) for top, array in case.arrays.items()}
    lines = [f"arrays = {{{', '.join(f'{top!r}: {text}' for top, text in arrays.items())}}}", "layers = ["]
    how = f"data=list(arrays.values()), tops=list(arrays), batch_size={case.batch}"
    for layer in case.net.layers:
        written = f"MemoryDataLayer(name={layer.name!r}, {how})" if isinstance(layer, DataLayer) else expression(layer)
        lines.append(f"    {written},")
    given = case.solver
    solver = f"Solver({expression(given.method)}, max_iter={case.steps}, regu_coef={given.regu_coef}"
    solver += f", clip_norm={given.clip_norm})" if given.clip_norm else ")"
    made = f"DrawnNet(Net({case.net.name!r}, layers), arrays, {case.batch}, {solver}, {case.frozen}, {case.seed})"
    return "\n".join([*HEAD.splitlines(), *lines, "]", f"case = {made}", f"TWINS[{twin!r}](Trial(case))", ""])
