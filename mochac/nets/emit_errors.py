"""Errors in the `emit` of a layer, as problems of its net, with the layer and the line of its author's code.

For mochac's own layers the line is that of the net, where the layer was made.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from traceback import walk_tb
from types import FunctionType

from mochac.base.errors import MochacError, OptionError, ShapeError, UnsupportedError
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, UnsupportedCallError, require_value
from mochac.nets.layers.base import Layer
from mochac.nets.layers.config import at, short_path

OURS = __name__.partition(".")[0]
INSTALLED = f"{os.sep}site-packages{os.sep}"
"""In the paths of installed libraries."""
_OF_TUPLES = re.compile(r"'(tuple|list)' (object|and)|and '(tuple|list)'|multiply|concatenate|LayerValue which")
"""In what Python and NumPy say of bottoms that are taken for one value."""


def is_foreign(layer: Layer) -> bool:
    """Whether a layer is a user's, and not mochac's."""
    return not _is_ours(type(layer).__module__)


def wrong_call(layer: Layer, error: OpCallError) -> MochacError:
    """The problem of a mistake in the code of a layer, or of a request that cannot be met."""
    line = _author_line(layer, error)
    kind = UnsupportedError if isinstance(error, UnsupportedCallError) else OptionError
    return kind(
        error.rule, layer=layer.name, type=layer.kind, expected=error.expected, got=error.got,
        details=_made_elsewhere(layer, line), hint=error.hint, at=line,
    )  # fmt: skip


def wrong_shapes(layer: Layer, error: OpTypeError, bottoms: Sequence[str], hint: str) -> MochacError:
    """Bottoms that a layer does not accept. `bottoms` describes them; `hint` goes before the error's own."""
    line = _author_line(layer, error)
    return ShapeError(
        error.rule, layer=layer.name, type=layer.kind, expected=error.expected, got=error.got,
        details=[*bottoms, *_made_elsewhere(layer, line)], hint=hint or error.hint, at=line,
    )  # fmt: skip


def raised(layer: Layer, error: Exception) -> MochacError:
    """Any other exception from the code of a layer; its traceback is shown with it."""
    text = " ".join(str(error).split())
    rule = f"its emit raised {type(error).__name__}{': ' * bool(text)}{text}"
    line = _author_line(layer, error)
    hint = "bottoms is a tuple of values: (x,) = bottoms" if _OF_TUPLES.search(text) else ""
    details = _made_elsewhere(layer, line)
    problem = OptionError(rule, layer=layer.name, type=layer.kind, details=details, hint=hint, at=line)
    problem.__cause__ = error
    return problem


def unlike(layer: Layer, rule: str, expected: str = "", got: str = "", hint: str = "") -> MochacError:
    """The problem of a layer that makes different things in the two modes."""
    line = _author_line(layer, None)
    return OptionError(
        rule, layer=layer.name, type=layer.kind, expected=expected, got=got,
        details=_made_elsewhere(layer, line), hint=hint, at=line,
    )  # fmt: skip


def check_made(made: object, n_tops: int) -> None:
    """Check that `emit` returned one value per top."""
    if isinstance(made, Value):
        raise OpCallError("emit returns a value, not a list of values", hint="return [y]")
    if not isinstance(made, Sequence):
        raise OpCallError("emit returns no values", "a list, one value per top", type(made).__name__)
    for k, value in enumerate(made):
        require_value(f"element {k} of what emit returns", value)
    if len(made) != n_tops:
        few = len(made) < n_tops
        hint = "" if few else "tops=[...] names them, and n_tops of the class says how many there may be"
        rule = f"emit returns too {'few' if few else 'many'} values"
        raise OpCallError(rule, f"one per top: {n_tops}", str(len(made)), hint)


def _made_elsewhere(layer: Layer, line: str) -> list[str]:
    made = at(layer.origin)
    return [f"the layer was made at {made}"] if made and made != line else []


def _author_line(layer: Layer, error: BaseException | None) -> str:
    """Where the code of a user's layer failed: its innermost line outside of mochac and of installed libraries that it
    called, or the first line of its class that is known. Else, the line that made the layer."""
    if not is_foreign(layer):
        return at(layer.origin)
    trace = error.__traceback__ if error else None
    frames = [(f, line) for f, line in walk_tb(trace) if not _is_ours(f.f_globals.get("__name__", ""))]
    frames = [(f, line) for f, line in frames if INSTALLED not in f.f_code.co_filename] or frames
    found = (frames[-1][0].f_code.co_filename, frames[-1][1]) if frames else _first_line(type(layer))
    return at((short_path(found[0]), found[1])) if found else at(layer.origin)


def _first_line(kind: type) -> tuple[str, int] | None:
    """The first line of a method of a class, or of a class that it derives from, outside of mochac."""
    for cls in kind.__mro__:
        codes = [value.__code__ for value in vars(cls).values() if isinstance(value, FunctionType)]
        lines = [(code.co_filename, code.co_firstlineno) for code in codes]
        if lines and not _is_ours(cls.__module__):
            return min(lines)
    return None


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == OURS
