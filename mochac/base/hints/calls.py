"""Calls, options and attributes in the words of other libraries."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from mochac.base.errors import OptionError
from mochac.base.hints.names import instead
from mochac.base.registry import did_you_mean, suggestion

P = ParamSpec("P")
R = TypeVar("R")


def checked_with(hints: Mapping[str, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """checked_call with hints for names that others have for arguments.

    >>> @checked_with({"size": "write extent=..."})
    ... def make(extent=1): ...
    >>> make(size=3)
    Traceback (most recent call last):
    mochac.base.errors.OptionError: make() has no argument 'size'
      hint: write extent=...
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> R:
            try:
                return function(*args, **named)
            except TypeError as error:
                if _of_call(error):
                    own, what = _own(function), f"{function.__name__}()"
                    values = args[len(signature(function).parameters) - len(own) :]  # without self
                    found = misfit(what, own, values, named, hint_for=lambda name, known: hints.get(name, ""))
                    raise found or error from None
                raise

        return call

    return decorate


def checked_call(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: unknown, missing, repeated or too many arguments raise an OptionError with a hint.

    >>> @checked_call
    ... def load(path, *, batch_size=None): ...
    >>> load("a.onnx", batchsize=3)
    Traceback (most recent call last):
    mochac.base.errors.OptionError: load() has no argument 'batchsize'
      hint: did you mean 'batch_size'?
    >>> load()
    Traceback (most recent call last):
    mochac.base.errors.OptionError: load() needs the argument 'path'
      hint: in order: path; by name: batch_size
    """

    return checked_with({})(function)


class CheckedCalls(ABCMeta):
    """Metaclass of classes whose constructors are checked like functions under @checked_call.

    A class may define its name in messages, the word for its arguments, and hints for unknown names.

    >>> class Point(metaclass=CheckedCalls):
    ...     def __init__(self, x, y=0): ...
    >>> Point(1, z=3)
    Traceback (most recent call last):
    mochac.base.errors.OptionError: Point has no argument 'z'
      hint: arguments: x, y
    >>> import inspect
    >>> str(inspect.signature(Point))
    '(x, y=0)'
    """

    argument_word = "argument"

    def called(cls) -> str:
        """The class in messages."""
        return cls.__qualname__

    def hint_for(cls, name: str, known: Sequence[str]) -> str:
        """The hint for an argument that the constructor does not have; "": the closest name, or else all."""
        return ""

    if not TYPE_CHECKING:  # editors see the constructor of the class itself

        @property
        def __signature__(cls) -> Signature:
            return Signature(list(_own(cls.__init__).values()))

        def __call__(cls, *args: Any, **named: Any) -> Any:
            try:
                return super().__call__(*args, **named)
            except TypeError as error:
                if _of_call(error):
                    known, word = _own(cls.__init__), cls.argument_word
                    raise misfit(cls.called(), known, args, named, word, cls.hint_for) or error from None
                raise


def misfit(
    what: str,
    known: dict[str, Parameter],
    args: Sequence[Any],
    named: dict[str, Any],
    word: str = "argument",
    hint_for: Callable[[str, Sequence[str]], str] = lambda name, known: "",
) -> OptionError | None:
    """The error for wrong arguments of a call; None if they fit.

    Args:
        what: name of the called function, such as "load()".
        known: its parameters.
        word: word for an argument in messages.
        hint_for: the hint for an unknown one, from its name and the known ones; "": the closest name, or else all.
    """
    kinds = {p.kind for p in known.values()}
    placed = [name for name, p in known.items() if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    names = [name for name, p in known.items() if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)]
    every = [name for name, p in known.items() if p.kind is not Parameter.VAR_KEYWORD]
    order = _order(known)
    for name in named if Parameter.VAR_KEYWORD not in kinds else ():
        if name not in names:
            close = suggestion(name, names)
            usual = f"did you mean {close!r}?" if close else f"{word}s: {', '.join(every)}"
            return OptionError(f"{what} has no {word} {name!r}", hint=hint_for(name, every) or usual)
    if len(args) > len(placed) and Parameter.VAR_POSITIONAL not in kinds:
        most, got = f"at most {len(placed)}", str(len(args))
        return OptionError(f"{what} got too many values", expected=most, got=got, hint=order)
    passed = {*placed[: len(args)], *named}
    for name in names:
        if name in named and name in placed[: len(args)]:
            return OptionError(f"{what} got the {word} {name!r} twice", hint=order)
        if known[name].default is Parameter.empty and name not in passed:
            return OptionError(f"{what} needs the {word} {name!r}", hint=order)
    return None


def _order(known: dict[str, Parameter]) -> str:
    """The expected arguments: in order, and by name."""
    by_name = [name for name, p in known.items() if p.kind is Parameter.KEYWORD_ONLY]
    in_order = [name for name, p in known.items() if name not in by_name and p.kind is not Parameter.VAR_KEYWORD]
    parts = {"in order": in_order, "by name": by_name}
    return "; ".join(f"{how}: {', '.join(names)}" for how, names in parts.items() if names)


def _of_call(error: TypeError) -> bool:
    """Whether the call itself failed, not something inside what was called."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is None


def _own(function: Callable[..., Any]) -> dict[str, Parameter]:
    """The parameters of a function, without `self`."""
    return {name: p for name, p in signature(function).parameters.items() if name != "self"}


OPERATIONS: dict[str, str] = {
    **dict.fromkeys(("matmul", "dot", "linear", "gemm", "mm"), "x @ w, or 'inner_product': x, weight (out, in), bias"),
    **dict.fromkeys(("sum", "reduce"), "x.sum(axis=...)"),
    "mean": "x.mean(axis=...)",
    **dict.fromkeys(("bmm", "tensordot", "batched_product", "contract"), "'einsum' with spec='bik,bkj->bij'"),
    **dict.fromkeys(("embedding", "take", "index_select", "lookup"), "'gather': table, ids"),
    **dict.fromkeys(("arange", "iota", "range"), "'position' with axis=, dtype= and shape="),
    "plus": "x + y",
    **dict.fromkeys(("multiply", "times", "prod"), "x * y"),
    **dict.fromkeys(("subtract", "minus"), "x - y"),
    **dict.fromkeys(("divide", "truediv"), "x / y"),
    **dict.fromkeys(("maximum", "minimum"), "np.maximum(x, y) or np.minimum(x, y)"),
    "clamp": "np.clip(x, low, high)",
    **dict.fromkeys(("amax", "amin"), "x.max(axis=...) or x.min(axis=...)"),
    "log1p": "np.log(1 + x)",
    "expm1": "np.exp(x) - 1",
    "reciprocal": "1 / x",
    **dict.fromkeys(("var", "std"), "np.square(x - x.mean(axis, keepdims=True)).mean(axis)"),
    "norm": "np.sqrt(np.square(x).sum(axis=...))",
    "where": "np.where(condition, x, y)",
    **dict.fromkeys(("concatenate", "cat", "stack"), "np.concatenate([x, y], axis=1)"),
    **dict.fromkeys(("view", "flatten", "squeeze", "unsqueeze", "expand_dims"), "x.reshape(...), x[:, None]"),
    **dict.fromkeys(("transpose", "swapaxes", "moveaxis"), "x.transpose(...)"),
    **dict.fromkeys(("expand", "broadcast_to", "repeat", "tile"), "'broadcast' with shape=, axes= and batch="),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d", "convolution"), "'conv' with stride= and pad="),
    "sqr": "'square'",
    "negative": "'neg'",
    "rsqrt": "'power' with exponent=-0.5",
    "detach": "'stop_gradient'",
    "dropout": "ctx.dropout_mask(like, ratio)",
    "randn": "'random_normal' with ctx.stream()",
    "one_hot": "'onehot' with axis= and classes=",
    "cross_entropy": "'softmax_loss' with axis=",
}
"""Operations by other libraries' names."""

ARGUMENTS: dict[str, str] = {"dim": "axis", "keepdim": "keepdims", "axes": "axis"}
"""Arguments of the methods of values, by PyTorch's names."""


COMPILE: dict[str, str] = {
    **dict.fromkeys(
        ("optimizer", "method", "solver", "lr", "learning_rate"),
        "give it to training: program.train(SGD(0.01), max_iter=...)",
    ),
    "loss": "the loss is a layer of the net, such as SoftmaxLossLayer",
    "metrics": "metrics are layers of the net, such as AccuracyLayer",
    "batch_size": "give it to the data layer: MemoryDataLayer(data=[X, y], batch_size=...)",
    **dict.fromkeys(("random_state", "rng"), "did you mean 'seed'?"),
    **dict.fromkeys(("num_threads", "n_jobs", "nthreads"), "did you mean 'threads'?"),
    **dict.fromkeys(("gpu", "cuda", "use_gpu"), 'backend="cuda"'),
    **dict.fromkeys(("mode_", "fullgraph", "dynamic"), "the whole net is always compiled"),
    "verbose": "program.explain() says what was made",
    "weights": "program.load(path), or params= to share parameters",
}
"""Arguments of compile() elsewhere."""

ESTIMATOR_PARAMETERS: dict[str, str] = {
    "activation": 'layers=[InnerProductLayer(name="ip1", output_dim=..., neuron=Neurons.ReLU())]',
    "alpha": "regu_coef",
    "epochs": "max_epoch",
    "hidden_layer_sizes": 'layers=[InnerProductLayer(name="ip1", output_dim=..., neuron=Neurons.ReLU())]',
    "learning_rate": "method=SGD(lr_policy=LRPolicy.Fixed(...))",
    "learning_rate_init": "method=SGD(lr_policy=LRPolicy.Fixed(...))",
    "lr": "method=SGD(lr_policy=LRPolicy.Fixed(...))",
    "max_iter": "max_epoch",
    "momentum": "method=SGD(mom_policy=MomPolicy.Fixed(...))",
    "n_epoch": "max_epoch",
    "optimizer": "method",
    "patience": "n_iter_no_change",
    "solver": "method",
    "validation_fraction": "validation_split",
    "weight_decay": "regu_coef",
}
"""Parameters of estimators in scikit-learn, Keras, PyTorch and Slugnet: the name, or what to write."""

COMMAND_OPTIONS: dict[str, str] = {
    **dict.fromkeys(
        ("--epochs", "--epoch", "--max-epoch", "--n-epochs"),
        "--max-iter N; an epoch is (samples / batch size) iterations",
    ),
    "--gpu": "--backend cuda --device N",
    "--snapshot": "--model FILE",
    "--weights": "--model FILE",
}
"""Options of other programs that train: what to write."""

LOSS_WORDS: dict[str, str] = {
    **dict.fromkeys(("cross_entropy", "categorical_crossentropy", "sparse_categorical_crossentropy", "log_loss"),
                    "SoftmaxLossLayer"),
    **dict.fromkeys(("bce", "binary_crossentropy", "binary_cross_entropy", "logistic"),
                    "BinaryCrossEntropyLossLayer(logits=True)"),
    **dict.fromkeys(("mse", "mean_squared_error", "squared_error", "l2"), "SquareLossLayer"),
    **dict.fromkeys(("mae", "mean_absolute_error", "absolute_error", "l1"), "L1LossLayer"),
    "huber": "HuberLossLayer",
    **dict.fromkeys(("poisson", "count:poisson"), "PoissonLossLayer"),
    **dict.fromkeys(("quantile", "pinball"), "QuantileLossLayer(quantile=...)"),
    "hinge": "HingeLossLayer",
    "focal": "FocalLossLayer",
}  # fmt: skip
"""Losses of estimators, by the words of Keras and scikit-learn."""


_TRAIN = "mochac.compile(net).train(SGD(...), max_iter=...)"

_TEST = "program.evaluate(data=X, label=y)"

ATTRIBUTES: dict[str, dict[str, str]] = {
    "Net": {
        "train": _TRAIN,
        "fit": _TRAIN,
        "compile": "mochac.compile(net)",
        "predict": "mochac.compile(net).predict(x)",
        "forward": "mochac.compile(net).forward()",
        "evaluate": "mochac.compile(net).evaluate()",
        "summary": "print(net), or mochac.explain(net)",
        "params": "mochac.compile(net).params",
        "parameters": "mochac.compile(net).params",
        "add": "Net(name, [layers...]): a net is made with all its layers",
        "build": "mochac.compile(net)",
        "to": 'mochac.compile(net, backend="cuda")',
        "cuda": 'mochac.compile(net, backend="cuda")',
        "append": "Net(name, [*net.layers, layer])",
        "save": "mochac.compile(net).save(path)",
        "load": "mochac.compile(net).load(path)",
        "state_dict": "mochac.compile(net).state_dict()",
        "plot": "net.to_svg(), or net.to_dot()",
    },
    "Program": {
        "fit": "program.train(SGD(...), max_iter=...)",
        "solve": "program.train(SGD(...), max_iter=...)",
        "update": "solver.update()",
        "test": _TEST,
        "buffers": "program.states[key][name]",
        "score": _TEST,
        "eval": f'{_TEST} and program.predict(x), in test mode, or compile(net, mode="test")',
        "predict_proba": "program.predict(x)",
        "transform": "program.predict(x, blob=...)",
        "weights": "program.params[layer][name]",
        "get_weights": "program.params[layer][name]",
        "set_weights": "program.params[layer][name][...] = array",
        "load_state_dict": "program.load(state_dict)",
        "save_weights": "program.save(path)",
        "load_weights": "program.load(path)",
        "copy_from": "program.load(path)",
        "diffs": "program.blob_diffs and program.grads",
        "gradients": "program.grads",
        "summary": "program.explain()",
        "to": 'mochac.compile(net, backend="cuda")',
        "cuda": 'mochac.compile(net, backend="cuda")',
        "cpu": 'mochac.compile(net, backend="cpu")',
        "zero_grad": "not needed: every step computes new gradients",
        "compile": "not needed: a program is compiled already",
        "optimizer": "the method of train(): program.train(SGD(0.01), max_iter=...)",
        "history": "the statistics of the lounge that train() returns",
        "layers": "program.net.layers",
        "named_parameters": "program.params[layer][name]",
        "double": 'mochac.compile(net, dtype="float64")',
        "apply": "program.predict(x)",
        "reshape": "not needed: program.predict(x) takes any number of samples",
        "plot": "`mochac plot FILE`, with the file of solver.setup_coffee_lounge(save_into=FILE)",
        "export": "program.save(path)",
        "backpropagate": "program.backward()",
    },
}

CALLED = {"Net": "mochac.compile(net).predict(x)", "Program": "program.predict(x)"}


def not_callable(owner: object) -> TypeError:
    """The error for a call of `owner` itself, as PyTorch and Keras have it.

    >>> class Program: ...
    >>> str(not_callable(Program()))
    "'Program' object is not callable; use program.predict(x)"
    """
    kind = type(owner).__name__
    return TypeError(f"{kind!r} object is not callable{instead(CALLED[kind])}")


def missing(owner: object, name: str) -> AttributeError:
    """The error for an attribute that `owner` lacks, with mochac's name where another framework's was asked for.

    >>> class Program: ...
    >>> str(missing(Program(), "fit"))
    "'Program' object has no attribute 'fit'; use program.train(SGD(...), max_iter=...)"
    """
    kind = type(owner).__name__
    here = ATTRIBUTES.get(kind, {}).get(name)
    tail = instead(here) if here else ""
    if not tail and not name.startswith("_"):
        tail = did_you_mean(name, [n for n in dir(owner) if not n.startswith("_")])
    return AttributeError(f"{kind!r} object has no attribute {name!r}{tail}", name=name, obj=owner)


_DECAY = "regu_coef=... of Solver or train(); L2Regu(1), the usual regularizer, adds 2 * regu_coef * w to a gradient"

_RATE = {
    "gamma": "write gamma=0.01",
    "centered": "write {method}(0.01) or lr_policy=0.01",
    "rho": "write lr_policy=0.1",
    "lr_policy": "write {method}(0.01) or lr_policy=0.01",
}

_OF_TRAIN = {"": "give it to training: program.train({method}(...), max_iter=..., regu_coef=...)"}

METHOD_PARAMETERS: dict[str, dict[str, str]] = {
    **dict.fromkeys(("lr", "base_lr", "learning_rate", "learning_rate_init", "eta0", "alpha0"), _RATE),
    "momentum": {"beta1": "beta1 is the momentum of {method}"},
    "betas": {"beta1": "write beta1=0.9, beta2=0.999"},
    "alpha": {"rho": "did you mean 'rho'?"},
    "decay": {"rho": "did you mean 'rho'?", "weight_decay": f"write weight_decay=...; or {_DECAY}", "": _DECAY},
    "weight_decay": {"decay": "write decay=0.1", "": _DECAY},
    "nesterov": {"mom_policy": "write Nesterov(...)"},
    "params": {"": "a method is not given the net's parameters: program.train({method}(...), max_iter=...)"},
    "parameters": {"": "a method is not given the net's parameters: program.train({method}(...), max_iter=...)"},
    **dict.fromkeys(("max_iter", "max_epoch", "regu_coef", "epochs", "load_from"), _OF_TRAIN),
}
"""Parameters of methods elsewhere: what to write, by a field that the method must have for it ("": none)."""

SOLVER_PARAMETERS: dict[str, str] = {
    **dict.fromkeys(("epochs", "n_epochs", "num_epochs", "max_epochs", "nb_epoch"), "write max_epoch=..."),
    **dict.fromkeys(("iterations", "n_iter", "num_iter", "max_iters", "max_steps", "steps"), "write max_iter=..."),
    "batch_size": "give it to the data layer: MemoryDataLayer(data=[X, y], batch_size=...)",
    "shuffle": "give it to the data layer: MemoryDataLayer(data=[X, y], shuffle=True, ...)",
    "callbacks": "solver.add_coffee_break(..., every_n_iter=...)",
    "validation_data": "solver.add_coffee_break(ValidationPerformance(program, data={'data': X, 'label': y}), "
    "every_n_epoch=1)",
    "clipnorm": "write clip_norm=...",
    "gradient_clip_val": "write clip_norm=...",
    **dict.fromkeys(("accumulate_grad_batches", "gradient_accumulation_steps", "iter_size"), "write accumulate=..."),
    "scheduler": "give it to the method: SGD(LRPolicy.Inv(0.01, 0.0001, 0.75))",
    "lr_scheduler": "give it to the method: SGD(LRPolicy.Inv(0.01, 0.0001, 0.75))",
    "optimizer": "the method comes first: train(SGD(0.01), max_iter=...)",
    "loss": "the loss is a layer of the net, such as SoftmaxLossLayer",
    "seed": "mochac.compile(net, seed=...)",
    "random_state": "mochac.compile(net, seed=...)",
    "device": 'mochac.compile(net, backend="cuda")',
    "snapshot": "solver.add_coffee_break(Snapshot(folder), every_n_iter=...)",
    "display": "solver.add_coffee_break(TrainingSummary(), every_n_iter=...)",
    "test_interval": "solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)",
}
"""Parameters of trainings elsewhere: what to write."""

BREAK_ARGUMENTS: dict[str, str] = {
    "folder": "path dir dirpath filepath directory",
    "keep_last": "save_top_k max_to_keep n_saved",
    "keep_best": "monitor key metric save_best_only",
    "statistic": "monitor key metric name",
    "higher_better": "mode maximize",
    "restore_best": "restore_best_weights",
    "decay": "beta alpha",
    "program": "test test_net net",
}
"""Arguments of coffee breaks, by the names that callbacks elsewhere have for them."""

_INTERVALS = ("every_n_iter", "every_n_epoch", "period", "save_freq", "every_n_epochs")


def break_hint(name: str, known: Sequence[str]) -> str:
    """The hint for an argument that a coffee break does not have.

    >>> break_hint("keep", ["folder", "keep_last"]), break_hint("every_n_iter", ["folder"])
    ("did you mean 'keep_last'?", 'it belongs to solver.add_coffee_break(..., every_n_iter=...)')
    """
    if name in _INTERVALS:
        interval = name if name.startswith("every_n_iter") else "every_n_epoch"
        return f"it belongs to solver.add_coffee_break(..., {interval}=...)"
    similar = [own for own in known if name in BREAK_ARGUMENTS.get(own, "").split()]
    close = similar[0] if similar else suggestion(name, known)
    return f"did you mean {close!r}?" if close else f"arguments: {', '.join(known) or 'none'}"
