"""docs/guide/layers.md, written from the registry: a layer's docstring, and its fields with defaults and limits."""

import inspect
from dataclasses import MISSING, fields

from mochac.nets.layers.base import LAYERS, Layer

HEAD = """# Layers

This page lists every layer with its fields, defaults and limits; `make golden` generates it from the source. All fields
are keywords, checked when the layer is made. `name`, `bottoms` and `tops` are common to all layers: see
[Nets](nets.md). Neurons, initializers and regularizers are described in [Parameters and neurons](parameters.md).
"""
COMMON = {"bottoms", "tops"}


def render() -> str:
    """The page."""
    return HEAD + "".join(f"\n{_layer(cls)}" for _, cls in LAYERS.items())


def _layer(cls: type[Layer]) -> str:
    text = inspect.cleandoc(cls.__doc__ or "").partition("\n>>>")[0].rstrip()
    rows = "".join(_row(f) for f in fields(cls) if f.name not in COMMON)
    counts = f"{_count(cls.n_bottoms, 'bottom')}, {_count(cls.n_tops, 'top')}"
    return f"""## {cls.__name__}

{counts}{", one top per bottom" if cls.paired else ""}.

```text
{text}
```

| field | default | allowed |
| --- | --- | --- |
{rows}"""


def _row(field) -> str:
    default = "required" if field.default is MISSING else f"`{_default(field.default)}`"
    return f"| `{field.name}` | {default} | {field.metadata['rule'].text} |\n"


def _default(value) -> str:
    names = {
        "Max": "Pooling.Max",
        "Mean": "Pooling.Mean",
        "Identity": "Neurons.Identity",
        "Add": "ElementWiseFunctors.Add",
        "AcrossChannel": "LRNMode.AcrossChannel",
    }
    kind = type(value).__name__
    return names[kind] + "()" if kind in names else repr(value)


def _count(limits, what) -> str:
    low, high = limits
    if low == high:
        return f"{low} {what}{'' if low == 1 else 's'}" if low else f"no {what}s"
    return f"{low} or more {what}s" if high is None else f"{low} to {high} {what}s"
