"""given_feed: the samples of an evaluation from arrays that a user gives, in place of what data layers read.

evaluate(data=X, label=y)     the net's data layers -> MemoryDataLayers of X and y, with the same transformers
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.registry import suggestion
from mochac.nets.layers.base import DataLayer, Source
from mochac.nets.layers.memory_data import MemoryDataLayer
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import open_source
from mochac.training.session.batches import reading_of
from mochac.training.session.inputs import require_fit
from mochac.training.session.plan_set import PlanSet


def given_feed(plans: PlanSet, arrays: Mapping[str, Any], call: str) -> Feed:
    """A feed of these samples, any number of them.

    Args:
        arrays: for every top of the data layers.
        call: what the user called, for messages, such as "evaluate()".

    Raises:
        OptionError: a top is unknown or missing, or an array holds no numbers. ShapeError: samples of another shape.
            DataError: there are none, or not equally many in all arrays.
    """
    net, traced = plans.net, plans.traced("test")
    tops = [top for source in net.sources for top in source.tops]
    for top in arrays:
        if top not in tops:
            close = suggestion(top, tops)
            hint = f"did you mean {close!r}?" if close else ""
            raise OptionError(f"{call}: no data layer makes {top!r}", expected=" ".join(tops), got=top, hint=hint)
    if absent := [top for top in tops if top not in arrays]:
        raise OptionError(f"{call} needs {absent[0]!r} too", expected=" ".join(tops), got=" ".join(arrays))
    sources = [open_source(_of_arrays(s, net.batch, arrays), reading_of(traced, s, plans.seed)) for s in net.sources]
    for source in sources:
        for top, shape in source.shapes.tops.items():
            require_fit(plans, top, (source.n_samples, *shape))
    return Feed(sources, plans.dtype, net.batch)


def _of_arrays(source: Source, batch: int, arrays: Mapping[str, Any]) -> MemoryDataLayer:
    return MemoryDataLayer(
        name=source.name,
        tops=source.tops,
        data=[arrays[top] for top in source.tops],
        batch_size=batch,
        transformers=source.transformers if isinstance(source, DataLayer) else (),
    )
