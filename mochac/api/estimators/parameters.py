"""Parameters of estimators as scikit-learn gets and sets them.

scikit-learn's base classes, where it is installed: the classes here derive from them once the first estimator is
made.

Importing scikit-learn takes longer than everything else that `from mochac import *` loads, and its memory is a third of
a small training's, so nets without estimators do without it.

get_params, set_params and tags, for scikit-learn's clone, pipelines and searches.

They are the same with and without scikit-learn; its BaseEstimator, where it is installed, adds metadata routing and how
an estimator is drawn in a notebook.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, ClassVar, Self

from mochac.api.estimators.validation import ParameterError
from mochac.base.hints.calls import ESTIMATOR_PARAMETERS
from mochac.base.registry import misspelt


class _Placeholder:
    """Base of the empty classes until scikit-learn's are loaded: Python cannot replace `object` as a base."""


class BaseEstimator(_Placeholder):
    """Metadata routing, and how an estimator is drawn in a notebook."""


class ClassifierMixin(_Placeholder):
    """Marks a classifier."""


class RegressorMixin(_Placeholder):
    """Marks a regressor."""


class TransformerMixin(_Placeholder):
    """set_output: whether transform() returns an array or a data frame."""


@cache
def load_mixins() -> None:
    """Make the classes derive from those of the same names in scikit-learn, if it is installed; only once."""
    try:
        theirs = importlib.import_module("sklearn.base")
    except ImportError:
        return
    for ours in (BaseEstimator, TransformerMixin, ClassifierMixin, RegressorMixin):
        ours.__bases__ = (getattr(theirs, ours.__name__),)
    for cls in _derived(TransformerMixin):  # makes set_fit_request and others; wraps transform() for set_output
        super(TransformerMixin, cls).__init_subclass__()


def _derived(cls: type[TransformerMixin]) -> Iterator[type[TransformerMixin]]:
    """All classes derived from a class, each after those that it derives from."""
    for below in cls.__subclasses__():
        yield below
        yield from _derived(below)


class Known:
    """Base class whose constructor refuses unknown names with a hint."""

    def __new__(cls, *args: Any, **params: Any) -> Self:
        cls._require_known(params)
        return super().__new__(cls)

    def __init_subclass__(cls, **settings: Any) -> None:
        """Keep the signature of __init__ for help() and editors."""
        super().__init_subclass__(**settings)
        shown = inspect.signature(cls.__init__)
        cls.__signature__ = shown.replace(parameters=list(shown.parameters.values())[1:])  # pyright: ignore

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    @classmethod
    def _require_known(cls, params: Iterable[str]) -> None:
        """Raise ParameterError for a name that is not a parameter of the constructor."""
        kinds = [p.kind for p in inspect.signature(cls.__init__).parameters.values()]
        known = cls._names()
        for name in params:
            if name in known or inspect.Parameter.VAR_KEYWORD in kinds:
                continue
            here = ESTIMATOR_PARAMETERS.get(name, "")
            hint = misspelt(name, known, f"parameters: {', '.join(known)}")
            if here.partition("=")[0] in known:
                hint = f"write {here}" if "=" in here else f"use {here!r}"
            raise ParameterError(f"Invalid parameter {name!r} for estimator {cls.__name__}", hint=hint)


class Parameters(Known, TransformerMixin, BaseEstimator):
    """Parameters are the arguments of the constructor, kept as attributes of the same names.

    Attributes:
        _estimator_type: "classifier" or "regressor".
    """

    _estimator_type: ClassVar[str] = ""

    def __new__(cls, *args: Any, **params: Any) -> Self:
        load_mixins()
        return super().__new__(cls, *args, **params)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; with `deep`, also parameters of parameters, as `name__parameter`: `method__lr_policy`."""
        params = {name: getattr(self, name) for name in self._names()}
        for name, value in list(params.items()) if deep else []:
            if _is_record(value):
                params.update({f"{name}__{field.name}": getattr(value, field.name) for field in fields(value)})
            elif hasattr(value, "get_params") and not isinstance(value, type):
                params.update({f"{name}__{key}": v for key, v in value.get_params().items()})
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, for the next fit().

        Raises:
            ParameterError: no such parameter; nothing is changed then.
        """
        self._require_known(name.partition("__")[0] for name in params)
        for name, value in params.items():
            own, _, inner = name.partition("__")
            setattr(self, own, self._changed(own, inner, value) if inner else value)
        return self

    def _changed(self, name: str, inner: str, value: Any) -> Any:
        """A parameter with a parameter of its own set, or a copy of it where it is read-only."""
        owner = getattr(self, name)
        if _is_record(owner) and inner in (field.name for field in fields(owner)):
            return replace(owner, **{inner: value})
        if not hasattr(owner, "set_params"):
            known = ", ".join(field.name for field in fields(owner)) if _is_record(owner) else ""
            rule = f"{type(self).__name__} has no parameter {name}__{inner}"
            raise ParameterError(rule, hint=f"{name}__ one of: {known}" if known else f"{name!r} has none of its own")
        return owner.set_params(**{inner: value})

    def __sklearn_tags__(self) -> Any:
        """Tags, which only scikit-learn >= 1.6 asks for."""
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()  # pyright: ignore[reportAttributeAccessIssue]
        tags.target_tags.required = True
        tags.transformer_tags = TransformerTags(preserves_dtype=[])
        return tags

    def _changed_parameters(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        defaults = inspect.signature(type(self).__init__).parameters
        values = {name: getattr(self, name) for name in self._names()}
        return {name: value for name, value in values.items() if not _same(value, defaults[name].default)}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in self._changed_parameters().items())})"


def _is_record(value: Any) -> bool:
    """Whether it has fields, such as a method; a changed copy takes its place."""
    return is_dataclass(value) and not isinstance(value, type)


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))
