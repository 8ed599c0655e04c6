"""Slots of a solver from the state of an optimizer of PyTorch, by the names that it has for parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from mochac.base.errors import SnapshotError
from mochac.nets.net import Net
from mochac.runtime.data.model_file import same_extents
from mochac.runtime.data.params import Params
from mochac.training.session.state_dict import Weight, modules_of


def fill_slots(
    slots: Mapping[str, np.ndarray], given: Mapping[str, Mapping[str, np.ndarray]], net: Net, params: Params
) -> None:
    """Set the slots "key.param.slot" of a training from arrays by slot and PyTorch's name, all or none.

    Raises:
        SnapshotError: an array is missing, is left over, or has another shape; the message lists everything.
    """
    places = [place for module in modules_of(net, params) for place in module.places]
    found: dict[str, np.ndarray] = {}
    problems = [line for slot, arrays in given.items() for line in _matched(slot, arrays, slots, places, found)]
    kept = {name.rpartition(".")[2] for name in slots if name.rpartition(".")[0] in _names(places)}
    problems += [f"missing      {slot} of all parameters" for slot in sorted(kept - {*given})]
    if problems:
        rule = f"net {net.name!r} cannot take the state of this optimizer; nothing is changed"
        hint = "the optimizer must be one of the module whose parameters the net has"
        raise SnapshotError(rule, details=problems, hint=hint)
    for name, array in found.items():
        slots[name][...] = array


def _names(places: list[Weight]) -> set[str]:
    return {place.shown for place in places}


def _matched(
    slot: str,
    arrays: Mapping[str, np.ndarray],
    slots: Mapping[str, np.ndarray],
    places: list[Weight],
    found: dict[str, np.ndarray],
) -> Iterator[str]:
    """Put the arrays of a slot into `found` by the slot's name here; yields what does not fit."""
    used: set[str] = set()
    for place in places:
        names, target = [name for name in place.spellings if name in arrays], f"{place.shown}.{slot}"
        used.update(names)
        if target not in slots:
            continue
        if not names:
            yield f"missing      {slot} of {place.shown} {place.shape}"
        elif not same_extents(arrays[names[0]].shape, place.shape):
            yield f"wrong shape  {slot} of {names[0]} {arrays[names[0]].shape}, but {place.shown} is {place.shape}"
        else:
            found[target] = arrays[names[0]].reshape(place.shape)
    yield from (f"unexpected   {slot} of {name} {arrays[name].shape}" for name in arrays if name not in used)
