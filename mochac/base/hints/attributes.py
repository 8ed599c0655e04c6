"""What users of other libraries ask of a Net or Program: methods and attributes, and calls of them."""

from __future__ import annotations

from mochac.base.hints.wording import instead
from mochac.base.registry import did_you_mean

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
