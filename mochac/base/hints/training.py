"""Arguments of methods, of Solver and train(), and of coffee breaks, by other libraries' names."""

from __future__ import annotations

from collections.abc import Sequence

from mochac.base.registry import suggestion

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
"""Arguments of coffee breaks, and what callbacks elsewhere call them."""

_INTERVALS = ("every_n_iter", "every_n_epoch", "period", "save_freq", "every_n_epochs")


def break_hint(name: str, known: Sequence[str]) -> str:
    """The hint for an argument that a coffee break does not have.

    >>> break_hint("keep", ["folder", "keep_last"]), break_hint("every_n_iter", ["folder"])
    ("did you mean 'keep_last'?", 'it belongs to solver.add_coffee_break(..., every_n_iter=...)')
    """
    if name in _INTERVALS:
        interval = name if name.startswith("every_n_iter") else "every_n_epoch"
        return f"it belongs to solver.add_coffee_break(..., {interval}=...)"
    meant = [own for own in known if name in BREAK_ARGUMENTS.get(own, "").split()]
    close = meant[0] if meant else suggestion(name, known)
    return f"did you mean {close!r}?" if close else f"arguments: {', '.join(known) or 'none'}"
