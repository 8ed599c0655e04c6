"""Names that users of Keras, PyTorch, scikit-learn and Caffe try on a Net or a Program, and what mochac calls them.

Net and Program ask when an attribute is missing. It knows no classes: callers pass themselves and what they have.
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
