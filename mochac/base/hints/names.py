"""Names of other libraries' layers, fields and values, and what mochac calls them."""

from __future__ import annotations

from mochac.base.errors import shown


def instead(text: str) -> str:
    """The tail of a message that says what to do, ready to be appended.

    >>> instead("program.predict(x)"), instead("not needed: every step does it")
    ('; use program.predict(x)', '; not needed: every step does it')
    """
    return f"; {text}" if text.startswith(("not ", "mochac has ")) else f"; use {text}"


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
"""mochac's names of functions that Mocha calls otherwise, for the message of `mochac.NAME`."""


def _per_axes(name: str) -> tuple[str, ...]:
    """PyTorch's and Keras's names of an operation on one, two and three axes."""
    return tuple(name.format(f"{axes}{letter}") for axes in (1, 2, 3) for letter in "dD")


_MODULES = "mochac has no submodules to import from: all names are in mochac itself, such as mochac.InnerProductLayer"

_OWN_LOSS = "a loss of your own, a few lines of NumPy: docs/guide/own-layers.md, A loss"
_OWN_POLICY = "an object with a method value(t) as the learning rate: docs/guide/solvers.md, Policies"
_OWN_AUGMENTATION = "an augmentation of your own: docs/guide/images.md, Folders of images"

_OF_TEXT = "a tokenizer of your own or scikit-learn's: docs/guide/recipes.md, A text classifier"
_OF_TABLES = "scikit-learn's, in a pipeline: docs/guide/recipes.md, A dirty table"

_CHAIN = "Net(name, [layers...]), or NetClassifier([layers...]) for layers one after the other"

NAMES: dict[str, str] = {
    **dict.fromkeys(("vmap", "pmap", "stack_module_state", "fit_many"), "train_many, which trains many nets at once"),
    **dict.fromkeys(("Linear", "Dense", "FullyConnected", "FC", "IP"), "InnerProductLayer"),
    **dict.fromkeys((*_per_axes("Conv{}"), "Conv"), "ConvolutionLayer"),
    **dict.fromkeys(
        (*_per_axes("ConvTranspose{}"), *_per_axes("Conv{}Transpose"), "TransposedConvolution"),
        "DeconvolutionLayer",
    ),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), "ConvolutionLayer, with as many groups as channels"),
    **dict.fromkeys(
        (*_per_axes("MaxPool{}"), *_per_axes("MaxPooling{}"), "MaxPool", "MaxPooling"),
        "PoolingLayer(pooling=Pooling.Max(), ...)",
    ),
    **dict.fromkeys(
        (*_per_axes("AvgPool{}"), *_per_axes("AveragePooling{}"), "AvgPool", "AveragePooling"),
        "PoolingLayer(pooling=Pooling.Mean(), ...)",
    ),
    **dict.fromkeys(("LocalResponseNorm", "LocalResponseNormalization"), "LRNLayer"),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "BatchNormalization", "BatchNorm"), "BatchNormLayer"),
    **dict.fromkeys(("LayerNorm", "LayerNormalization", "layer_norm"), "LayerNormLayer"),
    **dict.fromkeys(("RMSNorm", "RMSNormalization", "rms_norm"), "RMSNormLayer"),
    **dict.fromkeys(("Dropout", "dropout"), "DropoutLayer(ratio=...)"),
    **dict.fromkeys(("AlphaDropout", "alpha_dropout"), "DropoutLayer(ratio=..., alpha=True)"),
    **dict.fromkeys(
        (*_per_axes("Dropout{}"), *_per_axes("SpatialDropout{}")),
        "DropoutLayer(shared_axes=(2, 3), ...), the axes behind the channels",
    ),
    **dict.fromkeys(
        ("DropPath", "StochasticDepth", "stochastic_depth", "drop_path"),
        "DropoutLayer(shared_axes=(1, 2, 3), ...), all axes of a sample, at the end of the branch",
    ),
    **dict.fromkeys(("GroupNorm", "GroupNormalization", "group_norm"), "GroupNormLayer(groups=...)"),
    **dict.fromkeys(("Embedding", "Embed", "embedding"), "EmbeddingLayer(vocabulary=..., output_dim=...)"),
    **dict.fromkeys(("RNN", "SimpleRNN", "Elman"), "RNNLayer(output_dim=...)"),
    **dict.fromkeys(("LSTM", "LSTMCell"), "LSTMLayer(output_dim=...)"),
    **dict.fromkeys(("GRU", "GRUCell"), "GRULayer(output_dim=...)"),
    **dict.fromkeys(("Attention", "scaled_dot_product_attention", "DotProductAttention"), "AttentionLayer"),
    **dict.fromkeys(("MultiheadAttention", "MultiHeadAttention"), "MultiHeadAttentionLayer(heads=...)"),
    **dict.fromkeys(
        ("GroupedQueryAttention", "GroupQueryAttention", "MultiQueryAttention"),
        "MultiHeadAttentionLayer(heads=..., kv_heads=...)",
    ),
    **dict.fromkeys(
        ("RotaryEmbedding", "RotaryPositionalEmbeddings", "LlamaRotaryEmbedding", "RoPE", "RotaryPosition"),
        "rotary=Rotary() of attention layers",
    ),
    **dict.fromkeys(("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "instance_norm"), "InstanceNormLayer"),
    **dict.fromkeys(("ReLU", "relu"), "neuron=Neurons.ReLU() of a layer, or ActivationLayer"),
    **dict.fromkeys(("Sigmoid", "sigmoid"), "neuron=Neurons.Sigmoid() of a layer, or ActivationLayer"),
    **dict.fromkeys(("Tanh", "tanh", "TanH"), "neuron=Neurons.Tanh() of a layer, or ActivationLayer"),
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
    **dict.fromkeys(
        ("SoftmaxWithLoss", "SoftmaxCrossEntropy", "SoftmaxCrossEntropyLoss", "CategoricalCrossentropy"),
        "SoftmaxLossLayer",
    ),
    **dict.fromkeys(("NLLLoss", "nll_loss"), "MultinomialLogisticLossLayer, of probabilities"),
    **dict.fromkeys(("MSELoss", "mse_loss", "MeanSquaredError", "EuclideanLoss"), "SquareLossLayer"),
    **dict.fromkeys(("BCELoss", "BinaryCrossentropy"), "BinaryCrossEntropyLossLayer, of probabilities"),
    **dict.fromkeys(("BCEWithLogitsLoss", "SigmoidCrossEntropyLoss"), "BinaryCrossEntropyLossLayer(logits=True, ...)"),
    **dict.fromkeys(("L1Loss", "l1_loss", "MeanAbsoluteError", "MAELoss"), "L1LossLayer"),
    **dict.fromkeys(("HuberLoss", "Huber", "huber_loss"), "HuberLossLayer"),
    **dict.fromkeys(("SmoothL1Loss", "smooth_l1_loss"), "HuberLossLayer(delta=beta, weight=1 / beta, ...)"),
    **dict.fromkeys(("PoissonNLLLoss", "Poisson", "poisson_nll_loss"), "PoissonLossLayer"),
    **dict.fromkeys(("QuantileLoss", "PinballLoss", "QuantileRegressor"), "QuantileLossLayer(quantile=...)"),
    **dict.fromkeys(("FocalLoss", "CategoricalFocalCrossentropy"), "FocalLossLayer"),
    **dict.fromkeys(("ContrastiveLoss", "PairwiseLoss"), "ContrastiveLossLayer"),
    **dict.fromkeys(
        ("InfoNCE", "InfoNCELoss", "NTXentLoss", "NTXent", "CLIPLoss", "SupConLoss", "SupervisedContrastiveLoss"),
        "InfoNCELossLayer",
    ),
    **dict.fromkeys(
        (
            *("custom_gradient", "custom_vjp", "custom_jvp", "RegisterGradient", "GradientReversal", "grad_reverse"),
            *("GradReverse", "GradientReverse", "CustomGradient", "StraightThrough", "STE", "autograd", "Function"),
        ),
        "mochac.nets.layers.custom_gradient(forward, backward), in the emit of a layer of your own",
    ),
    **dict.fromkeys(("stop_gradient", "detach", "no_grad", "StopGrad"), "StopGradientLayer"),
    **dict.fromkeys(
        ("BarlowTwins", "BarlowTwinsLoss", "VICReg", "VICRegLoss", "MMD", "MMDLoss"),
        "a loss of your own: docs/guide/losses.md, Losses across samples",
    ),
    **dict.fromkeys(
        ("param_groups", "ParamGroup", "ParameterGroup", "MultiOptimizer", "multi_transform"),
        'a dict of methods by patterns, Solver({"head*": AdamW(0.001), "*": SGD(0.01)}): docs/guide/solvers.md',
    ),
    **dict.fromkeys(
        ("class_weight", "sample_weight"),
        "class_weight= and fit(..., sample_weight=) of NetClassifier; weights= and sample_weights= of losses",
    ),
    **dict.fromkeys(("TripletMarginLoss", "TripletLoss", "triplet_margin_loss"), "TripletLossLayer"),
    **dict.fromkeys(
        ("KLDivLoss", "KLDivergence", "kl_div"),
        "SoftlabelSoftmaxLossLayer, of scores and probabilities, which has the same gradient",
    ),
    **dict.fromkeys(
        ("GaussianNLLLoss", "MarginRankingLoss", "DiceLoss", "Dice"),
        _OWN_LOSS,
    ),
    **dict.fromkeys(("TopKAccuracy", "TopKCategoricalAccuracy"), "AccuracyLayer(top_k=...)"),
    **dict.fromkeys(("Accuracy", "SparseCategoricalAccuracy", "CategoricalAccuracy"), "AccuracyLayer"),
    **dict.fromkeys(
        ("Precision", "Recall", "F1", "F1Score", "AUC", "AUROC", "ConfusionMatrix", "confusion_matrix"),
        "sklearn.metrics, with program.predict(x)",
    ),
    **dict.fromkeys(("CosineEmbeddingLoss", "CosineSimilarity", "cosine_embedding_loss"), "CosineLossLayer"),
    **dict.fromkeys(("Eltwise", "Add", "Multiply"), "ElementWiseLayer"),
    **dict.fromkeys(
        ("HeNormal", "KaimingNormal", "kaiming_normal_", "HeInitializer", "KaimingInitializer", "MSRAInitializer"),
        "HeNormalInitializer",
    ),
    **dict.fromkeys(("GlorotUniform", "XavierUniform", "xavier_uniform_"), "GlorotUniformInitializer"),
    **dict.fromkeys(("TruncatedNormal", "RandomNormal", "trunc_normal_"), "GaussianInitializer(std=...)"),
    "Maximum": "ElementWiseLayer(operation=ElementWiseFunctors.Maximum(), ...)",
    **dict.fromkeys(("AdaptiveAvgPool2d", "GlobalAveragePooling2D", "GlobalAveragePooling1D"), "GlobalPoolingLayer"),
    **dict.fromkeys(("AdaptiveMaxPool2d", "GlobalMaxPooling2D"), "GlobalPoolingLayer(pooling=Pooling.Max(), ...)"),
    **dict.fromkeys(("Upsample", "UpSampling2D", "UpSampling", "interpolate", "Resize", "Resizing"), "UpsampleLayer"),
    **dict.fromkeys(("Permute", "permute", "transpose"), "PermuteLayer"),
    **dict.fromkeys(("Slice", "chunk"), "SliceLayer"),
    **dict.fromkeys(("Tile", "Repeat"), "TileLayer"),
    **dict.fromkeys(("Scale", "ScaleShift"), "ScaleLayer"),
    "LayerScale": "ScaleLayer(scale_init=ConstantInitializer(1e-6), ...)",
    **dict.fromkeys((*_per_axes("ZeroPadding{}"), *_per_axes("ConstantPad{}"), *_per_axes("ZeroPad{}")), "PadLayer"),
    **dict.fromkeys(
        _per_axes("SeparableConv{}"),
        "ConvolutionLayer, with as many groups as channels, and another one with kernel=1",
    ),
    "PixelShuffle": "ReshapeLayer, PermuteLayer and ReshapeLayer",
    "SwiGLU": "ElementWiseLayer(operation=ElementWiseFunctors.Multiply(), ...) of two InnerProductLayers, one of them "
    "with neuron=Neurons.SiLU()",
    "GaussianNoise": "RandomNormalLayer, and ElementWiseLayer to add it",
    **dict.fromkeys(("Reduction", "Sum", "Mean"), "ReductionLayer"),
    **dict.fromkeys(("amax", "Max"), "ReductionLayer(operation='max', ...)"),
    **dict.fromkeys(("einsum", "Einsum", "EinsumDense", "bmm", "Dot", "MatMul"), "EinsumLayer(spec=...)"),
    **dict.fromkeys(("narrow", "Narrow"), "NarrowLayer(start=..., length=...)"),
    **dict.fromkeys(("flip", "Flip", "Reverse"), "NarrowLayer(start=n - 1, length=n, step=-1), of n elements"),
    **dict.fromkeys(("where", "Where"), "FunctionLayer(function='select', ...)"),
    **dict.fromkeys(("Bias", "BiasAdd"), "BiasLayer"),
    **dict.fromkeys(("Concatenate", "cat", "concat"), "ConcatLayer"),
    **dict.fromkeys(
        ("DataLoader", "TensorDataset", "Dataset"),
        "PythonDataLayer(make=data_set, batch_size=...); for arrays, MemoryDataLayer(data=[X, y], batch_size=...)",
    ),
    **dict.fromkeys(
        ("ImageFolder", "ImageDataGenerator", "image_dataset_from_directory", "ImageData"),
        "ImageFolderLayer(folder=..., size=..., batch_size=...)",
    ),
    **dict.fromkeys(("LMDB", "Data", "ImageRecordIter"), "LMDBDataLayer(source=...), for Caffe's databases"),
    **dict.fromkeys(("Tokenizer", "TextVectorization", "TfidfVectorizer", "CountVectorizer", "vocab"), _OF_TEXT),
    **dict.fromkeys(("StandardScaler", "SimpleImputer", "OneHotEncoder", "ColumnTransformer"), _OF_TABLES),
    **dict.fromkeys(("transforms", "RandomHorizontalFlip", "RandomResizedCrop", "ColorJitter"), "Augment"),
    **dict.fromkeys(("Normalize", "Normalization", "ToTensor", "Rescaling"), "DataTransformers, for transformers="),
    **dict.fromkeys(("RandomRotation", "RandomAffine", "RandomErasing", "RandAugment"), _OWN_AUGMENTATION),
    **dict.fromkeys(("RandomCrop", "CenterCrop"), "CropLayer, or Augment.RandomCrop(pad=...) of an ImageFolderLayer"),
    **dict.fromkeys(("Sequential", "Module"), _CHAIN),
    **dict.fromkeys(("MLPClassifier", "KerasClassifier", "NeuralNetClassifier"), "NetClassifier"),
    **dict.fromkeys(("MLPRegressor", "KerasRegressor", "NeuralNetRegressor"), "NetRegressor"),
    **dict.fromkeys(("nn", "optim", "functional", "layers", "models", "utils", "keras", "torch"), _MODULES),
    **dict.fromkeys(("tensor", "Tensor", "from_numpy", "array"), "a NumPy array"),
    **dict.fromkeys(
        ("no_grad", "inference_mode"), "not needed: program.predict(x) and program.evaluate() take no gradients"
    ),
    **dict.fromkeys(("manual_seed", "set_random_seed", "set_seed", "seed"), "mochac.compile(net, seed=...)"),
    **dict.fromkeys(("device", "cuda", "cpu", "set_mode_gpu", "set_device"), 'mochac.compile(net, backend="cuda")'),
    **dict.fromkeys(("train", "fit", "Trainer"), "mochac.compile(net).train(SGD(0.01), max_iter=...)"),
    "predict": "mochac.compile(net).predict(x)",
    "evaluate": "mochac.compile(net).evaluate()",
    **dict.fromkeys(("save", "save_model", "dump_model"), "program.save(path)"),
    **dict.fromkeys(("from_onnx", "load_onnx", "import_onnx"), "mochac.onnx.load(path)"),
    **dict.fromkeys(("to_onnx", "save_onnx", "export_onnx"), "mochac.onnx.save(program, path)"),
    **dict.fromkeys(("from_caffe", "load_caffe", "from_prototxt"), "mochac.caffe.load_net(path): docs/guide/caffe.md"),
    "from_keras": "mochac.from_torch, which takes models of Keras with the torch backend: docs/guide/from-pytorch.md",
    **dict.fromkeys(
        ("quantize", "export_c"),
        "mochac.build(net, directory, quantize=...), which writes a C library: docs/guide/c-library.md",
    ),
    **dict.fromkeys(("load", "load_model"), "program.load(path)"),
    **dict.fromkeys(("AveragedModel", "ExponentialMovingAverage", "EMA"), "ParameterAverage(0.999)"),
    **dict.fromkeys(("ModelCheckpoint", "Checkpoint"), "Snapshot(folder)"),
    **dict.fromkeys(
        ("Callback", "LambdaCallback"), "an object with enjoy(lounge, program, state): docs/guide/training.md"
    ),
    **dict.fromkeys(("set_num_threads", "num_threads"), "mochac.compile(net, threads=...)"),
    **dict.fromkeys(("summary", "model_summary"), "print(net), or program.explain()"),
    "CSVLogger": "solver.setup_coffee_lounge(save_into=...)",
    "SummaryWriter": "TensorBoard(logdir), a coffee break",
    "ReduceLROnPlateau": "LRPolicy.DecayOnValidation(base_lr, key), a learning-rate policy",
    "Bidirectional": "bidirectional=True of an LSTMLayer, GRULayer or RNNLayer",
    "TimeDistributed": "InnerProductLayer(axis=-1, ...), one linear map for all positions",
    **dict.fromkeys(
        ("Masking", "pack_padded_sequence", "pad_packed_sequence", "pack_sequence", "pad_sequence"),
        "sequences that are padded to one length, and lengths= of recurrent layers or mask= of attention",
    ),
    **dict.fromkeys(
        ("PositionalEncoding", "PositionalEmbedding", "PositionEmbedding"),
        "BiasLayer(num_axes=2, ...), a learnt table of positions",
    ),
    "clip_grad_norm_": "program.train(SGD(...), clip_norm=...)",
    "clip_grad_value_": "program.train(SGD(...), clip_value=...)",
    **dict.fromkeys(
        (*(f"Transformer{part}{end}" for part in ("Encoder", "Decoder") for end in ("", "Layer")), "Transformer"),
        "MultiHeadAttentionLayer, LayerNormLayer, ElementWiseLayer and InnerProductLayer(axis=-1, ...), "
        "as in docs/guide/sequences.md",
    ),
    **dict.fromkeys(("StepLR", "ExponentialLR", "lr_scheduler"), "a learning-rate policy: LRPolicy.Step, LRPolicy.Exp"),
    **dict.fromkeys(("CosineAnnealingLR", "CosineDecay"), "LRPolicy.Cosine(base, max_iter)"),
    "OneCycleLR": "LRPolicy.OneCycle(highest, max_iter)",
    **dict.fromkeys(("PolynomialLR", "PolynomialDecay"), "LRPolicy.Polynomial(base, power, max_iter)"),
    "LinearLR": "LRPolicy.Linear(first, last, n_iter)",
    "WarmupLR": "LRPolicy.WarmUp(n_iter, policy)",
    **dict.fromkeys(("MultiStepLR", "PiecewiseConstantDecay"), "LRPolicy.Staged((n_iter, lr), ...)"),
    **dict.fromkeys(
        ("LambdaLR", "LearningRateScheduler", "CyclicLR", "CosineAnnealingWarmRestarts", "CosineDecayRestarts"),
        _OWN_POLICY,
    ),
    "SequentialLR": "LRPolicy.Sequence((n_iter, policy), ...)",
    "ChainedScheduler": "LRPolicy.Staged((n_iter, policy), ...)",
    **dict.fromkeys(("SGDSolver", "get_solver"), "Solver(SGD(0.01), max_iter=...)"),
    "export": "program.save(path), or program.dump(directory) to see the code",
}
"""mochac's names, by those at the top level of other libraries."""


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
"""mochac's names, or a text, by other libraries' words for neurons, poolings, operations, initializers and
regularizers; letters only."""

FIELD_NAMES: dict[str, str] = {
    "axis": "dim channel_dim",
    "bottoms": "bottom input inputs",
    "tops": "top output outputs",
    "neuron": "activation nonlinearity",
    "output_dim": "embedding_dim units out_features num_output n_output hidden_size hidden_dim num_units n_units",
    "vocabulary": "num_embeddings vocab_size input_dim",
    "affine": "elementwise_affine",
    "scale": "weight gamma use_gamma use_scale",
    "shift": "bias beta center use_beta use_bias",
    "padding_id": "padding_idx",
    "mask": "key_padding_mask attn_mask attention_mask",
    "score_bias": "attn_bias attention_bias relative_position_bias",
    "causal": "is_causal use_causal_mask",
    "heads": "num_heads n_heads nhead num_attention_heads n_head",
    "kv_heads": "num_kv_heads num_key_value_heads n_kv_heads kv_num_heads num_query_groups",
    "window": "sliding_window window_size attention_window",
    "past": "past_key_value past_key_values kv_cache cache",
    "rotary": "rope rotary_emb pos_embeddings",
    "base": "theta rope_theta rope_base",
    "interleaved": "rope_interleaved traditional",
    "n_layers": "num_layers",
    "lengths": "mask seq_len seq_lens sequence_length sequence_lengths",
    "continues": "cont reset resets reset_states",
    "initial": "initial_state hx h0",
    "reverse": "go_backwards",
    "n_filter": "filters n_filters out_channels num_output",
    "n_group": "group groups",
    "kernel": "kernel_size pool_size local_size",
    "stride": "strides",
    "pad": "padding",
    "before": "pad padding",
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
    "weights": "class_weight class_weights alpha",
    "logits": "from_logits",
    "slope_init": "alpha_initializer",
    "scale_init": "gamma_initializer",
    "shift_init": "beta_initializer",
    "mean_init": "moving_mean_initializer",
    "variance_init": "moving_variance_initializer",
    "weight_regu": "kernel_regularizer",
    "filter_regu": "kernel_regularizer weight_regu",
    "lambda_": "lambda",
    "slope": "negative_slope alpha",
    "shared": "channel_shared",
    "sample_weights": "sample_weight",
    "label_smoothing": "smoothing",
    "legacy": "legacy_version",
    "frozen_statistics": "use_global_stats use_running_average",
}
"""Fields of layers, by the names that Mocha, Caffe, Keras and PyTorch have for them."""

_SHAPE = "the shape of the bottom determines it"

FIELDS: dict[str, str] = {
    **dict.fromkeys(("in_features", "in_channels", "input_dim", "n_input", "input_size", "num_input"), _SHAPE),
    **dict.fromkeys(("num_features", "num_channels", "embed_dim", "key_dim"), _SHAPE),
    "normalized_shape": "axes=... names the axes, and the bottom determines their extents",
    "track_running_stats": "running statistics are always kept; momentum=0 leaves them as they start",
    "no_bias": "bias=False",
    **dict.fromkeys(("trainable", "requires_grad"), "program.freeze(name) keeps a layer's parameters as they are"),
    **dict.fromkeys(("dtype", "device", "backend"), "give it to compile: mochac.compile(net, dtype=..., backend=...)"),
    "input_shape": "the bottom determines it; the data layer, or InputLayer(shape=...), gives the input shape",
    "reduction": "a loss is the mean over the batch, times weight=",
    "ceil_mode": 'rounding="up" (ceil_mode=True, the default here) or rounding="down"',
    "count_include_pad": 'divisor="caffe" (True) or divisor="valid" (False)',
    "divisor_override": 'divisor="kernel" divides by the size of the kernel',
    "depth_multiplier": "n_filter = channels * depth_multiplier, n_group = channels",
    "training": "the program sets it: train() and step() train, evaluate() and predict() are in test mode",
    "from_logits": "SoftmaxLossLayer is of scores (logits), MultinomialLogisticLossLayer of probabilities",
    **dict.fromkeys(("enable_gqa", "num_queries_per_kv"), "kv_heads=... is the number of heads of keys and values"),
    "seed": "mochac.compile(net, seed=...)",
    "loss_weight": "did you mean 'weight'?",
    "return_sequences": "last=False (True, the default here) or last=True (False)",
    "return_state": 'more tops are the last states: tops=["y", "h"], of an LSTM ["y", "h", "c"]',
    "batch_first": "axis 0 is always the batch, and axis 1 time",
    **dict.fromkeys(("mask_zero", "masking"), 'lengths="n" names a blob of how many steps of each sample count'),
    **dict.fromkeys(
        ("activation", "nonlinearity", "recurrent_activation"),
        "an ActivationLayer behind it; inside, LSTMLayer and GRULayer have sigmoid and tanh",
    ),
    "recurrent_dropout": "dropout= drops what goes from one layer to the next",
    "num_workers": "every data layer reads ahead in a thread of its own",
}
"""What to do instead of using other libraries' fields without a counterpart."""

DIFFERENT_LENGTHS = "pad the sequences to one length, and give theirs as a blob: lengths= or mask= of layers"
"""Hint for sequences of different lengths."""


def units(width: int, number: int, bottoms: str = "") -> str:
    """A hint for a layer given by its width.

    >>> units(64, 1)
    'write InnerProductLayer(name="ip1", output_dim=64, neuron=Neurons.ReLU()) for 64 units'
    """
    fields = f'name="ip{number}", output_dim={shown(width)}, neuron=Neurons.ReLU(){bottoms}'
    return f"write InnerProductLayer({fields}) for {shown(width)} units"
