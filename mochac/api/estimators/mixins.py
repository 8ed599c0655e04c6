"""scikit-learn's base classes, where it is installed: the classes here derive from them once the first estimator is
made.

Importing scikit-learn takes longer than everything else that `from mochac import *` loads, and its memory is a third of
a small training's, so nets without estimators do without it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache


class _Placeholder:
    """Base of the empty classes until scikit-learn's are loaded: Python cannot replace `object` as a base."""


class BaseEstimator(_Placeholder):
    """Metadata routing, and how an estimator is drawn in a notebook."""


class ClassifierMixin(_Placeholder):
    """Marks a classifier."""


class RegressorMixin(_Placeholder):
    """Marks a regressor."""


@cache
def load_mixins() -> None:
    """Make the classes derive from those of the same names in scikit-learn, if it is installed; only once."""
    try:
        theirs = importlib.import_module("sklearn.base")
    except ImportError:
        return
    for ours in (BaseEstimator, ClassifierMixin, RegressorMixin):
        ours.__bases__ = (getattr(theirs, ours.__name__),)
    for cls in _derived(BaseEstimator):  # makes the methods of metadata routing
        super(BaseEstimator, cls).__init_subclass__()


def _derived(cls: type[BaseEstimator]) -> Iterator[type[BaseEstimator]]:
    """All classes derived from a class, each after those that it derives from."""
    for below in cls.__subclasses__():
        yield below
        yield from _derived(below)
