"""Verdicts on random nets that are compared with their twins, and nets that fail made smaller."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.nets.layers.base import DataLayer, Layer
from mochac.nets.layers.config import Unset
from mochac.nets.layers.data import MemoryDataLayer
from mochac.nets.net import Net
from mochac.nets.show import expression
from mochac.nets.solvers.sgd import SGD
from mochac.nets.solvers.solver import Solver
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.outcome import solver_of
from mochac.tools.fuzzing.twins import TWINS, Mismatch, NotComparable, Trial

AGREE, NONE, DIFFER, ERROR, CRASH, HANG = "agree", "not comparable", "differ", "error", "crash", "hang"
FAULTS = (DIFFER, ERROR, CRASH, HANG)


@record
class Verdict:
    """Result of a comparison: one of the words above, and details."""

    kind: str
    text: str = ""

    @property
    def fault(self) -> bool:
        """Whether something is wrong with mochac."""
        return self.kind in FAULTS

    def like(self, other: Verdict) -> bool:
        """Whether both may have one cause: errors of one class, or the same kind."""
        return self.kind == other.kind and (self.kind != ERROR or self.text.split(":")[0] == other.text.split(":")[0])


def judged(trial: Trial, name: str) -> Verdict:
    """The verdict of one twin, in this process."""
    try:
        TWINS[name](trial)
    except NotComparable as reason:
        return Verdict(NONE, str(reason))
    except Mismatch as found:
        return Verdict(DIFFER, str(found))
    except MochacError as error:
        return Verdict(ERROR, f"{type(error).__name__}: {error}")
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Verdict(ERROR, f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})")
    return Verdict(AGREE)


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
    settings = case.solver
    solver = f"Solver({expression(settings.method)}, max_iter={case.steps}, regu_coef={settings.regu_coef}"
    solver += f", clip_norm={settings.clip_norm})" if settings.clip_norm else ")"
    made = f"DrawnNet(Net({case.net.name!r}, layers), arrays, {case.batch}, {solver}, {case.frozen}, {case.seed})"
    return "\n".join([*HEAD.splitlines(), *lines, "]", f"case = {made}", f"TWINS[{twin!r}](Trial(case))", ""])


KEPT_FIELDS = ("name", "bottoms", "tops", "data", "batch_size")


def shrunk(case: DrawnNet, fails: Callable[[DrawnNet], bool], say: Callable[[str], None]) -> DrawnNet:
    """The smallest case found that `fails`: no single change of `smaller` makes it smaller and lets it fail."""
    tried = True
    while tried:
        tried = False
        for what, other in smaller(case):
            if fails(other):
                say(f"{what}: {len(other.net.layers)} layers")
                case, tried = other, True
                break
    return case


def smaller(case: DrawnNet) -> Iterator[tuple[str, DrawnNet]]:
    """Cases with one thing less, the largest steps first, in words."""
    for change in (_less_net, _less_training, _less_data, _fewer_fields):
        yield from change(case)


def _less_net(case: DrawnNet) -> Iterator[tuple[str, DrawnNet]]:
    """Cases in which a layer's blob becomes data, or a layer is skipped or left out."""
    layers = list(case.net.layers)
    read = {blob for layer in layers for blob in layer.reads}
    for layer in reversed(layers):
        others = [other for other in layers if other is not layer]
        if isinstance(layer, DataLayer):
            continue
        if not set(layer.tops) & read:
            yield from _built(f"without {layer.name}", case, others)
            continue
        shapes = {top: case.net.blobs[top].shape for top in layer.tops}
        if all(len(s) > 1 and s[0] == case.batch for s in shapes.values()) and not set(layer.tops) & set(layer.bottoms):
            rows, rng = len(next(iter(case.arrays.values()))), np.random.default_rng(1)
            arrays = {top: rng.standard_normal((rows, *s[1:])) for top, s in shapes.items()}
            yield from _built(f"{layer.name} as data", case, _needed(others), {**case.arrays, **arrays})
        for bottom in layer.bottoms[:1]:
            renamed = [_reads(other, layer.tops, bottom) for other in others]
            yield from _built(f"around {layer.name}", case, renamed)


def _needed(layers: list[Layer]) -> list[Layer]:
    """The layers without those that nothing reads, except losses."""
    while True:
        read = {blob for layer in layers for blob in layer.reads}
        kept = [x for x in layers if x.is_loss or isinstance(x, DataLayer) or set(x.tops) & read or x.in_place]
        if len(kept) == len(layers):
            return kept
        layers = kept


def _reads(layer: Layer, tops: Sequence[str], bottom: str) -> Layer:
    if not set(layer.bottoms) & set(tops):
        return layer
    return layer.replace(bottoms=[bottom if b in tops else b for b in layer.bottoms])


def _less_training(case: DrawnNet) -> Iterator[tuple[str, DrawnNet]]:
    if case.frozen:
        yield "nothing frozen", replace(case, frozen=())
    plain = Solver(SGD(0.02), max_iter=case.steps, regu_coef=0.0)
    if repr(plain.method) != repr(case.solver.method) or case.solver.regu_coef or case.solver.clip_norm:
        yield "SGD", replace(case, solver=plain)
    for steps in (1, case.steps - 1):
        if 0 < steps < case.steps:
            yield f"{steps} steps", replace(case, solver=solver_of(case, max_iter=steps))


def _less_data(case: DrawnNet) -> Iterator[tuple[str, DrawnNet]]:
    """Smaller batches, arrays that nothing reads left out, and others drawn anew, so that a script can draw them."""
    read = {blob for layer in case.net.layers for blob in layer.reads}
    used = {top: a for top, a in case.arrays.items() if top in read}
    if used and len(used) < len(case.arrays):
        yield from _built("fewer data", case, list(case.net.layers), used)
    for batch in sorted({1, 2, case.batch // 2, case.batch - 1}):
        if 0 < batch < case.batch:
            few = {top: a[: 2 * batch] for top, a in case.arrays.items()}
            yield from _built(f"batches of {batch}", case, list(case.net.layers), few, batch)
    again = redrawn(case.arrays)
    if any(not np.array_equal(again[top][1], a) for top, a in case.arrays.items()):
        arrays = {top: array for top, (_, array) in again.items()}
        yield from _built("data drawn anew", case, list(case.net.layers), arrays)


def _fewer_fields(case: DrawnNet) -> Iterator[tuple[str, DrawnNet]]:
    """A field of a layer at its default."""
    for at, layer in enumerate(case.net.layers):
        for field in fields(layer):  # type: ignore[arg-type]
            default, value = field.default, getattr(layer, field.name)
            if field.name in KEPT_FIELDS or default is MISSING or isinstance(default, Unset):
                continue
            if isinstance(value, np.ndarray) or value == default:
                continue
            try:
                other = layer.replace(**{field.name: default})
            except MochacError:
                continue
            if repr(other) != repr(layer):
                layers = [other if k == at else known for k, known in enumerate(case.net.layers)]
                yield from _built(f"{layer.name}: default {field.name}", case, layers)


def _built(
    what: str, case: DrawnNet, layers: list[Layer], arrays: dict[str, Any] | None = None, batch: int = 0
) -> Iterator[tuple[str, DrawnNet]]:
    """The case with these layers, if they form a net."""
    arrays, batch = arrays or case.arrays, batch or case.batch
    how: dict[str, Any] = {"data": list(arrays.values()), "tops": list(arrays), "batch_size": batch}
    layers = [layer.replace(**how) if isinstance(layer, MemoryDataLayer) else layer for layer in layers]
    names = {layer.name for layer in layers}
    try:
        net = Net(case.net.name, layers)
        net.require_loss("train()")
    except MochacError:
        return
    frozen = tuple(name for name in case.frozen if name in names)
    yield what, replace(case, net=net, arrays=arrays, batch=batch, frozen=frozen)
