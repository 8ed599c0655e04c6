"""Errors of estimators: mochac's own, which are also the built-in or scikit-learn errors that users expect.

scikit-learn is never imported: its classes are used only if it is loaded, since otherwise nobody can catch them.
"""

from __future__ import annotations

import sys
from typing import Any

from mochac.base.errors import DataError, OptionError


class InputError(DataError, ValueError):
    """X or y cannot be used; also a ValueError, as in scikit-learn.

    >>> print(InputError("Input X contains NaN.").report)
    InputError: Input X contains NaN.
    """


class InputTypeError(InputError, TypeError):
    """X holds something that is not a number; also a TypeError."""


class ParameterError(OptionError, ValueError):
    """A parameter of an estimator is out of range; also a ValueError."""


def not_fitted(estimator: object) -> OptionError:
    """The error of a method that needs fit() first; also scikit-learn's NotFittedError if that is loaded."""
    name = type(estimator).__name__
    theirs = _loaded("NotFittedError")
    base: Any = ParameterError if theirs is None else type("NotFittedError", (OptionError, theirs), {})
    return base(f"this {name} is not fitted yet", hint="call fit(X, y) first")


def conversion_warning() -> type[Warning]:
    """scikit-learn's DataConversionWarning if it is loaded, else UserWarning."""
    return _loaded("DataConversionWarning") or UserWarning


def _loaded(name: str) -> Any:
    return getattr(sys.modules.get("sklearn.exceptions"), name, None)
