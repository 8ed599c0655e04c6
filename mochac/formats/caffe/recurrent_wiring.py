"""RecurrentWiring: the roles of the bottoms and tops of Caffe's LSTM and RNN."""

from __future__ import annotations

from mochac.base.records import record
from mochac.formats.caffe.builder import CaffeLayer

STATES = {"LSTM": 2, "RNN": 1}
"""Caffe's types of recurrent layers, and how many states they carry."""


@record
class RecurrentWiring:
    """How a recurrent layer is wired.

    Attributes:
        static: whether its third bottom is the same at all steps.
        states: the names of the bottoms that are states to start from.
    """

    static: bool
    states: tuple[str, ...]

    @classmethod
    def of(cls, layer: CaffeLayer) -> RecurrentWiring:
        """The wiring of a layer, whose type is in STATES.

        Raises:
            UnsupportedError: bottoms or tops do not fit expose_hidden.
        """
        bottoms, tops = list(layer.message.bottom), list(layer.message.top)
        exposed = STATES[layer.type] if layer.message.recurrent_param.expose_hidden else 0
        how = f"with expose_hidden: {'true' if exposed else 'false'}"
        if len(bottoms) not in (2 + exposed, 3 + exposed):
            raise layer.refused(f"wrong number of bottoms {how}", f"{2 + exposed} or {3 + exposed}", len(bottoms))
        if len(tops) != 1 + exposed:
            raise layer.refused(f"wrong number of tops {how}", str(1 + exposed), len(tops))
        return cls(len(bottoms) == 3 + exposed, tuple(bottoms[len(bottoms) - exposed :]) if exposed else ())
