"""What Mocha.jl, Caffe, Keras, PyTorch and scikit-learn call things, and what to write in mochac.

Error messages about unknown names look here: attributes of mochac, Net and Program, arguments, fields, operations and
command-line options.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.registry import did_you_mean, suggestion

_TRAIN = "mochac.compile(net).train(SGD(...), max_iter=...)"
_TEST = "mochac.compile(test_net, params=program.params).evaluate()"

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
        "eval": f'{_TEST}, or compile(net, mode="test")',
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


_DECAY = "regu_coef=... of Solver or train(); L2Regu(1), the usual regularizer, adds 2 * regu_coef * w to a gradient"
_RATE = {
    "lr_policy": "write {method}(0.01) or lr_policy=0.01",
    "gamma": "write gamma=0.01",
    "rho": "{method} has no learning rate",
}
_OF_TRAIN = {"": "give it to training: program.train({method}(...), max_iter=..., regu_coef=...)"}

METHOD_PARAMETERS: dict[str, dict[str, str]] = {
    **dict.fromkeys(("lr", "base_lr", "learning_rate", "learning_rate_init", "eta0", "alpha0"), _RATE),
    "momentum": {"beta1": "beta1 is the momentum of {method}"},
    "betas": {"beta1": "write beta1=0.9, beta2=0.999"},
    "alpha": {"rho": "did you mean 'rho'?"},
    "decay": {"rho": "did you mean 'rho'?", "": _DECAY},
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
    "validation_data": "solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)",
    "weight_decay": _DECAY,
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


OPERATIONS: dict[str, str] = {
    **dict.fromkeys(("matmul", "dot", "linear", "gemm", "mm"), "'inner_product': x, weight (out, in), perhaps a bias"),
    **dict.fromkeys(("sum", "reduce"), "'reduce_sum' with axes="),
    "mean": "'reduce_sum' with axes=, then ctx.scaled",
    **dict.fromkeys(("bmm", "tensordot", "batched_product", "contract"), "'einsum' with spec='bik,bkj->bij'"),
    **dict.fromkeys(("embedding", "take", "index_select", "lookup"), "'gather': table, ids"),
    **dict.fromkeys(("arange", "iota", "range"), "'position' with axis=, dtype= and shape="),
    "plus": "'add'",
    **dict.fromkeys(("multiply", "times", "prod"), "'mul'"),
    **dict.fromkeys(("subtract", "minus"), "'sub'"),
    **dict.fromkeys(("divide", "truediv"), "'div'"),
    **dict.fromkeys(("maximum", "minimum"), "'max' or 'min' of two values"),
    **dict.fromkeys(("clip", "clamp"), "'max' and 'min' with ctx.constant"),
    "where": "'select': condition, value if true, value if false",
    **dict.fromkeys(("concatenate", "cat", "stack"), "'concat' with axis="),
    **dict.fromkeys(("view", "flatten", "squeeze", "unsqueeze", "expand_dims"), "'reshape' with shape="),
    **dict.fromkeys(("transpose", "swapaxes", "moveaxis"), "'permute' with order="),
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


MOCHA: dict[str, str] = {
    "CPUBackend": 'mochac.compile(net, backend="cpu")',
    "GPUBackend": 'mochac.compile(net, backend="cuda")',
    "DefaultBackend": "mochac.compile(net)",
    "init": "mochac.compile(net), which also initializes the parameters",
    "shutdown": "program.close()",
    "destroy": "program.close()",
    "make_solver_parameters": "Solver(SGD(lr_policy=..., mom_policy=...), max_iter=..., regu_coef=...)",
    "SolverParameters": "Solver(SGD(lr_policy=..., mom_policy=...), max_iter=..., regu_coef=...)",
    "solve": "program.train(solver)",
    "init_solve": "solver.init_solve(program)",
    "onestep_solve": "solver.step()",
    "finalize_solve": "solver.finalize()",
    "setup_coffee_lounge": "solver.setup_coffee_lounge(save_into=...)",
    "add_coffee_break": "solver.add_coffee_break(...)",
    "load_snapshot": "program.load(path), or Solver(..., load_from=folder) to continue training",
    "load_network": "program.load(path)",
    "save_network": "program.save(path)",
    "forward": "program.forward()",
    "backward": "program.backward()",
    "forward_backward": "program.forward(), then program.backward()",
    "forward_epoch": "program.evaluate()",
    "get_epoch": "program.epoch()",
    "get_layer": "net.layer(name)",
    "get_layer_state": "program.blobs[...], program.params[...]",
    "freeze": "program.freeze(*layers)",
    "unfreeze": "program.unfreeze(*layers)",
    "freeze_all": "program.freeze_all()",
    "unfreeze_all": "program.unfreeze_all()",
    "is_frozen": 'program.is_frozen("conv1")',
    "reset_statistics": "program.reset_statistics()",
    "dump_statistics": "program.statistics()",
    "get_statistics": "lounge.statistics",
    "registry_reset": "a new store: mochac.Params()",
    "net2dot": "net.to_dot()",
    "test_gradients": "mochac.check_gradients(net)",
    "make_blob": "a NumPy array",
    "to_array": "a NumPy array: program.blobs[...]",
}
"""Mocha's functions that have another name here, for the message of `mochac.NAME`."""


def _per_axes(name: str) -> tuple[str, ...]:
    """PyTorch's and Keras's names of an operation on one, two and three axes."""
    return tuple(name.format(f"{axes}{letter}") for axes in (1, 2, 3) for letter in "dD")


_MODULES = "mochac has no submodules to import from: all names are in mochac itself, such as mochac.InnerProductLayer"
_CHAIN = "Net(name, [layers...]), or NetClassifier([layers...]) for layers one after the other"

NAMES: dict[str, str] = {
    **dict.fromkeys(("vmap", "pmap", "stack_module_state", "fit_many"), "train_many, which trains many nets at once"),
    **dict.fromkeys(
        ("Linear", "Dense", "FullyConnected", "FullyConnectedLayer", "FCLayer", "IPLayer"), "InnerProductLayer"
    ),
    **dict.fromkeys((*_per_axes("Conv{}"), "ConvLayer", "Conv2DLayer"), "ConvolutionLayer"),
    **dict.fromkeys(
        (*_per_axes("ConvTranspose{}"), *_per_axes("Conv{}Transpose"), "TransposedConvolutionLayer"),
        "DeconvolutionLayer",
    ),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), "ConvolutionLayer, with as many groups as channels"),
    **dict.fromkeys(
        (*_per_axes("MaxPool{}"), *_per_axes("MaxPooling{}"), "MaxPoolingLayer"),
        "PoolingLayer(pooling=Pooling.Max(), ...)",
    ),
    **dict.fromkeys(
        (*_per_axes("AvgPool{}"), *_per_axes("AveragePooling{}"), "AveragePoolingLayer"),
        "PoolingLayer(pooling=Pooling.Mean(), ...)",
    ),
    **dict.fromkeys(("LocalResponseNorm", "LocalResponseNormalizationLayer"), "LRNLayer"),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "BatchNormalization", "BatchNorm"), "BatchNormLayer"),
    **dict.fromkeys(("LayerNorm", "LayerNormalization", "layer_norm"), "LayerNormLayer"),
    **dict.fromkeys(("RMSNorm", "RMSNormalization", "rms_norm"), "RMSNormLayer"),
    **dict.fromkeys(("GroupNorm", "GroupNormalization", "group_norm"), "GroupNormLayer(groups=...)"),
    **dict.fromkeys(("Embedding", "EmbedLayer", "embedding"), "EmbeddingLayer(vocabulary=..., output_dim=...)"),
    **dict.fromkeys(("RNN", "SimpleRNN", "SimpleRNNLayer", "Elman"), "RNNLayer(output_dim=...)"),
    **dict.fromkeys(("LSTM", "LSTMCell"), "LSTMLayer(output_dim=...)"),
    **dict.fromkeys(("GRU", "GRUCell"), "GRULayer(output_dim=...)"),
    **dict.fromkeys(("Attention", "scaled_dot_product_attention", "DotProductAttention"), "AttentionLayer"),
    **dict.fromkeys(("MultiheadAttention", "MultiHeadAttention"), "MultiHeadAttentionLayer(heads=...)"),
    **dict.fromkeys(("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "instance_norm"), "InstanceNormLayer"),
    **dict.fromkeys(("ReLU", "relu", "ReLULayer"), "neuron=Neurons.ReLU() of a layer, or ActivationLayer"),
    **dict.fromkeys(("Sigmoid", "sigmoid", "SigmoidLayer"), "neuron=Neurons.Sigmoid() of a layer, or ActivationLayer"),
    **dict.fromkeys(("Tanh", "tanh", "TanHLayer", "TanhLayer"), "neuron=Neurons.Tanh() of a layer, or ActivationLayer"),
    **dict.fromkeys(("LeakyReLU", "leaky_relu"), "neuron=Neurons.LReLU(slope=...) of a layer, or ActivationLayer"),
    **dict.fromkeys(("SiLU", "silu", "Swish", "swish"), "neuron=Neurons.SiLU() of a layer, or ActivationLayer"),
    **dict.fromkeys(("Hardsigmoid", "hard_sigmoid"), "neuron=Neurons.HardSigmoid() of a layer, or ActivationLayer"),
    **dict.fromkeys(("Hardswish", "hard_swish"), "neuron=Neurons.HardSwish() of a layer, or ActivationLayer"),
    **{
        name: f"neuron=Neurons.{kind}() of a layer, or ActivationLayer"
        for kind in ("GELU", "ELU", "SELU", "Softplus", "Softsign", "Mish", "GLU")
        for name in (kind, kind.lower())
    },
    **dict.fromkeys(("PReLU", "prelu"), "PReLULayer"),
    **dict.fromkeys(("softmax", "Softmax"), "SoftmaxLayer; SoftmaxLossLayer contains one"),
    **dict.fromkeys(("CrossEntropyLoss", "cross_entropy", "SparseCategoricalCrossentropy"), "SoftmaxLossLayer"),
    **dict.fromkeys(("SoftmaxWithLoss", "SoftmaxWithLossLayer", "CategoricalCrossentropy"), "SoftmaxLossLayer"),
    **dict.fromkeys(("NLLLoss", "nll_loss"), "MultinomialLogisticLossLayer, of probabilities"),
    **dict.fromkeys(
        ("MSELoss", "mse_loss", "MeanSquaredError", "EuclideanLoss", "EuclideanLossLayer"), "SquareLossLayer"
    ),
    **dict.fromkeys(("BCELoss", "BinaryCrossentropy"), "BinaryCrossEntropyLossLayer, of probabilities"),
    **dict.fromkeys(("BCEWithLogitsLoss", "SigmoidCrossEntropyLoss"), "BinaryCrossEntropyLossLayer(logits=True, ...)"),
    **dict.fromkeys(("L1Loss", "l1_loss", "MeanAbsoluteError", "MAELoss"), "L1LossLayer"),
    **dict.fromkeys(("HuberLoss", "Huber", "huber_loss"), "HuberLossLayer"),
    **dict.fromkeys(("SmoothL1Loss", "smooth_l1_loss"), "HuberLossLayer(delta=beta, weight=1 / beta, ...)"),
    **dict.fromkeys(("FocalLoss", "CategoricalFocalCrossentropy"), "FocalLossLayer"),
    **dict.fromkeys(("ContrastiveLoss", "PairwiseLoss"), "ContrastiveLossLayer"),
    **dict.fromkeys(("TripletMarginLoss", "TripletLoss", "triplet_margin_loss"), "TripletLossLayer"),
    **dict.fromkeys(("CosineEmbeddingLoss", "CosineSimilarity", "cosine_embedding_loss"), "CosineLossLayer"),
    **dict.fromkeys(("Eltwise", "EltwiseLayer", "Add", "Multiply"), "ElementWiseLayer"),
    "Maximum": "ElementWiseLayer(operation=ElementWiseFunctors.Maximum(), ...)",
    **dict.fromkeys(("AdaptiveAvgPool2d", "GlobalAveragePooling2D", "GlobalAveragePooling1D"), "GlobalPoolingLayer"),
    **dict.fromkeys(("AdaptiveMaxPool2d", "GlobalMaxPooling2D"), "GlobalPoolingLayer(pooling=Pooling.Max(), ...)"),
    **dict.fromkeys(("Upsample", "UpSampling2D", "UpSamplingLayer", "interpolate"), "UpsampleLayer"),
    **dict.fromkeys(("Permute", "permute", "transpose"), "PermuteLayer"),
    **dict.fromkeys(("Slice", "chunk"), "SliceLayer"),
    **dict.fromkeys(("Tile", "RepeatLayer"), "TileLayer"),
    **dict.fromkeys(("Scale", "ScaleShiftLayer"), "ScaleLayer"),
    **dict.fromkeys(("Reduction", "SumLayer", "MeanLayer"), "ReductionLayer"),
    **dict.fromkeys(("amax", "MaxLayer"), "ReductionLayer(operation='max', ...)"),
    **dict.fromkeys(("einsum", "Einsum", "EinsumDense", "bmm", "Dot", "MatMulLayer"), "EinsumLayer(spec=...)"),
    **dict.fromkeys(("narrow", "Narrow"), "NarrowLayer(start=..., length=...)"),
    **dict.fromkeys(("where", "Where"), "FunctionLayer(function='select', ...)"),
    **dict.fromkeys(("Bias", "BiasAddLayer"), "BiasLayer"),
    **dict.fromkeys(("Concatenate", "cat", "concat"), "ConcatLayer"),
    **dict.fromkeys(
        ("DataLoader", "TensorDataset", "Dataset"),
        "PythonDataLayer(make=data_set, batch_size=...); for arrays, MemoryDataLayer(data=[X, y], batch_size=...)",
    ),
    **dict.fromkeys(
        ("ImageFolder", "ImageDataGenerator", "image_dataset_from_directory", "ImageDataLayer"),
        "ImageFolderLayer(folder=..., size=..., batch_size=...)",
    ),
    **dict.fromkeys(("transforms", "RandomHorizontalFlip", "RandomResizedCrop", "ColorJitter"), "Augment"),
    **dict.fromkeys(("Sequential", "Module"), _CHAIN),
    **dict.fromkeys(("MLPClassifier", "KerasClassifier", "NeuralNetClassifier"), "NetClassifier"),
    **dict.fromkeys(("MLPRegressor", "KerasRegressor", "NeuralNetRegressor"), "NetRegressor"),
    **dict.fromkeys(("nn", "optim", "functional", "layers", "models", "utils", "keras", "torch"), _MODULES),
    **dict.fromkeys(("tensor", "Tensor", "from_numpy", "array"), "a NumPy array"),
    **dict.fromkeys(
        ("no_grad", "inference_mode"), "not needed: program.predict(x) and program.evaluate() take no gradients"
    ),
    **dict.fromkeys(("manual_seed", "set_random_seed", "seed"), "mochac.compile(net, seed=...)"),
    **dict.fromkeys(("device", "cuda", "cpu", "set_mode_gpu", "set_device"), 'mochac.compile(net, backend="cuda")'),
    **dict.fromkeys(("train", "fit", "Trainer"), "mochac.compile(net).train(SGD(0.01), max_iter=...)"),
    "predict": "mochac.compile(net).predict(x)",
    "evaluate": "mochac.compile(net).evaluate()",
    **dict.fromkeys(("save", "dump_model"), "program.save(path)"),
    **dict.fromkeys(("load", "load_model"), "program.load(path)"),
    **dict.fromkeys(("AveragedModel", "ExponentialMovingAverage", "EMA"), "ParameterAverage(0.999)"),
    **dict.fromkeys(("ModelCheckpoint", "Checkpoint"), "Snapshot(folder)"),
    "SummaryWriter": "TensorBoard(logdir), a coffee break",
    **dict.fromkeys(("StepLR", "ExponentialLR", "lr_scheduler"), "a learning-rate policy: LRPolicy.Step, LRPolicy.Exp"),
    **dict.fromkeys(("CosineAnnealingLR", "CosineDecay"), "LRPolicy.Cosine(base, max_iter)"),
    "OneCycleLR": "LRPolicy.OneCycle(highest, max_iter)",
    **dict.fromkeys(("PolynomialLR", "PolynomialDecay"), "LRPolicy.Polynomial(base, power, max_iter)"),
    **dict.fromkeys(("LinearLR", "WarmupLR"), "LRPolicy.WarmUp(n_iter, policy)"),
    **dict.fromkeys(("SequentialLR", "ChainedScheduler"), "LRPolicy.Staged((n_iter, policy), ...)"),
    **dict.fromkeys(("SGDSolver", "get_solver"), "Solver(SGD(0.01), max_iter=...)"),
    "export": "program.save(path), or program.dump(directory) to see the code",
}
"""Names that other libraries have at their top: mochac's for the same."""

VALUES: dict[str, str] = {
    "leakyrelu": "lrelu",
    "swish": "silu",
    "prelu": "a layer of its own: PReLULayer",
    **dict.fromkeys(("linear", "none"), "identity"),
    "exp": "exponential",
    "logistic": "sigmoid",
    "softmax": "a layer of its own: SoftmaxLayer; SoftmaxLossLayer contains one",
    **dict.fromkeys(("avg", "average", "ave"), "mean"),
    "maximum": "max",
    **dict.fromkeys(("sum", "plus"), "add"),
    **dict.fromkeys(("prod", "product", "mul", "times"), "multiply"),
    **dict.fromkeys(("sub", "minus", "difference"), "subtract"),
    "div": "divide",
    **dict.fromkeys(("glorot", "xavieruniform"), "glorotuniform"),
    "xaviernormal": "glorotnormal",
    **dict.fromkeys(("he", "kaiming", "kaimingnormal", "msra"), "henormal"),
    "kaiminguniform": "heuniform",
    **dict.fromkeys(("zeros", "zero"), "zero"),
    **dict.fromkeys(("ones", "one"), "one"),
    **dict.fromkeys(("randomnormal", "truncatednormal"), "gaussian"),
    "randomuniform": "uniform",
    **dict.fromkeys(("ridge", "weightdecay"), "l2"),
    "lasso": "l1",
}
"""Words that stand for neurons, poolings, operations, initializers and regularizers elsewhere, letters only: mochac's,
or a text where there is none."""

FIELD_NAMES: dict[str, str] = {
    "axis": "dim channel_dim",
    "bottoms": "bottom input inputs",
    "tops": "top output outputs",
    "neuron": "activation nonlinearity",
    "output_dim": "units out_features num_output n_output",
    "n_filter": "filters n_filters out_channels num_output",
    "n_group": "group groups",
    "kernel": "kernel_size pool_size local_size",
    "stride": "strides",
    "pad": "padding",
    "dilation": "dilation_rate dilations",
    "make": "dataset generator loader",
    "workers": "num_workers n_workers",
    "augment": "transform transforms augmentations",
    "output_pad": "output_padding",
    "rounding": "round_mode",
    "pooling": "pool",
    "ratio": "rate p dropout_ratio",
    "axes": "axis dim dims",
    "coefficients": "coeff coeffs",
    "factor": "scale_factor size",
    "order": "dims perm permutation",
    "points": "slice_point slice_points",
    "shifted": "bias_term use_bias bias",
    "tiles": "repeats reps n",
    "weight_init": "weight_filler kernel_initializer",
    "filter_init": "weight_filler kernel_initializer weight_init",
    "bias": "use_bias bias_term has_bias",
    "bias_init": "bias_filler bias_initializer",
    "weight_regu": "kernel_regularizer",
    "filter_regu": "kernel_regularizer weight_regu",
    "lambda_": "lambda",
    "slope": "negative_slope alpha",
    "shared": "channel_shared",
    "sample_weights": "sample_weight",
    "label_smoothing": "smoothing",
    "legacy": "legacy_version",
}
"""Fields of layers, and what Mocha, Caffe, Keras and PyTorch call them where they use another word."""

_SHAPE = "the shape of the bottom determines it"

FIELDS: dict[str, str] = {
    **dict.fromkeys(("in_features", "in_channels", "input_dim", "n_input", "input_size", "num_input"), _SHAPE),
    "no_bias": "bias=False",
    **dict.fromkeys(("trainable", "requires_grad"), "program.freeze(name) keeps a layer's parameters as they are"),
    **dict.fromkeys(("dtype", "device", "backend"), "give it to compile: mochac.compile(net, dtype=..., backend=...)"),
    "input_shape": "the bottom determines it; the data layer, or InputLayer(shape=...), gives the input shape",
    "reduction": "a loss is the mean over the batch, times weight=",
    "ceil_mode": 'rounding="up" (ceil_mode=True, the default here) or rounding="down"',
    "count_include_pad": 'divisor="caffe" (True) or divisor="valid" (False)',
    "divisor_override": 'divisor="kernel" divides by the size of the kernel',
    "depth_multiplier": "n_filter = channels * depth_multiplier, n_group = channels",
    "training": "mochac.compile(net, mode=...) sets it",
    "seed": "mochac.compile(net, seed=...)",
    "loss_weight": "did you mean 'weight'?",
    "num_workers": "every data layer reads ahead in a thread of its own",
}
"""Fields of layers elsewhere that have no counterpart of their own: what to do instead."""

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

CALLED = {"Net": "mochac.compile(net).predict(x)", "Program": "program.predict(x)"}


def not_callable(owner: object) -> TypeError:
    """The error for a call of `owner` itself, as PyTorch and Keras have it.

    >>> class Program: ...
    >>> str(not_callable(Program()))
    "'Program' object is not callable; use program.predict(x)"
    """
    kind = type(owner).__name__
    return TypeError(f"{kind!r} object is not callable{instead(CALLED[kind])}")


def instead(text: str) -> str:
    """The tail of a message that says what to do, ready to be appended.

    >>> instead("program.predict(x)"), instead("not needed: every step does it")
    ('; use program.predict(x)', '; not needed: every step does it')
    """
    return f"; {text}" if text.startswith(("not ", "mochac has ")) else f"; use {text}"


def units(width: int, number: int, bottoms: str = "") -> str:
    """A hint for a layer given by its width.

    >>> units(64, 1)
    'write InnerProductLayer(name="ip1", output_dim=64, neuron=Neurons.ReLU()) for 64 units'
    """
    fields = f'name="ip{number}", output_dim={width}, neuron=Neurons.ReLU(){bottoms}'
    return f"write InnerProductLayer({fields}) for {width} units"


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
