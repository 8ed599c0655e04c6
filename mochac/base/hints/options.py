"""Options of compile(), of estimators and of commands, by other libraries' names."""

from __future__ import annotations

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
