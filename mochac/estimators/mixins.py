"""scikit-learn's base classes where it is installed; else empty ones, so that estimators work without it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:

    class BaseEstimator:
        """Metadata routing, and how an estimator is drawn in a notebook."""

    class ClassifierMixin:
        """Marks a classifier."""

    class RegressorMixin:
        """Marks a regressor."""

else:

    def _theirs(name: str) -> type:
        """A class of sklearn.base; an empty one if scikit-learn is not installed."""
        try:
            return getattr(importlib.import_module("sklearn.base"), name)
        except ImportError:
            return type(name, (), {})

    BaseEstimator = _theirs("BaseEstimator")
    ClassifierMixin = _theirs("ClassifierMixin")
    RegressorMixin = _theirs("RegressorMixin")
