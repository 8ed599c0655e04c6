"""NetParameters: the calls of a program's user about parameters and states: files, state_dicts, freezing, averages."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.hints.calls import checked_call
from mochac.nets.layers.base import Layer
from mochac.runtime.data.params import Params
from mochac.training.loop.resume import save_last
from mochac.training.session.net_parameters import keys_of, save_parameters
from mochac.training.session.session import Session
from mochac.training.session.state_dict import LoadedWeights, state_dict


class NetParameters:
    """The parameters of a net in a session, and which of them training changes."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.net, self.name, self.params, self.states = session.net, session.name, session.params, session.params.states

    def parameters(self) -> dict[str, np.ndarray]:
        """Live parameter arrays by "key___param": writing to them sets the parameters."""
        return self.session.parameters()

    @checked_call
    def save(self, path: str | Path, *, training: bool = False) -> None:
        """Write the parameters, named `key___param`, to an HDF5 model file (.h5, .hdf5, no ending), an .npz archive or
        a .safetensors file; or the net with its parameters to an ONNX model (.onnx) that computes what predict() does
        of the same samples, see mochac.onnx.save.

        Args:
            training: write the state of the last training too, to a .safetensors file: a C library of the net, or
                Solver(load_from=path), continues from it.

        Raises:
            OptionError: another ending; there was no training. SnapshotError: the file cannot be written.
            UnsupportedError: ONNX cannot express the net.
        """
        if training:
            save_last(self.session, Path(path))
        elif isinstance(path, (str, os.PathLike)) and Path(path).suffix.lower() == ".onnx":
            from mochac.formats.onnx.export.save import save

            save(self, path)
        else:
            with self.session.lock:
                save_parameters(path, self.net, self.params)

    @checked_call
    def load(
        self,
        source: str | Path | Mapping[str, Any] | Any,
        strict: bool = True,
        *,
        by: str | Mapping[str, str] | None = None,
    ) -> LoadedWeights:
        """Read parameters and running statistics, all or none, and return a table of what was loaded where.

        After it, train(resume=True) starts at iteration 0, since the solver's state belongs to other parameters.

        Args:
            source: a model file (also Mocha's and Caffe's: HDF5, .caffemodel), a snapshot, or a state_dict: of PyTorch,
                of another program, a dictionary of arrays, or an object that has a state_dict(). Buffers of a
                PyTorch module that are constants of the net stay as they were when the net was made.
            strict: something that is missing in `source`, or left over in a state_dict, is an error; otherwise what is
                missing keeps its value. Of a file, a missing bias is a warning. If a module of a state_dict has no
                bias, the layer's bias becomes 0.
            by: how names of a state_dict are found: "name": the module is called like the layer; "order": in the order
                of the layers; or {module: layer}. None: by name if any name fits, else by order.

        Raises:
            SnapshotError: the file cannot be read; something is missing, left over or of another shape: the message
                lists all of it. OptionError: `source` or `by` is of another kind.
        """
        return self.session.load(source, strict, by)

    def state_dict(self) -> dict[str, np.ndarray]:
        """Copies of parameters and running statistics under PyTorch's names, such as "conv1.weight" and
        "bn1.running_mean", with PyTorch's shapes."""
        with self.session.lock:
            return state_dict(self.net, self.params)

    def to_torch(self, module: Any) -> Any:
        """Write parameters and running statistics into a module of PyTorch, in place; returns the module.

        The names of state_dict() must be the module's, as they are in nets from PyTorch. Tensors keep their dtype and
        device; one with several names is written once. Buffers that the program does not have keep their values, and so
        does `num_batches_tracked`.

        Raises:
            OptionError: not a module. SnapshotError: a parameter of the module is missing, a name is not the module's,
                or a shape differs; everything is listed, and nothing is changed.

        >>> program.to_torch(module)  # doctest: +SKIP
        """
        from mochac.formats.pytorch.exported import write_weights

        write_weights(self.state_dict(), module, self.name)
        return module

    def freeze(self, *layers: str | Layer) -> None:
        """Exclude the parameters of these layers from updates, from the next step on.

        Args:
            layers: layers, their names or param_keys, or globs of these: freeze("features.*").
        """
        self.session.frozen |= keys_of(self.net, layers)

    def unfreeze(self, *layers: str | Layer) -> None:
        """Train these layers' parameters again."""
        self.session.frozen -= keys_of(self.net, layers)

    def is_frozen(self, layer: str | Layer) -> bool:
        """Whether this layer's parameters are excluded from updates."""
        return keys_of(self.net, [layer]) <= self.session.frozen

    def freeze_all(self) -> None:
        """Exclude all parameters from updates."""
        self.session.frozen = frozenset(p.key for p in (*self.net.params, *self.net.states))

    def unfreeze_all(self) -> None:
        """Train all parameters again."""
        self.session.frozen = frozenset()

    @property
    def averages(self) -> Params:
        """The averages of the parameters, by param_key and name, as a store: compile(net, params=program.averages).

        Raises:
            OptionError: no training had a ParameterAverage break.
        """
        if self.params.averages is None:
            hint = "solver.add_coffee_break(ParameterAverage(0.999)) keeps them in training"
            raise OptionError(f"program {self.name!r} has no averages", hint=hint)
        return self.params.averages

    def reset_states(self) -> None:
        """Let stateful recurrent layers start from zeros again, in training and in prediction. Training begins with
        zeros, unless it resumes; evaluate() begins and ends with them."""
        with self.session.lock:
            self.session.require_open()
            self.session.plans.reset_carried(training=True)

    def warn_of_unset(self, known: Mapping[str, np.ndarray]) -> None:
        """Log the layers whose parameters are as initialized although others are shared, without those that are `known`
        by "key___param", as in the net in training; ValidationPerformance calls it."""
        if self.session.unset is not None:
            self.session.unset.warn(known)
