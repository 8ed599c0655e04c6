"""The node cases of the package onnx, which show what each operator means: imported, computed, compared.

In a case everything is an input of the model. It is tried with all inputs as data, and then with all but the first as
constants, as weights are in models; each with axis 0 or 1 as the batch, and without a batch. test_node_cases.py runs
it.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from model_kit import interpreted, stored
from onnx import ModelProto, TensorProto, numpy_helper

from mochac import MochacError, Net
from mochac.base.files.onnx_file import check_versions
from mochac.formats.onnx.loading import converted

PASS, WRONG = "pass", "wrong"
WAYS = ((0, 0), (0, 1), (1, 0), (1, 1), (None, 0), (None, 1))
"""Which axis is the batch, and whether all inputs but the first are constants."""


def cases() -> list[Any]:
    """All node cases, without those that drop random units as in training, which a layer decides by itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.loader import load_model_tests

        every = [case for case in load_model_tests(kind="node") if case.model is not None]
        return [case for case in every if not case.name.startswith("test_training_dropout")]


def outcome(case: Any) -> tuple[str, str]:
    """PASS, WRONG, or why mochac does not import it; and the difference if it is wrong."""
    reason = ""
    for axis, constants in WAYS:
        try:
            for net, arrays, fed, wanted, axes in attempts(case, axis, constants):
                found = interpreted(net, arrays, fed, list(axes))
                own = [
                    x[0] if at is None else np.moveaxis(x, 0, at) for x, at in zip(found, axes.values(), strict=True)
                ]
                fault = difference(case, own, wanted)
                if fault:
                    return WRONG, fault
            return PASS, ""
        except (MochacError, ValueError, NotImplementedError, TypeError) as error:  # the last three: no numbers
            reason = str(error)
    return reason, ""


def attempts(
    case: Any, axis: int | None, constants: int
) -> Iterator[tuple[Net, dict[str, np.ndarray], dict[str, Any], list[Any], dict[str, int | None]]]:
    """The net of a case for each of its data sets, with what it gets and what it should compute, and which axes of that
    are the batch."""
    for inputs, outputs in case.data_sets or ():
        arrays = [_array(x) for x in inputs]
        model = ModelProto()
        model.CopyFrom(case.model)
        check_versions(model)
        fed = dict(zip([i.name for i in model.graph.input], arrays, strict=False))
        for name in list(fed)[1:] if constants else ():
            model.graph.initializer.append(numpy_helper.from_array(fed.pop(name), name))
        found = converted(model, case.name, batch_axis=axis)
        net = Net("case", found.layers)
        fed = {name: x[None] if axis is None else np.moveaxis(x, min(axis, x.ndim - 1), 0) for name, x in fed.items()}
        yield net, stored(net, found), fed, [_array(y) for y in outputs], found.batch_axes


def _array(x: Any) -> np.ndarray:
    return numpy_helper.to_array(x) if isinstance(x, TensorProto) else np.asarray(x)


def difference(case: Any, found: list[np.ndarray], wanted: list[np.ndarray]) -> str:
    """What is wrong with results, "" if nothing is."""
    for a, y in zip(found, wanted, strict=True):
        digits = {"bfloat16": 2.0**-7, "float16": 1e-3}.get(y.dtype.name, 1e-4)
        b = y.astype(float)
        if a.shape != b.shape:
            return f"shape {a.shape}, expected {b.shape}"
        atol = digits if digits > 1e-4 else 1e-5
        if not np.allclose(a, b, rtol=max(case.rtol, digits), atol=atol, equal_nan=True):
            return f"differs by {np.abs(a - b).max():.3g}"
    return ""


def table(outcomes: dict[str, tuple[str, str]], operators: dict[str, str]) -> str:
    """The summary, and the operators of cases that pass."""
    kinds = Counter(PASS if what == PASS else WRONG if what == WRONG else "" for what, _ in outcomes.values())
    passed = Counter(operators[name] for name, (what, _) in outcomes.items() if what == PASS)
    total = Counter(operators.values())
    lines = [
        f"{kinds[PASS]:,} of {len(outcomes):,} pass, {kinds['']:,} are refused by name, {kinds[WRONG]:,} are wrong.",
        "",
    ]
    lines += ["| operator | cases that pass |", "| --- | --- |"]
    lines += [f"| {name} | {passed[name]} of {total[name]} |" for name in sorted(passed)]
    return "\n".join(lines) + "\n"


def operators(cases: list[Any]) -> dict[str, str]:
    """The operator that each case is about, by its name; a case that spells a function out is about the function."""
    first = {case.name: case.model.graph.node[0].op_type if case.model.graph.node else "none" for case in cases}
    return {name: first.get(re.sub(r"_expanded.*", "", name), kind) for name, kind in first.items()}
