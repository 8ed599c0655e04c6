"""Rules of users that write operations: updates of methods, regularizers and constraints.

Nothing runs when such a rule is wrong: its mistakes are found as the step is compiled, and are errors that name it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from mochac.base.errors import MochacError, OptionError, shown
from mochac.base.support.places import at, authors_line, is_ours
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value

T = TypeVar("T")

_OPERATIONS = 'operations are written by b: b.op("mul", x, y), b.scaled(x, 0.5), b.const(1.0, w.type)'


def written(who: str, rule: Callable[..., T], *args: Any) -> T:
    """What a rule returns. `who` is what messages call it.

    Raises:
        OptionError: a rule of a user raised an exception.
    """
    if is_ours(rule.__module__):
        return rule(*args)
    try:
        return rule(*args)
    except MochacError:
        raise
    except Exception as error:
        text = " ".join(str(error).split())
        hint = _OPERATIONS if isinstance(error, TypeError) and "'Value'" in text else ""
        message = f"{who} raised {type(error).__name__}{': ' * bool(text)}{text}"
        raise OptionError(message, hint=hint, at=at(authors_line(error))) from error


def require_like(who: str, value: object, w: Value) -> None:
    """Check that a rule returned a value of the type of `w`."""
    if not isinstance(value, Value):
        raise OptionError(f"{who} is not a value", expected=str(w.type), got=shown(value), hint=_OPERATIONS)
    if value.type != w.type:
        raise OptionError(f"{who} has another type", expected=str(w.type), got=str(value.type))


def extra_gradient(regu: Any, b: GraphBuilder, name: str, w: Value, regu_coef: float) -> Value | None:
    """The term of a regularizer for the parameter `name`, or None."""
    who = f"the gradient of {type(regu).__name__} for {name}"
    extra = written(who, regu.gradient, b, w, regu_coef)
    if extra is not None:
        require_like(who, extra, w)
    return extra


def projected(cons: Any, b: GraphBuilder, name: str, new: Value, due: Value | None) -> Value:
    """The new value of the parameter `name` under a constraint."""
    who = f"the projection of {type(cons).__name__} for {name}"
    value = written(who, cons.project, b, new, due)
    require_like(who, value, new)
    return value


def updated(method: Any, b: GraphBuilder, w: Value, *args: Any) -> tuple[Value, Mapping[str, Value]]:
    """What a method's `update` returns: the new value, and those of its slots.

    Raises:
        OptionError: it returns something else.
    """
    who = f"the update of {type(method).__name__}"
    result = written(who, method.update, b, w, *args)
    if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[1], Mapping):
        raise OptionError(f"{who} is no pair", expected="(new value, {slot: new value})", got=shown(result))
    new, state = result
    require_like(f"the new value in {who}", new, w)
    if set(state) != set(method.slots):
        expected, got = (" ".join(sorted(names)) or "none" for names in (method.slots, state))
        raise OptionError(f"{who} has other slots than its class", expected=expected, got=got)
    for slot, value in state.items():
        require_like(f"slot {slot!r} in {who}", value, w)
    return new, state
