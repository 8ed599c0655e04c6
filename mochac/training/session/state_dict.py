"""The state of a session as named arrays.

Parameters and states of a net under PyTorch's names: filled from a state_dict, and written as one.

Each layer says what PyTorch calls its own (`Parametric.torch_names`). Shapes and the order of axes are the same, and so
is the order in which a blob is flattened: numbers are copied as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, SnapshotError, shown
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.support.array_like import columns
from mochac.base.support.log import LOG, ensure_handler
from mochac.nets.layers.base import Parametric
from mochac.nets.net import Net
from mochac.runtime.data.model_file import same_extents
from mochac.runtime.data.params import WRAPPERS, Params, named_arrays

BY = ("name", "order")


@record
class Weight:
    """A parameter or state of a net, and its possible names.

    Attributes:
        key, name: where it is stored.
        theirs: its name within a module of PyTorch; "" for a parameter that is no module's.
        owners: the layers that have it; the first is `key`.
        users: what PyTorch calls it in the layers that use the blob of a ParameterLayer.
        shape, dtype: of the array.
    """

    key: str
    name: str
    theirs: str
    owners: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: np.dtype
    users: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """Its name in the session."""
        return f"{self.key}.{self.name}"

    @property
    def is_bias(self) -> bool:
        """Whether PyTorch's name says so: bias, bias_ih_l0, in_proj_bias, out_proj.bias."""
        return "bias" in re.split("[._]", self.theirs)

    @property
    def spellings(self) -> list[str]:
        """All names under which it is found."""
        both = [joined(owner, name) for owner in self.owners for name in (self.theirs, self.name)]
        return [*dict.fromkeys((*both, *(f"{owner}___{self.name}" for owner in self.owners), *self.users))]


@record
class Module:
    """A layer with parameters, as a module of PyTorch.

    Attributes:
        owners: the layers that share the parameters.
        places: its parameters and states.
        extras: entries of the module that no layer needs.
    """

    owners: tuple[str, ...]
    places: tuple[Weight, ...]
    extras: tuple[str, ...]


@record
class Copied:
    """An array that was loaded: its name in the source, the parameter, and what was changed."""

    source: str
    target: str
    shape: tuple[int, ...]
    note: str = ""


@record
class LoadedWeights:
    """What program.load() loaded into which parameter; printed as a table.

    Attributes:
        copied: one record for each parameter and state that was set.
        kept: names of those that keep their values (load with strict=False).
        unused: names in the source that no layer has a place for.
    """

    copied: tuple[Copied, ...]
    kept: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    def __str__(self) -> str:
        rows = [(c.source, "->", c.target, str(c.shape), c.note) for c in self.copied]
        rows += [("", "", name, "", "kept") for name in self.kept]
        rows += [(name, "", "", "", "not used") for name in self.unused]
        return columns(["from", "", "to", "shape", ""], rows)

    __repr__ = __str__


def load_state_dict(
    source: Any, net: Net, params: Params, strict: bool, by: str | Mapping[str, str] | None
) -> LoadedWeights:
    """Set the parameters and states of a net, all or none; see Program.load.

    Raises:
        OptionError: `source` or `by` is of another kind. SnapshotError: something is missing, is left over, or has
            another shape; the message lists everything.
    """
    modules = modules_of(net, params)
    arrays = named_arrays(source)
    called = _renamed(arrays, by, modules)
    entries = {name: arrays[theirs] for name, theirs in called.items()}
    order = by == "order" or (by is None and not _any_name(entries, modules))
    match = Match(called)
    (_by_order if order else _by_name)(match, entries, modules)
    match.check(entries, net, strict, order, _buffers(source))
    for place, name in match.found.items():
        value = np.zeros(place.shape) if name is None else entries[name].reshape(place.shape)
        _store(params, place)[place.name][...] = value
    loaded = match.report(entries)
    if order and by is None:
        pairs = ", ".join([f"{c.source} -> {c.target}" for c in loaded.copied if c.source][:2])
        ensure_handler()
        LOG.info("load: no name fits, so layers are filled in their order: %s, ...", pairs)
    return loaded


def state_dict(net: Net, params: Params) -> dict[str, np.ndarray]:
    """Copies of parameters and states under PyTorch's names, in the order of the layers."""
    every = (place for module in modules_of(net, params) for place in module.places)
    return {joined(p.key, p.theirs): np.array(_store(params, p)[p.name][...]) for p in every}


def modules_of(net: Net, params: Params) -> list[Module]:
    """The layers with parameters or states, in order; those that share them are one."""
    sharers: dict[str, list[Parametric]] = {}
    for layer in net.layers:
        if isinstance(layer, Parametric):
            sharers.setdefault(layer.key, []).append(layer)
    stored = [(params, p) for p in net.params] + [(params.states, s) for s in net.states]
    modules: list[Module] = []
    for key, layers in sharers.items():
        owners, first = tuple(dict.fromkeys((key, *(layer.name for layer in layers)))), layers[0]
        users = _users(net, layers)
        own = tuple(
            Weight(key, p.name, first.torch_name(p.name), owners, p.shape, table[key][p.name].dtype, users)
            for table, p in stored
            if p.key == key
        )
        modules += [Module(owners, own, first.torch_extras)] if own else []
    return modules


def _users(net: Net, layers: Sequence[Parametric]) -> tuple[str, ...]:
    """What PyTorch calls the blobs of ParameterLayers where other layers use them as parameters."""
    blobs = {top for layer in layers if not layer.n_bottoms[1] for top in layer.tops}
    users = (layer for layer in net.layers if isinstance(layer, Parametric) and blobs.intersection(layer.reads))
    return tuple(
        joined(layer.name, layer.torch_name(field))
        for layer in users
        for field in layer.blob_fields
        if blobs.intersection(layer.named(field))
    )


def joined(module: str, name: str) -> str:
    """
    >>> joined("ip1", "weight"), joined("W", ""), joined("", "bias")
    ('ip1.weight', 'W', 'bias')
    """
    return f"{module}.{name}".strip(".")


def _store(params: Params, place: Weight) -> Mapping[str, Any]:
    own = params[place.key] if place.key in params else {}
    return own if place.name in own else params.states[place.key]


def _renamed(entries: Mapping[str, np.ndarray], by: Any, modules: Sequence[Module]) -> dict[str, str]:
    """The names in the source, by those with layers instead of the modules that `by` names."""
    if by is None or by in BY:
        return {name: name for name in entries}
    if not isinstance(by, Mapping):
        raise OptionError("load: by is out of range", expected='"name", "order" or {module: layer}', got=shown(by))
    known = [owner for module in modules for owner in module.owners]
    for module, name in by.items():
        if name not in known:
            hint = misspelt(str(name), known)
            raise OptionError(f"load: no layer {name!r} has parameters", expected=", ".join(known), hint=hint)
        if not any(_within(each, module) for each in entries):
            theirs = ", ".join(prefix or '""' for prefix in _grouped(entries, modules))
            raise OptionError(f"load: the state_dict has no module {module!r}", expected=theirs)
    return {_moved(name, by): name for name in entries}


def _within(name: str, module: str) -> bool:
    """Whether an entry is of a module; "" is the module whose state_dict it is."""
    return not module or name == module or name.startswith(f"{module}.")


def _moved(name: str, by: Mapping[str, str]) -> str:
    module = max((m for m in by if _within(name, m)), key=len, default=None)
    return name if module is None else joined(by[module], name[len(module) :].removeprefix("."))


def _any_name(entries: Mapping[str, np.ndarray], modules: Sequence[Module]) -> bool:
    return any(name in entries for module in modules for place in module.places for name in place.spellings)


def _buffers(source: Any) -> frozenset[str]:
    """The buffers of a PyTorch module, which are constants of its net unless a layer has them as states."""
    if not hasattr(source, "named_buffers"):
        return frozenset()
    names = [name for name, _ in source.named_buffers(remove_duplicate=False)]
    return frozenset({*names, *(n.removeprefix(wrapper) for n in names for wrapper in WRAPPERS)})


class Match:
    """Which array of a state_dict each place takes.

    Attributes:
        called: what the source calls each name.
        found: the name by place; None for a bias of a module that has none, which is zero then.
        missing: entries without an array.
        used: names that are taken, and those that need no place.
    """

    def __init__(self, called: Mapping[str, str]) -> None:
        self.called = called
        self.found: dict[Weight, str | None] = {}
        self.missing: list[Weight] = []
        self.used: set[str] = set()
        self.problems: list[str] = []

    def take(self, names: Mapping[Weight, str | None]) -> None:
        """Let the places of a module take these names."""
        biases = [name for place, name in names.items() if place.is_bias]
        unbiased = any(names.values()) and not any(biases)
        for place, name in names.items():
            if name is not None or (place.is_bias and unbiased):
                self.found[place] = name
            else:
                self.missing.append(place)
        self.used.update(name for name in names.values() if name)

    def check(
        self, entries: Mapping[str, np.ndarray], net: Net, strict: bool, order: bool, constants: Set[str]
    ) -> None:
        """Raise SnapshotError for everything that is wrong.

        Args:
            constants: names that may be left over.
        """
        others = [
            (p, name) for p, name in self.found.items() if name and not same_extents(entries[name].shape, p.shape)
        ]
        self.problems += [_other_shape(p, self.called[name], entries[name].shape) for p, name in others]
        hint = ""
        if strict:
            self.problems += [f"missing      {p.shown} {p.shape}" for p in self.missing]
            left = [n for n in self.unused(entries) if self.called[n] not in constants]
            self.problems += [f"unexpected   {self.called[n]} {entries[n].shape}" for n in left]
            if self.missing or left:
                hint = "load(..., strict=False) keeps what is missing and ignores what is unexpected"
            if self.missing and left:
                other = 'by={"module": "layer"} says which is which' + ("" if order else ', by="order" goes by order')
                hint = f"{other}; {hint}"
        if others and not hint:
            names = ", ".join(repr(self.called[name]) for _, name in others)
            hint = f"to keep the net's own values, leave {names} out of the state_dict, and load(..., strict=False)"
        if self.problems:
            n = f"{len(self.problems)} problem{'s' if len(self.problems) > 1 else ''}"
            rule = f"net {net.name!r} cannot take these parameters: {n}; nothing is changed"
            raise SnapshotError(rule, details=self.problems, hint=hint)

    def report(self, entries: Mapping[str, np.ndarray]) -> LoadedWeights:
        """The result: what was loaded where."""
        copied = [
            Copied("" if name is None else self.called[name], p.shown, p.shape, _note(p, name, entries))
            for p, name in self.found.items()
        ]
        kept = tuple(p.shown for p in self.missing)
        return LoadedWeights(tuple(copied), kept, tuple(self.called[name] for name in self.unused(entries)))

    def unused(self, entries: Mapping[str, np.ndarray]) -> list[str]:
        """Names that no place takes."""
        return [name for name in entries if name not in self.used]


def _note(place: Weight, name: str | None, entries: Mapping[str, np.ndarray]) -> str:
    if name is None:
        return "0: the module has no bias"
    array = entries[name]
    notes = [f"from {array.shape}"] if array.shape != place.shape else []
    notes += [f"from {array.dtype}"] if array.dtype != place.dtype else []
    notes += [] if np.isfinite(array).all() else ["holds NaN or infinities"]
    return ", ".join(notes)


def _other_shape(place: Weight, name: str, shape: tuple[int, ...]) -> str:
    turned = "; its transpose would fit" if len(shape) == 2 and shape[::-1] == place.shape else ""
    return f"wrong shape  {name} {shape}, but {place.shown} is {place.shape}{turned}"


def _by_name(match: Match, entries: Mapping[str, np.ndarray], modules: Sequence[Module]) -> None:
    for module in modules:
        present = {place: [name for name in place.spellings if name in entries] for place in module.places}
        match.take({place: next(iter(names), None) for place, names in present.items()})
        match.used.update(joined(owner, extra) for owner in module.owners for extra in module.extras)
        for place, names in present.items():  # a shared parameter has a name for each layer
            match.used.update(names)
            odd = [name for name in names[1:] if not np.array_equal(entries[name], entries[names[0]])]
            first = match.called[names[0]] if names else ""
            match.problems += [
                f"two values   {match.called[name]} and {first}, for the shared {place.shown}" for name in odd
            ]


def _by_order(match: Match, entries: Mapping[str, np.ndarray], modules: Sequence[Module]) -> None:
    theirs = list(_grouped(entries, modules).items())
    for k, module in enumerate(modules):
        prefix, names = theirs[k] if k < len(theirs) else ("", [])
        match.take({place: _chosen(place, prefix, names) for place in module.places})
        match.used.update(joined(prefix, extra) for extra in module.extras)


def _chosen(place: Weight, prefix: str, names: Sequence[str]) -> str | None:
    """The name of a place in a module whose names begin with `prefix`."""
    if not place.theirs and len(names) == 1:
        return joined(prefix, names[0])
    name = next((name for name in (place.theirs, place.name) if name in names), None)
    return None if name is None else joined(prefix, name)


def _grouped(entries: Mapping[str, np.ndarray], modules: Sequence[Module]) -> dict[str, list[str]]:
    """Names within their modules, in order. They end at the last dot, unless a layer has a name with dots.

    A name with dots is a layer's only beside another one of the layer: attn.out_proj.weight beside attn.in_proj_weight.
    """
    theirs = [[place.theirs for place in module.places] for module in modules]
    beside = {name: [n for n in names if "." not in n] for names in theirs for name in names if "." in name}
    by_module: dict[str, list[str]] = {}
    for name in entries:
        prefix, _, own = name.rpartition(".")
        for dotted, others in beside.items():
            outer = name.removesuffix(dotted)
            if outer != name and outer[-1:] in ("", ".") and any(outer + other in entries for other in others):
                prefix, own = outer.removesuffix("."), dotted
        by_module.setdefault(prefix, []).append(own)
    return by_module


def fill_slots(
    slots: Mapping[str, np.ndarray], entries: Mapping[str, Mapping[str, np.ndarray]], net: Net, params: Params
) -> None:
    """Set the slots "key.param.slot" of a training from arrays by slot and PyTorch's name, all or none.

    Raises:
        SnapshotError: an array is missing, is left over, or has another shape; the message lists everything.
    """
    places = [place for module in modules_of(net, params) for place in module.places]
    found: dict[str, np.ndarray] = {}
    problems = [line for slot, arrays in entries.items() for line in _matched(slot, arrays, slots, places, found)]
    kept = {name.rpartition(".")[2] for name in slots if name.rpartition(".")[0] in _names(places)}
    problems += [f"missing      {slot} of all parameters" for slot in sorted(kept - {*entries})]
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
