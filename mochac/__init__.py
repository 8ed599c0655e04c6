"""mochac: a compiler for neural-net definitions.

This file has the public names and nothing else; each is loaded when it is first used, so that `import mochac` costs
nothing. Layers and solvers are not listed: every file of mochac/layers and mochac/solvers adds its own.
"""

from __future__ import annotations

import importlib
from typing import Any

import mochac.base.public_paths  # pyright: ignore[reportUnusedImport] - imports of mochac.layers and others
import mochac.base.threads  # noqa: F401 # pyright: ignore[reportUnusedImport] - forks wait for imports
from mochac.base.errors import (
    BackendError,
    DataError,
    InternalError,
    MochacError,
    NetError,
    NumericError,
    OptionError,
    RankError,
    ShapeError,
    SnapshotError,
    UnsupportedError,
)
from mochac.base.garbage import lasting

__version__ = "0.2.0"

_ERRORS = [
    BackendError,
    DataError,
    InternalError,
    MochacError,
    NetError,
    NumericError,
    OptionError,
    RankError,
    ShapeError,
    SnapshotError,
    UnsupportedError,
]

_HOMES = {
    "mochac.api.estimators.image_classifier": "ImageClassifier",
    "mochac.formats.clib.build": "build",
    "mochac.api.compiler": "compile dump explain",
    "mochac.tools.testing.gradients": "check_gradients",
    "mochac.tools.testing.operations": "check_op",
    "mochac.api.program": "Program",
    "mochac.formats.pytorch.solver": "solver_from_torch",
    "mochac.api.estimators.net_estimators": "NetClassifier NetRegressor",
    "mochac.api.estimators.model": "Model",
    "mochac.nets.net": "Net",
    "mochac.nets.layers.augmentations": "Augment",
    "mochac.nets.layers.base": "Layer",
    "mochac.nets.layers.element_wise": "ElementWiseFunctors",
    "mochac.nets.layers.initializers": (
        "BilinearInitializer ConstantInitializer GaussianInitializer GlorotNormalInitializer GlorotUniformInitializer "
        "HeNormalInitializer HeUniformInitializer LeCunNormalInitializer LeCunUniformInitializer NormalInitializer "
        "NullInitializer OneInitializer OrthogonalInitializer UniformInitializer XavierInitializer ZeroInitializer"
    ),
    "mochac.nets.layers.image_norms": "LRNMode",
    "mochac.nets.layers.neurons": "Neurons",
    "mochac.nets.layers.pooling": "Pooling",
    "mochac.nets.layers.regularizers": "L1Regu L2Cons L2Regu NoCons NoRegu",
    "mochac.nets.layers._attention": "Rotary",
    "mochac.nets.layers.transformers": "DataTransformers",
    "mochac.training.many.train": "train_many",
    "mochac.formats.pytorch.module": "from_torch",
    "mochac.training.loop.coffee": "CoffeeLounge Snapshot TrainingSummary ValidationPerformance",
    "mochac.training.loop.tracking": "EarlyStopping ParameterAverage ParameterNorms ResetStates TensorBoard",
    "mochac.runtime.data.params": "Params",
    "mochac.nets.solvers.policies": "LRPolicy MomPolicy",
    "mochac.nets.solvers.solver": "Solver",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
_MODULES = ("ir", "passes", "testing")
_NOT_IN_ALL = ("caffe", "compile", "onnx")
"""Names that `from mochac import *` leaves out: they would hide pycaffe, onnx and Python's own compile()."""


def _contributions() -> dict[str, type]:
    """The classes of all layers and solvers by name, for which every file of their folders is imported."""
    from mochac.nets.layers.base import LAYERS
    from mochac.nets.solvers.method import METHODS

    return {cls.__name__: cls for _, cls in (*LAYERS.items(), *METHODS.items())}


def _contribution(name: str) -> type | None:
    """The layer or solver of that class name; only its own file is imported when it has one."""
    if name.endswith("Layer"):
        from mochac.nets.layers.base import LAYERS as known
    else:
        from mochac.nets.solvers.method import METHODS as known
    key = name.removesuffix("Layer")
    return known[key] if key in known and key not in known.foreign else None


def _suggested(name: str) -> str:
    """A tail for the message of an unknown name. Names that begin with _ are asked for by tools, not by users."""
    if name.startswith("_"):
        return ""
    from mochac.base.hints.names import MOCHA, NAMES, instead
    from mochac.base.registry import did_you_mean, suggestion

    if name in MOCHA:
        return f"; Mocha's {name} is {MOCHA[name]}"
    if found := NAMES.get(name) or NAMES.get(name.removesuffix("Layer")):
        return instead(found)
    if name.endswith("Layer") and name != "Layer":  # all names of layers end so, and would seem close
        layers = {known.removesuffix("Layer"): known for known in _public() if known.endswith("Layer")}
        close = suggestion(name.removesuffix("Layer"), layers)
        return f"; did you mean {layers[close]!r}?" if close else "; docs/guide/layers.md lists the layers"
    return did_you_mean(name, _public())


def _public() -> list[str]:
    return sorted({*(e.__name__ for e in _ERRORS), *_HOME, *_MODULES, *_NOT_IN_ALL, *_contributions()})


def __getattr__(name: str) -> Any:
    with lasting():
        value = _found(name)
    globals()[name] = value
    return value


def _found(name: str) -> Any:
    """The public object of that name.

    Raises:
        AttributeError: there is none.
    """
    if name == "__all__":
        return [public for public in _public() if public not in _NOT_IN_ALL]
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    if name in _MODULES or name in _NOT_IN_ALL:
        return importlib.import_module(f"mochac.{name}")
    found = _contribution(name) if name[:1].isupper() else None
    if found is None:
        raise AttributeError(f"module 'mochac' has no attribute {name!r}{_suggested(name)}")
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_public()})
