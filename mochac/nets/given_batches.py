"""A hint for batches that Python code returns where a data layer expects samples; only a guess, for an error's hint."""

from __future__ import annotations

from collections.abc import Sequence

from mochac.nets.layers.base import Source

Shape = tuple[int, ...]


def hint(source: Source, samples: Sequence[Shape]) -> str:
    """What to write if the samples of a data layer look like batches: their parts are of one length.

    Args:
        samples: shape of one sample, by top.
    """
    lengths = {shape[0] if shape else 1 for shape in samples}
    if getattr(source, "batched", True) or len(samples) < 2 or len(lengths) > 1 or lengths == {1}:
        return ""
    return f"if each item is a batch of {lengths.pop()} samples: {source.kind}Layer(batched=True, ...)"
