"""InputLayer: blobs that have a shape and no data, for predict() and for looking at a net.

It has no reader: runtime/data says so when a step asks for a batch.
"""

from __future__ import annotations

from mochac.layers.base import Source, layer
from mochac.layers.fields import option, shape


@layer
class InputLayer(Source):
    """Tops of one shape that predict() feeds. A net of InputLayers compiles, is explained, drawn, dumped and profiled.

    It has no data: train(), forward() and evaluate() refuse it and say what to put in its place.

    Args:
        shape: of a batch, (batch, ...); (batch,) is (batch, 1), for labels. predict() takes any number of samples.
        tops: blobs of that shape, [name] by default. Numbers given for them are cast to the program's dtype, integers
            too.

    Source: the layer Input of Caffe.

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
        """The first of `shape`."""
        return self.shape[0]

    @property
    def declared(self) -> dict[str, tuple[int, ...]]:
        """`shape` without the batch, for every top."""
        return dict.fromkeys(self.tops, self.shape[1:])
