"""Fields of layers and their values, by other libraries' names; and widths in place of layers."""

from __future__ import annotations

from mochac.base.errors import shown

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
"""Fields of layers, and what Mocha, Caffe, Keras and PyTorch call them where they use another word."""

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
    "align_corners": 'mode="bilinear" aligns the centres of cells, as align_corners=False',
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
    "recurrent_dropout": "dropout= drops what goes from one layer to the next",
    "num_workers": "every data layer reads ahead in a thread of its own",
}
"""Fields of layers elsewhere that have no counterpart of their own: what to do instead."""

DIFFERENT_LENGTHS = "pad the sequences to one length, and give theirs as a blob: lengths= or mask= of layers"
"""What to do about sequences that make no array."""


def units(width: int, number: int, bottoms: str = "") -> str:
    """A hint for a layer given by its width.

    >>> units(64, 1)
    'write InnerProductLayer(name="ip1", output_dim=64, neuron=Neurons.ReLU()) for 64 units'
    """
    fields = f'name="ip{number}", output_dim={shown(width)}, neuron=Neurons.ReLU(){bottoms}'
    return f"write InnerProductLayer({fields}) for {shown(width)} units"
