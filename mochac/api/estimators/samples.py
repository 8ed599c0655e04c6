"""Samples and their weights.

X and y as arrays: conversion, and checks with the messages of scikit-learn.

Sparse matrices and data frames are recognized by their attributes, so neither SciPy nor pandas is needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.api.estimators.validation import InputError, InputTypeError, ParameterError, conversion_warning
from mochac.base.errors import shown
from mochac.base.registry import suggestion
from mochac.base.rules import real
from mochac.base.support.array_like import NO_NUMBERS, NotAnArray, as_array

_MISSING = ("NAType", "NaTType")
RECIPE, OF_TEXT = "docs/guide/recipes.md, A dirty table", "docs/guide/recipes.md, A text classifier"


def samples(x: Any, dtype: str, name: str = "X") -> np.ndarray:
    """X, or another array of this name, as a contiguous array (num, ...) of finite numbers.

    Raises:
        InputError: sparse, complex, not numbers, no batch axis, empty, or not finite.
    """
    array = numbers(x, name)
    if array.ndim < 2:
        raise InputError(
            f"Expected 2D array, got {array.ndim}D array instead",
            got=f"shape {array.shape}",
            hint="Reshape your data: X.reshape(-1, 1) has one feature, X.reshape(1, -1) is one sample",
        )
    if not len(array):
        raise InputError(f"Found array with 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")
    if not array.size:
        raise InputError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    if array.dtype != dtype or not array.flags.c_contiguous:
        with np.errstate(over="ignore"):
            array = np.ascontiguousarray(array, dtype)
    require_finite(array, name, x)
    return array


def numbers(values: Any, name: str) -> np.ndarray:
    """Any array-like as an array of real numbers.

    Raises:
        InputError: it is sparse, complex, masked, dates or durations, or not numbers.
    """
    if hasattr(values, "tocsr"):
        raise InputError(
            f"{name} is a sparse matrix; sparse input is not supported",
            hint=f"{name}.toarray(); in a pipeline: OneHotEncoder(sparse_output=False)",
        )
    try:
        array = as_array(values)
        if array.dtype.kind == "c":
            raise InputError(f"Complex data not supported: {name} is complex", got=str(array.dtype))
        frame = values if values is not array else None  # whose columns may be dates, in an array of objects
        for kind in "Mm":
            if array.dtype.kind == kind or (frame is not None and _columns(frame, kind)):
                raise _of_time(values, name, kind, array)
        return array if array.dtype.kind in "fiub" else _with_nan(array).astype(np.float64)
    except TypeError as error:
        raise InputTypeError(f"{name} does not hold numbers", got=str(error)) from None
    except InputError:
        raise
    except NotAnArray as error:
        raise InputError(f"{name} is not an array of numbers", got=str(error), hint=error.hint) from None
    except ValueError as error:
        raise InputError(f"{name} does not hold numbers", got=str(error), hint=_text_hint(values, name)) from None


def _text_hint(values: Any, name: str) -> str:
    """What to do with labels, or with columns of text."""
    if name == "y":
        return "labels are for NetClassifier"
    if name != "X":
        return ""
    if np.ndim(values) == 1:
        return f"texts become ids of words: {OF_TEXT}"
    text = _columns(values, "OUSTV")
    named = _listed(text) if text else "columns of text"
    return f"{named}: OneHotEncoder(sparse_output=False), by make_column_transformer in a pipeline; {RECIPE}"


def _with_nan(array: np.ndarray) -> np.ndarray:
    """Objects with NaN for pandas' NA, of columns with nullable types."""
    if array.dtype.kind != "O":
        return array
    missing = np.array([type(item).__name__ == "NAType" for item in array.flat], bool).reshape(array.shape)
    return np.where(missing, np.nan, array) if missing.any() else array


def _listed(columns: Sequence[str]) -> str:
    """Columns, the first eight by name.

    >>> _listed(["age"]), _listed([*"abcdefghij"])
    ('column age', 'columns a b c d e f g h and 2 more')
    """
    more = f" and {len(columns) - 8} more" if len(columns) > 8 else ""
    return f"column{'s' if len(columns) > 1 else ''} {' '.join(columns[:8])}{more}"


def _columns(values: Any, kinds: str) -> list[str]:
    """The columns of a data frame whose dtypes are of these kinds."""
    columns, dtypes = column_names(values), getattr(values, "dtypes", None)
    if columns is None or dtypes is None:
        return []
    return [column for column, dtype in zip(columns, dtypes, strict=False) if getattr(dtype, "kind", " ") in kinds]


def _of_time(values: Any, name: str, kind: str, array: np.ndarray) -> InputError:
    """The error of dates or durations, whose numbers would be counts of some unit since some year."""
    columns = _columns(values, kind)
    got = _listed(columns) if columns else str(array.dtype)
    part = f"{name}[{columns[0]!r}]" if columns else name
    since = f"({part} - {part}.min())" if kind == "M" else part
    return InputError(f"{name} holds {NO_NUMBERS[kind]}", got=got, hint=f"in days: {since} / np.timedelta64(1, 'D')")


def require_finite(array: np.ndarray, name: str, x: Any = None) -> None:
    """Raise InputError for NaN or infinity, with the columns of `x`, the X that the array is of."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return
    missing = np.isnan(array)
    samples = missing.reshape(len(array), -1).any(axis=1)
    if missing.any() and x is None:
        raise InputError(f"Input {name} contains NaN.", got=f"in {samples.sum()} of {len(array)} samples")
    if missing.any():
        named = column_names(x)
        known = [*map(str, range(array.shape[1]))] if named is None else named
        where = f"{_listed([known[k] for k in np.flatnonzero(missing.any(axis=0))])} in " if array.ndim == 2 else ""
        got = f"{where}{samples.sum()} of {len(array)} samples"
        raise InputError(f"Input {name} contains NaN.", got=got, hint=f"SimpleImputer() in a pipeline; {RECIPE}")
    raise InputError(f"Input {name} contains infinity or a value too large for dtype('{array.dtype}').")


def labels(y: Any, count: int, owner: str) -> np.ndarray:
    """Class labels of any type as an array (num,).

    Raises:
        InputError: missing, of another length, two-dimensional, continuous, or not finite.
    """
    array = raveled(target_array(y, owner))
    if array.ndim != 1:
        hint = "one-hot rows: y.argmax(axis=1)" if array.ndim == 2 else ""
        raise InputError("y should be a 1d array of labels", got=f"an array of shape {array.shape}", hint=hint)
    same_length(array, count)
    if array.dtype.kind == "c":
        raise InputError("Complex data not supported: y is complex")
    if array.dtype.kind == "f":
        require_finite(array, "y")
        if (array != np.rint(array)).any():
            raise InputError(
                "Unknown label type: continuous. Labels are classes, not measurements.", got=str(array[:3])
            )
    return array


def raveled(y: np.ndarray) -> np.ndarray:
    """A column (num, 1) as (num,), with scikit-learn's warning; any other array as it is."""
    if y.ndim != 2 or y.shape[1] != 1:
        return y
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
        "(n_samples,), for example using ravel().",
        conversion_warning(),
        stacklevel=5,
    )
    return y[:, 0]


def indicators(y: Any, owner: str) -> np.ndarray | None:
    """y as (num, labels) if it has two columns or more of nothing but 0 and 1; else None.

    >>> indicators([[0, 1], [1, 1]], "Net").shape, indicators([0, 1], "Net"), indicators([[0, 2], [1, 1]], "Net")
    ((2, 2), None, None)
    """
    array = target_array(y, owner)
    if array.ndim != 2 or array.shape[1] < 2 or array.dtype.kind not in "fiub":
        return None
    return array if ((array == 0) | (array == 1)).all() else None


def classes(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct labels, sorted, and the class index of each sample.

    Raises:
        InputError: labels are missing, or of types that cannot be sorted together.
    """
    missing = [k for k, label in enumerate(labels.tolist()) if _is_missing(label)]
    if missing:
        got = f"{labels[missing[0]]!r} at sample {missing[0]}"
        raise InputError(f"y has {len(missing)} missing labels", got=got, hint="leave these samples out")
    try:
        return np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise InputError("y holds labels of several types", got=str(error)) from None


def _is_missing(label: Any) -> bool:
    """Whether it is None, NaN, or pandas' NA or NaT, which do not compare."""
    return label is None or (isinstance(label, float) and label != label) or type(label).__name__ in _MISSING


def values(y: Any, count: int, owner: str) -> np.ndarray:
    """Targets of a regression as float64, (num,) or (num, targets).

    Raises:
        InputError: missing, of another length, with more than two axes, or not finite numbers.
    """
    array = numbers(target_array(y, owner), "y").astype(np.float64)
    if array.ndim not in (1, 2) or not array.size:
        raise InputError("y should be a 1d or 2d array of values", got=f"an array of shape {array.shape}")
    same_length(array, count)
    require_finite(array, "y")
    return array


def target_array(y: Any, owner: str) -> np.ndarray:
    """y of any type as an array.

    Raises:
        InputError: missing, sparse, or not an array.
    """
    if y is None:
        raise InputError(f"{owner} requires y to be passed, but the target y is None")
    if hasattr(y, "tocsr"):
        raise InputError("y is a sparse matrix; sparse targets are not supported", hint="y.toarray()")
    try:
        return as_array(y)
    except ValueError as error:
        raise InputError("y is not an array", got=str(error)) from None


def same_length(array: np.ndarray, count: int) -> None:
    """Raise InputError unless there is a row for each sample."""
    if len(array) != count:
        raise InputError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(array)}]")


def column_names(x: Any) -> np.ndarray | None:
    """The column names of a data frame, if all are strings."""
    columns = getattr(x, "columns", None)
    if columns is None or not len(columns) or not all(isinstance(c, str) for c in columns):
        return None
    return np.array(list(columns), object)


def check_names(known: np.ndarray | None, names: np.ndarray | None, owner: str) -> None:
    """Compare the column names of X with those in fit().

    Raises:
        InputError: both have names and they differ.
    """
    if known is None and names is not None:
        _warn(f"X has feature names, but {owner} was fitted without feature names")
    elif known is not None and names is None:
        _warn(f"X does not have valid feature names, but {owner} was fitted with feature names")
    elif known is not None and names is not None and list(known) != list(names):
        raise InputError(
            "The feature names should match those that were passed during fit.",
            expected=" ".join(known),
            got=" ".join(names),
        )


def _warn(text: str) -> None:
    warnings.warn(text, UserWarning, stacklevel=5)


WEIGHT = "weight"
"""The blob of the weights."""


def sample_weights(sample_weight: Any, count: int) -> np.ndarray | None:
    """sample_weight of fit() as (num,) float64; None for none.

    Raises:
        InputError: another length, negative or not finite numbers, or none above zero.

    >>> sample_weights([1, 0, 2], 3).tolist()
    [1.0, 0.0, 2.0]
    """
    if sample_weight is None:
        return None
    weights = numbers(sample_weight, "sample_weight").astype(np.float64)
    if weights.shape != (count,):
        raise InputError("sample_weight must be one number per sample", expected=f"({count},)", got=str(weights.shape))
    require_finite(weights, "sample_weight")
    if (weights < 0).any():
        first = int(np.argmax(weights < 0))
        raise InputError("sample_weight must not be negative", got=f"{weights[first]:g}, of sample {first}")
    if not weights.any():
        raise InputError("all of sample_weight are zero: there is no sample to learn from")
    return weights


def class_weights(class_weight: Any, classes: np.ndarray, codes: np.ndarray, owner: str) -> np.ndarray | None:
    """The weight of each class: "balanced": num / (classes * samples of the class); a dictionary: as it says, 1 for
    classes that it does not name; None: none.

    Raises:
        ParameterError: something else, a weight that is no number >= 0, or a class that y does not have.

    >>> class_weights("balanced", np.array([4, 7]), np.array([0, 0, 0, 1]), "Net").round(2).tolist()
    [0.67, 2.0]
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(codes, minlength=len(classes))
        return len(codes) / (len(classes) * counts)
    if not isinstance(class_weight, Mapping):
        expected = "None, 'balanced' or {class: weight}"
        raise ParameterError(f"{owner}: class_weight is out of range", expected=expected, got=shown(class_weight))
    return _table(class_weight, classes, owner)


def _table(class_weight: Mapping[Any, Any], classes: np.ndarray, owner: str) -> np.ndarray:
    known = {label: k for k, label in enumerate(classes.tolist())}
    table = np.ones(len(classes))
    for label, weight in class_weight.items():
        if label not in known:
            close = suggestion(str(label), [str(c) for c in known])
            hint = f"did you mean {_written(known, close)}?" if close else ""
            listed = ", ".join(map(repr, known))
            raise ParameterError(
                f"{owner}: class_weight names no class of y", expected=listed, got=shown(label), hint=hint
            )
        table[known[label]] = real(0).check(f"class_weight of {label!r}", weight, owner, ParameterError)
    return table


def _written(labels: Iterable[Any], text: str) -> str:
    """The label that reads like this, so that 0 and '0' differ."""
    label = next(label for label in labels if str(label) == text)
    return repr(label) if isinstance(label, str) else f"{label!r}, of type {type(label).__name__}"


def product(weights: np.ndarray, *more: np.ndarray | None) -> np.ndarray:
    """The product of those that are not None."""
    return np.prod([weights, *(w for w in more if w is not None)], axis=0)


def weighted_mean(values: np.ndarray, weights: np.ndarray | None) -> float:
    """The mean over the first axis, and then over all others."""
    return float(np.average(values, axis=0, weights=weights).mean())
