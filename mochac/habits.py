"""Names that users of Keras, PyTorch, scikit-learn and Caffe try, and what mochac calls them.

Net and Program ask when an attribute is missing, methods, solvers and compile about an argument they do not have, the
package about a name. It knows no classes: callers pass themselves and what they have.
"""

from __future__ import annotations

from mochac.registry import did_you_mean

_TRAIN = "mochac.compile(net).train(SGD(...), max_iter=...)"
_TEST = "mochac.compile(test_net, params=program.params).evaluate()"

HERE: dict[str, dict[str, str]] = {
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
        "add": "Net(name, [layers...]): a net is complete when it is made",
    },
    "Program": {
        "fit": "program.train(SGD(...), max_iter=...)",
        "solve": "program.train(SGD(...), max_iter=...)",
        "step": "program.train(SGD(...), max_iter=1); for a loop of one's own: Solver.init_solve",
        "test": _TEST,
        "score": _TEST,
        "eval": f'{_TEST}, or compile(net, mode="test")',
        "predict_proba": "program.predict(x)",
        "transform": "program.predict(x, blob=...)",
        "weights": "program.params[layer][name]",
        "get_weights": "program.params[layer][name]",
        "set_weights": "program.params[layer][name][...] = array",
        "parameters": "program.params[layer][name]",
        "state_dict": "program.params, or program.save(path)",
        "load_state_dict": "program.load(path)",
        "save_weights": "program.save(path)",
        "load_weights": "program.load(path)",
        "copy_from": "program.load(path)",
        "diffs": "program.blob_diffs and program.grads",
        "gradients": "program.grads",
        "summary": "program.explain()",
    },
}


_DECAY = "regu_coef=... of Solver or train(); L2Regu(1), the usual regularizer, adds 2 * regu_coef * w to a gradient"
_RATE = {
    "lr_policy": "write {method}(0.01) or lr_policy=0.01",
    "gamma": "write gamma=0.01",
    "rho": "{method} has no learning rate",
}
_OF_TRAIN = {"": "it belongs to the training: program.train({method}(...), max_iter=..., regu_coef=...)"}

METHOD_PARAMETERS: dict[str, dict[str, str]] = {
    **dict.fromkeys(("lr", "base_lr", "learning_rate", "learning_rate_init", "eta0", "alpha0"), _RATE),
    "momentum": {"beta1": "beta1 is the momentum of {method}"},
    "betas": {"beta1": "write beta1=0.9, beta2=0.999"},
    "alpha": {"rho": "did you mean 'rho'?"},
    "decay": {"rho": "did you mean 'rho'?", "": _DECAY},
    "weight_decay": {"": _DECAY},
    "nesterov": {"mom_policy": "write Nesterov(...)"},
    "params": {"": "a method takes no parameters of a net: program.train({method}(...)) hands them over"},
    "parameters": {"": "a method takes no parameters of a net: program.train({method}(...)) hands them over"},
    **dict.fromkeys(("max_iter", "max_epoch", "regu_coef", "epochs", "load_from"), _OF_TRAIN),
}
"""Parameters of methods elsewhere: what to write, by a field that the method must have for it ("": none)."""

SOLVER_PARAMETERS: dict[str, str] = {
    **dict.fromkeys(("epochs", "n_epochs", "num_epochs", "max_epochs", "nb_epoch"), "write max_epoch=..."),
    **dict.fromkeys(("iterations", "n_iter", "num_iter", "max_iters", "max_steps", "steps"), "write max_iter=..."),
    "batch_size": "the data layer has it: MemoryDataLayer(data=[X, y], batch_size=...)",
    "shuffle": "the data layer has it: MemoryDataLayer(data=[X, y], shuffle=True, ...)",
    "callbacks": "solver.add_coffee_break(..., every_n_iter=...)",
    "validation_data": "solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)",
    "weight_decay": _DECAY,
    "clipnorm": "write clip_norm=...",
    "gradient_clip_val": "write clip_norm=...",
    "scheduler": "the method has it, such as SGD(LRPolicy.Inv(0.01, 0.0001, 0.75))",
    "lr_scheduler": "the method has it, such as SGD(LRPolicy.Inv(0.01, 0.0001, 0.75))",
    "optimizer": "the method comes first: train(SGD(0.01), max_iter=...)",
    "loss": "a layer of the net, such as SoftmaxLossLayer",
    "seed": "mochac.compile(net, seed=...)",
    "random_state": "mochac.compile(net, seed=...)",
    "device": 'mochac.compile(net, backend="cuda")',
    "snapshot": "solver.add_coffee_break(Snapshot(folder), every_n_iter=...)",
    "display": "solver.add_coffee_break(TrainingSummary(), every_n_iter=...)",
    "test_interval": "solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)",
}
"""Parameters of trainings elsewhere: what to write."""


OPERATIONS: dict[str, str] = {
    **dict.fromkeys(("matmul", "dot", "linear", "gemm", "mm"), "'inner_product': x, weight (out, in), perhaps a bias"),
    **dict.fromkeys(("sum", "reduce"), "'reduce_sum' with axes="),
    "mean": "'reduce_sum' with axes=, then ctx.scaled",
    "plus": "'add'",
    **dict.fromkeys(("multiply", "times", "prod"), "'mul'"),
    **dict.fromkeys(("subtract", "minus"), "'sub'"),
    **dict.fromkeys(("divide", "truediv"), "'div'"),
    **dict.fromkeys(("maximum", "minimum"), "'max' or 'min' of two values"),
    **dict.fromkeys(("clip", "clamp"), "'max' and 'min' with ctx.constant"),
    "where": "'select': condition, value if true, value if false",
    **dict.fromkeys(("concatenate", "cat", "stack"), "'concat' with axis="),
    **dict.fromkeys(("view", "flatten", "squeeze", "unsqueeze", "expand_dims"), "'reshape' with shape="),
    **dict.fromkeys(("expand", "broadcast_to", "repeat", "tile"), "'broadcast' with shape=, axes= and batch="),
    **dict.fromkeys(("conv", "convolution"), "'conv2d' with stride= and pad="),
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


def missing(owner: object, name: str) -> AttributeError:
    """The error for an attribute that `owner` lacks, with mochac's name where another framework's was asked for.

    >>> class Program: ...
    >>> str(missing(Program(), "fit"))
    "'Program' object has no attribute 'fit'; here it is program.train(SGD(...), max_iter=...)"
    """
    kind = type(owner).__name__
    here = HERE.get(kind, {}).get(name)
    tail = f"; here it is {here}" if here else ""
    if not tail and not name.startswith("_"):
        tail = did_you_mean(name, [n for n in dir(owner) if not n.startswith("_")])
    return AttributeError(f"{kind!r} object has no attribute {name!r}{tail}", name=name, obj=owner)
