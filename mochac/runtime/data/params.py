"""Params: the parameter store, arrays by param_key and parameter name, which programs share and which outlive them.

compile() calls `ensure` for every parameter of a net: existing parameters are checked and shared, others initialized.
The storage of a parameter never moves, since plans keep its address.

Weights may also come from any object that holds arrays by name: a state_dict, an object that has one, nested mappings,
an open .npz. Tensors are read through their own methods, so no other library is imported.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import DTypeLike

from mochac.base.errors import NetError, OptionError, ShapeError, shown
from mochac.base.registry import misspelt
from mochac.base.rules import of_class
from mochac.base.support.array_like import CPU, CUDA, array_interface, as_array, device_capsule, waits, widened
from mochac.base.support.log import LOG, ensure_handler
from mochac.base.support.memory import ManagedArray, aligned_empty
from mochac.base.threads import SharedLocks
from mochac.runtime.data.order import successive

WRAPPERS = ("_orig_mod.", "module.")
"""Prefixes that torch.compile and DataParallel put before every name."""
_CHECKPOINTS = ("state_dict", "model_state_dict", "model")


def named_arrays(source: Any) -> dict[str, np.ndarray]:
    """Arrays by dotted name, in the order of `source`, without the prefixes of torch.compile and DataParallel.

    Raises:
        OptionError: `source` is of another kind, or an entry is not an array of real numbers.

    >>> named_arrays({"ip1": {"weight": [[1.0]]}, "ip2.bias": [2.0]})
    {'ip1.weight': array([[1.]]), 'ip2.bias': array([2.])}
    """
    state = source.state_dict() if callable(getattr(source, "state_dict", None)) else source
    if not isinstance(state, Mapping):
        expected = "a file name, a dictionary of arrays, or an object with state_dict()"
        raise OptionError("load: no parameters in this", expected=expected, got=type(source).__name__)
    for name in _CHECKPOINTS:
        inner = state.get(name)
        if isinstance(inner, Mapping) and inner and all("." in str(key) for key in inner):
            got = ", ".join(map(str, state))
            raise OptionError(
                "load: this is a checkpoint, not a state_dict", got=got, hint=f"load(checkpoint[{name!r}])"
            )
    flat = dict(_flat(state))
    for wrapper in WRAPPERS:
        if flat and all(name.startswith(wrapper) for name in flat):
            flat = {name.removeprefix(wrapper): value for name, value in flat.items()}
    return {name: _array(name, value) for name, value in flat.items()}


def _flat(state: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in state.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _array(name: str, value: Any) -> np.ndarray:
    """A tensor or array as a NumPy array; half precision and bfloat16, which NumPy may not know, become float32."""
    for step in ("detach", "cpu"):
        value = getattr(value, step)() if callable(getattr(value, step, None)) else value
    try:
        array = as_array(widened(value), f"load: {name}")
    except (TypeError, ValueError) as error:
        raise OptionError(str(error)) from None
    if array.dtype.kind not in "fiub":
        raise OptionError(f"load: {name} is not an array of numbers", got=_kind(value, array))
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _kind(value: Any, array: np.ndarray) -> str:
    return str(array.dtype) if hasattr(value, "dtype") else type(value).__name__


class Init(Protocol):
    """An initializer (nets/layers/initializers.py)."""

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        """The initial values of a parameter."""
        ...


class Parameter(ManagedArray):
    """One parameter: `p[...]` is a copy, `p[...] = w` writes in place, np.asarray(p) is a copy.

    DLPack exports it without a copy: torch.from_dlpack(p) is the parameter itself, on its device, and lives as long as
    it is used.

    >>> p = Parameter("ip1", "bias", np.zeros(2, np.float32))
    >>> p[...] = [1, 2]
    >>> p[0] = 7
    >>> np.asarray(p).tolist(), p.shape, str(p.dtype)
    ([7.0, 2.0], (2,), 'float32')
    """

    __slots__ = ("key", "name", "torch_name")
    what = "parameter"

    def __init__(self, key: str, name: str, storage: np.ndarray, torch_name: str = "") -> None:
        super().__init__(storage)
        self.key, self.name, self.torch_name = key, name, torch_name

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents in Caffe's order: (out, in), (out,), (out, in/group, height, width)."""
        return self._array.shape

    @property
    def dtype(self) -> np.dtype:
        """float32 or float64."""
        return self._array.dtype

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._array.size

    def __getitem__(self, index: Any) -> Any:
        return np.array(self.values[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        storage = self.storage
        target = storage[index]
        try:
            values = as_array(value, dtype=self.dtype)
        except (TypeError, ValueError) as error:
            raise OptionError(f"{self.what} {self}: values are not numbers", got=str(error)) from None
        if values.ndim and values.shape != target.shape:
            raise ShapeError(
                f"{self.what} {self}: values have another shape", expected=str(target.shape), got=str(values.shape)
            )
        storage[index] = values

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("reading a parameter makes a copy")
        return np.array(self.values, dtype=dtype)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The array itself as a DLPack capsule, which keeps its memory: on the CUDA device that has it, where the next
        step sees what is written, else in the CPU's memory.

        Args:
            stream: of the consumer, for memory on a device; the values are there when this returns, unless it is -1.
            dl_device: (1, 0) on a device asks for a copy in the CPU's memory.
            copy: True asks for a copy; on a device only one in the CPU's memory can be had.

        Raises:
            BufferError: it would have to be copied, and `copy` is False; no such copy can be made. ValueError: no
                stream.
        """
        here = self.__dlpack_device__()
        if here[0] == CPU or (dl_device is not None and tuple(dl_device) == (CPU, 0)):
            if self.copies and copy is False:
                raise BufferError(f"{self.what} {self} is on a CUDA device: in the CPU's memory it is a copy")
            array = self.values.copy() if self.copies or copy else self.storage
            return array.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=None)
        if copy or (dl_device is not None and tuple(dl_device) != here):
            got = f"dl_device={dl_device}, copy={copy}"
            raise BufferError(f"{self.what} {self} is lent on CUDA device {here[1]}, or copied to the CPU; got {got}")
        device_copy = self.lend(wait=waits(stream))
        assert device_copy is not None
        return device_capsule(device_copy.address, self.shape, self.dtype, here, device_copy.hold(), max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CUDA device that has it, else the CPU's memory."""
        return (CUDA, self.copies[0].ordinal) if self.copies else self._array.__dlpack_device__()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The parameter in the memory of a CUDA device, for CuPy, Numba and torch.as_tensor(p, device="cuda"), without
        a copy: writes there are seen by the next step. Valid until the programs on that device are closed.

        Raises:
            AttributeError: no program has it on a device.
        """
        device_copy = self.lend()
        if device_copy is None:
            raise AttributeError(f"{self.what} {self} is not on a CUDA device")
        return array_interface(device_copy.address, self.shape, self.dtype)

    def __len__(self) -> int:
        return len(self._array)

    def _no_operand(self, other: object) -> NoReturn:
        raise TypeError(f"{self.what} {self} is not an array; [...] behind it reads and sets its values")

    __add__ = __radd__ = __iadd__ = __sub__ = __rsub__ = __isub__ = __mul__ = __rmul__ = __imul__ = _no_operand
    __truediv__ = __rtruediv__ = __itruediv__ = __matmul__ = __rmatmul__ = __pow__ = __ipow__ = _no_operand

    def __str__(self) -> str:
        return f"{self.key}.{self.name}"

    def __repr__(self) -> str:
        return f"<{self.what.capitalize()} {self} {self.dtype}{list(self.shape)}>"


class LayerState(Parameter):
    """State of a layer that no gradient trains, such as running statistics."""

    __slots__ = ()
    what = "state"


class ParamGroup(Mapping[str, Parameter]):
    """The parameters, or the states, of one param_key by name; `group["weight"] = w` writes."""

    def __init__(self, key: str, kind: type[Parameter] = Parameter) -> None:
        self.key, self.kind = key, kind
        self._items: dict[str, Parameter] = {}

    def __getitem__(self, name: str) -> Parameter:
        try:
            return self._items[name]
        except KeyError:
            raise OptionError(
                f"{self.key!r} has no {self.kind.what} {name!r}",
                details=[f"{self.kind.what}s: {' '.join(self._items)}"],
                hint=_hint(name, self._items),
            ) from None

    def __setitem__(self, name: str, value: Any) -> None:
        self[name][...] = value

    def __getattr__(self, name: str) -> NoReturn:
        hint = f"; write params[{self.key!r}][{name!r}]" if name in vars(self).get("_items", ()) else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __repr__(self) -> str:
        return f"<{self.key}: {', '.join(f'{name} {p.dtype}{list(p.shape)}' for name, p in self._items.items())}>"

    def add(self, name: str, storage: np.ndarray, torch_name: str = "") -> Parameter:
        """Add an array with this storage; for ParamTable.ensure."""
        return self.share(name, self.kind(self.key, name, storage, torch_name))

    def share(self, name: str, parameter: Parameter) -> Parameter:
        """Add a parameter of another key or store, unless there is one of this name; for ParamTable.share."""
        return self._items.setdefault(name, parameter)


class ParamTable(Mapping[str, ParamGroup]):
    """Arrays of one kind by param_key (default: the layer's name), then by name."""

    kind: type[Parameter] = Parameter

    def __init__(self) -> None:
        self._groups: dict[str, ParamGroup] = {}

    def __getitem__(self, key: str) -> ParamGroup:
        try:
            return self._groups[key]
        except KeyError:
            raise OptionError(
                f"no {self.kind.what}s under {key!r}",
                details=[f"known: {' '.join(self._groups) or 'none'}"],
                hint=_hint(key, self._groups),
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __contains__(self, key: object) -> bool:
        return key in self._groups

    def __repr__(self) -> str:
        rows = {id(p): f"{p} {p.dtype}{list(p.shape)}" for group in self.values() for p in group.values()}
        return f"<{type(self).__name__}: {', '.join(rows.values()) or 'empty'}>"

    def ensure(
        self,
        key: str,
        name: str,
        shape: tuple[int, ...],
        dtype: DTypeLike,
        init: Init,
        *,
        seed: int,
        first: bool = False,
        torch_name: str = "",
        same: Parameter | None = None,
        **where: str,
    ) -> Parameter:
        """The array `name` of `key`: shared if it exists (and fits), else created and initialized.

        Args:
            init: the initializer; its random generator depends on (seed, key, name) only.
            torch_name: its name in a state_dict, for nets that keep it under another key.
            same: it, if the store has it under another key.
            first: `key` is new, or this net has just added it, so `name` may be added to it; otherwise a key in the
                store must already have `name`.
            where: `layer`, `type`, `at` of the layer, for messages.

        Raises:
            NetError, ShapeError, OptionError: the existing parameters have other names, another shape, another dtype;
                not enough memory for a new one.
        """
        group = self._groups.get(key)
        if group is not None and name in group:
            _tell("shares", group[name], where)
            return _checked(group[name], tuple(shape), np.dtype(dtype), where)
        if same is not None:
            _tell("shares", same, where)
            self.share(_checked(same, tuple(shape), np.dtype(dtype), where), key, name)
            return same
        if group is not None and not first:
            raise NetError(
                f"shared {self.kind.what}s {key!r} have no {name!r}", details=[f"they have: {' '.join(group)}"], **where
            )
        try:
            storage = aligned_empty(tuple(shape), dtype)
            values = init.fill(tuple(shape), storage.dtype, successive(seed, key, name)())
            storage[...] = _filled(init, f"{key}.{name}", tuple(shape), values, where)
        except MemoryError:
            wanted = f"{np.dtype(dtype).name}{list(shape)}"
            raise OptionError(f"not enough memory for {self.kind.what} {key}.{name}", got=wanted, **where) from None
        parameter = self._groups.setdefault(key, ParamGroup(key, self.kind)).add(name, storage, torch_name)
        _tell("initializes", parameter, where)
        return parameter

    def share(self, parameter: Parameter, key: str = "", name: str = "") -> None:
        """Add a parameter of another store, or one that this store has under another key.

        Args:
            key, name: where it is found in addition; "": its own.
        """
        key = key or parameter.key
        self._groups.setdefault(key, ParamGroup(key, self.kind)).share(name or parameter.name, parameter)


def _filled(init: Init, name: str, shape: tuple[int, ...], values: Any, where: Mapping[str, str]) -> np.ndarray:
    """What an initializer returned, as an array.

    Raises:
        OptionError: numbers of another shape, or no numbers.
    """
    array = np.asarray(values)
    if array.shape == shape and array.dtype.kind in "fiub":
        return array
    got = shown(values) if array.dtype.kind not in "fiub" else str(array.shape)
    rule = f"fill of {type(init).__name__} does not return the initial values of {name}"
    raise OptionError(rule, expected=f"an array of numbers of shape {shape}", got=got, **where)


class States(ParamTable):
    """States of layers, such as running statistics, by param_key, then by name."""

    kind = LayerState


class Params(ParamTable):
    """Parameters by param_key (default: the layer's name), then by name.

    A new store is empty. mochac.compile(net, params=store) shares the parameters in it, and adds those that are
    missing.

    Attributes:
        states: states of layers, such as running statistics; shared like parameters.
        averages: running means of the parameters, of a training with a ParameterAverage break; None before.
        locks: of the programs that use the store; see Session.

    >>> Params()
    <Params: empty>
    """

    def __init__(self) -> None:
        super().__init__()
        self.states = States()
        self.averages: Params | None = None
        self.locks = SharedLocks()

    def by_torch_name(self) -> dict[str, Parameter]:
        """Parameters and states by their names in a state_dict."""
        tables = (self.states, self)
        return {p.torch_name: p for table in tables for group in table.values() for p in group.values()}

    def empty_copy(self) -> Params:
        """A store without parameters, with the states and locks of this one."""
        copy = Params()
        copy.states, copy.locks = self.states, self.locks
        return copy


def dotted(name: str) -> str:
    """The name of the parameter "key___param" in messages and statistics.

    >>> dotted("ip1___weight"), dotted("a___b___bias"), dotted("_" + "___bias")
    ('ip1.weight', 'a___b.bias', '_.bias')
    """
    key, _, parameter = name.rpartition("___")
    return f"{key}.{parameter}"


def _tell(what: str, parameter: Parameter, where: Mapping[str, str]) -> None:
    """A debug line such as `InnerProduct(ip-1): shares ip-layer-1.weight`, as Mocha logs it."""
    if where and LOG.isEnabledFor(logging.DEBUG):
        ensure_handler()
        LOG.debug("%s(%s): %s %s", where.get("type", ""), where.get("layer", ""), what, parameter)


def _checked(parameter: Parameter, shape: tuple[int, ...], dtype: np.dtype, where: dict[str, str]) -> Parameter:
    if parameter.shape != shape:
        raise ShapeError(
            f"shared {parameter.what} {parameter} has another shape",
            expected=str(shape),
            got=str(parameter.shape),
            **where,
        )
    if parameter.dtype != dtype:
        raise OptionError(
            f"shared {parameter.what} {parameter} has another dtype",
            expected=str(dtype),
            got=str(parameter.dtype),
            hint=f"compile(..., dtype={str(parameter.dtype)!r})",
            **where,
        )
    return parameter


def _hint(name: object, known: Mapping[str, object]) -> str:
    if not isinstance(name, str):  # by position, as in pycaffe
        return "write its name"
    key, dot, inside = name.partition(".")
    if dot and key in known:
        return f"write params[{key!r}][{inside!r}]"
    return misspelt(name, known)


PARAMS = of_class(Params, "mochac.Params, such as program.params")
"""The rule of arguments that take a store."""
