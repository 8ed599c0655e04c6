"""InputLayer: blobs with a shape but no data, for predict(), steps on arrays, and for inspecting a net."""

from __future__ import annotations

from mochac.nets.layers.base import Source, layer
from mochac.nets.layers.fields import option
from mochac.nets.layers.shape_fields import shape


@layer
class InputLayer(Source):
    """Inputs of predict() and of steps on arrays. A net with InputLayers can be compiled, explained, drawn, dumped and
    profiled.

    It has no data: solver.step(data=x, label=y), forward(data=x, label=y), evaluate(data=x, label=y) and predict(x) run
    on the arrays that they are given, while train() raises an error that says how to replace it.

    Args:
        shape: of a batch, (batch, ...); (batch,) means (batch, 1), for labels. predict() takes any number of samples.
        tops: blobs of this shape, [name] by default. Their numbers are converted to the dtype of the program.

    Source: Caffe's layer Input.

    >>> InputLayer(name="data", shape=(64, 1, 28, 28)).declared
    {'data': (1, 28, 28)}
    """

    shape: tuple[int, ...] = option(shape(batch_first=True))

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.shape) == 1:
            object.__setattr__(self, "shape", (*self.shape, 1))

    @property
    def fixed_batch(self) -> int | None:
        """The first extent of `shape`."""
        return self.shape[0]

    @property
    def declared(self) -> dict[str, tuple[int, ...]]:
        """`shape` without the batch, for each top."""
        return dict.fromkeys(self.tops, self.shape[1:])
