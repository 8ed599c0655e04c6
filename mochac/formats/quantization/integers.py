"""in_integers: a graph with quantize and dequantize (qdq.py) as one that computes in integers.

    dequantize, conv, relu, quantize   ->   integer_conv, requantize, add, max, narrow_i8

Operations between integers are computed in integers, all others in float, between dequantize and quantize.
Integers of images have their channels last, which products and pools read in order. The first use of a value as float,
or of a float value as integers, converts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

import numpy as np

from mochac.base.records import record
from mochac.formats.quantization.qdq import LinearScale, Quantized, fixed_points, sum_factors
from mochac.formats.quantization.words import in_words
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Node, Value
from mochac.ir.notes import InFloat
from mochac.ir.op import OPS
from mochac.ir.ops._pool import Pool
from mochac.ir.ops.integer import packed
from mochac.ir.ops.mean_pool import counts
from mochac.ir.passes.groups import is_alias
from mochac.ir.types import TensorType, dtype_name

HIGH = 33
"""Smallest shift for which the upper halves of products suffice."""
MAX_HALF_UP = 32
"""Largest shift of a 32-bit sum."""


@record
class IntegerGraph:
    """A graph that computes in integers, and its constants."""

    graph: Graph
    arrays: Mapping[str, np.ndarray]


def in_integers(quantized: Quantized, words: bool = False, copies: bool = True) -> IntegerGraph:
    """The graph in integers. Its results differ from those of `quantized` by the rounding of sums only. Integer results
    have the same bits on all machines.

    Args:
        words: products multiply four channels at a time, in words. The bits are the same.
        copies: whether images may be copied into larger ones with padding, for products of words; otherwise they are
            only if the integer for 0.0 is not 0.
    """
    return _Lowering(quantized, words, copies).lowered()


class _Lowering:
    """Decides which values the new graph needs, and writes its nodes.

    Attributes:
        real, whole: values of the old graph that are needed as floats, and as integers.
        ints: values of the new graph that hold integers, channels last, by the name of their quantize.
        turned: extents (channels, image..) of integers that are rows of features of an image with channels last.
        reals: floats, in the order of the old graph.
    """

    def __init__(self, quantized: Quantized, words: bool, copies: bool) -> None:
        self.words, self.copies = words, copies
        self.old, self.constants, self.roles = quantized.graph, quantized.arrays, quantized.roles
        self.scales, self.makers, self.types = quantized.scales, self.old.producers(), self.old.types()
        self.real, self.whole = set(self.old.results()), set[str]()
        self.b = GraphBuilder(self.old.name)
        self.arrays: dict[str, np.ndarray] = {}
        self.ints: dict[str, Value] = {}
        self.turned: dict[str, tuple[int, ...]] = {}
        self.reals: dict[str, Value] = {}
        self.notes: list[InFloat] = []

    # -- what is needed

    def lowered(self) -> IntegerGraph:
        for node in reversed(self.old.nodes):
            self._need(node)
        for i in self.old.inputs:
            if i.role != "const":
                self.reals[i.name] = self.b.input(i.name, i.type, i.role)
        for node in self.old.nodes:
            with self.b.at(*node.loc):
                self._write(node)
        read = {name for node in self.b.nodes for name in node.inputs}
        integers = self.b.finish(self.old.outputs)
        inputs = tuple(i for i in integers.inputs if i.role != "const" or i.name in read)
        arrays = {name: array for name, array in self.arrays.items() if name in read}
        graph = integers.with_(inputs=inputs, updates=self.old.updates, notes=(*self.old.notes, *self.notes))
        return IntegerGraph(graph, arrays)

    def _need(self, node: Node) -> None:
        out = node.outputs[0].name
        if node.op == "quantize":
            if out in self.whole:
                operands = self._operands(node)
                if operands is None:
                    self.real.add(node.inputs[0])
                else:
                    self.whole.update(operands)
        elif node.op == "dequantize":
            if out in self.real and node.inputs[0] not in self.constants:
                self.whole.add(node.inputs[0])
        elif any(o.name in self.real for o in node.outputs):
            if self._is_product(node):
                self.whole.add(self._source(node.inputs[0]))
            else:
                self.real.update(node.inputs)

    def _source(self, name: str) -> str:
        """The integer value that a dequantize reads."""
        return self.makers[name].inputs[0]

    def _name(self, quantize: Node) -> str:
        """The float graph's name of the value that a node quantizes."""
        return quantize.outputs[0].name.removesuffix(".q")

    def _is_product(self, node: Node) -> bool:
        return self.roles.role.get(node.outputs[0].name.removesuffix(".exact")) == "product"

    def _producer(self, quantize: Node) -> tuple[Node | None, float, float]:
        """The node whose result is quantized, and the limits of a clamp in between."""
        clamp = self.roles.clamps.get(self._name(quantize))
        producer = self.makers.get(clamp.value if clamp else quantize.inputs[0])
        return (producer, clamp.low, clamp.high) if clamp else (producer, -np.inf, np.inf)

    def _operands(self, quantize: Node) -> tuple[str, ...] | None:
        """The integers from which those of a quantize are computed; None: it quantizes floats."""
        producer, _, _ = self._producer(quantize)
        if producer is None:
            return None
        name = producer.outputs[0].name.removesuffix(".exact")
        role = self.roles.role.get(name, "")
        read = producer.inputs
        if role == "product":
            read = read[:1]
        elif name in self.roles.limits:
            read = read[:1]
        elif name in self.roles.means:
            read = self._sums(producer).inputs
        elif role not in ("add", "mean", "move"):
            return None
        makers = [self.makers.get(x) for x in read]
        if not all(m is not None and m.op == "dequantize" for m in makers):
            return None
        return tuple(self._source(x) for x in read)

    def _sums(self, mul: Node) -> Node:
        """The reduce_sum that a mean multiplies."""
        return next(self.makers[x] for x in mul.inputs if self.makers[x].op == "reduce_sum")

    # -- the new nodes

    def _write(self, node: Node) -> None:
        out = node.outputs[0].name
        if node.op == "quantize":
            if out in self.whole:
                self._quantize(node, out)
        elif node.op == "dequantize":
            if out in self.real and node.inputs[0] not in self.constants:
                self.reals[out] = self._dequantized(node)
        elif any(o.name in self.real for o in node.outputs):
            if self._is_product(node):
                self.reals[out] = self._real_product(node, out)
            else:
                self._float(node)

    def _float(self, node: Node) -> None:
        inputs = tuple(self.reals[name] if name in self.reals else self._constant(name) for name in node.inputs)
        copy = replace(node, inputs=tuple(v.name for v in inputs))
        self.b.nodes.append(copy)
        for o in copy.outputs:
            self.b.values[o.name] = self.reals[o.name] = o
        if OPS[node.op].kind not in ("source", "shape"):
            self.notes.append(InFloat(node.outputs[0].name.removesuffix(".exact"), node.op))

    def _constant(self, name: str, array: np.ndarray | None = None) -> Value:
        whole = self.constants[name] if array is None else array
        dtype = dtype_name(whole.dtype)
        self.arrays[name] = whole
        return self.b.input(name, TensorType(dtype, whole.shape), "const")

    def _quantize(self, node: Node, out: str) -> None:
        producer, low, high = self._producer(node)
        scale = self.scales[self._name(node)]
        operands = self._operands(node)
        if operands is None or producer is None:
            self.ints[out] = self._channels_last(self._quantized(node))
            return
        with self.b.at(*dict.fromkeys((*producer.loc, *node.loc))):
            role = self.roles.role[producer.outputs[0].name.removesuffix(".exact")]
            write = {"product": self._product, "add": self._add, "mean": self._mean, "move": self._move}[role]
            y = write(producer, operands, out, scale)
            self.ints[out] = self._clamped(y, scale, low, high)

    def _quantized(self, node: Node) -> Value:
        return self.b.op("quantize", self.reals[node.inputs[0]], name=node.outputs[0].name, **node.attr)

    def _clamped(self, y: Value, scale: LinearScale, low: float, high: float) -> Value:
        """The integers of a clamp, where its limits are narrower than the dtype's."""
        least, most = scale.limits
        bottom = least if low == -np.inf else scale.whole(low)
        top = most if high == np.inf else scale.whole(high)
        if bottom > least:
            y = self.b.op("max", y, self._filled(bottom, y.type))
        return self.b.op("min", y, self._filled(top, y.type)) if top < most else y

    def _filled(self, number: int, like: TensorType) -> Value:
        return self.b.const(number, like)

    def _times(self, acc: Value, factors: np.ndarray, axes: tuple[int, ...], stem: str) -> Value:
        """Sums times factors (one number, or an array along some axes), rounded."""
        multipliers, shifts = fixed_points(factors)
        high = bool((shifts >= HIGH).all())
        m, s = (
            self._along(f"{stem}.{name}", array, acc, axes)
            for name, array in (("multipliers", multipliers), ("shifts", shifts - HIGH * high))
        )
        if not high:
            return self.b.op("requantize", acc, m, s)
        return self.b.op("half_up", self.b.op("mul_high", acc, m), s)

    def _along(self, name: str, array: np.ndarray, like: Value, axes: tuple[int, ...]) -> Value:
        """A constant along some axes of a value, or a number."""
        if not array.ndim:
            return self._filled(int(array), like.type)
        whole = self._constant(name, array.astype(np.int32))
        return self.b.op("broadcast", whole, shape=like.type.shape, axes=axes, batch=True)

    def _narrowed(self, y: Value, scale: LinearScale, name: str) -> Value:
        """Rounded sums as integers of a scale."""
        if scale.zero:
            y = self.b.op("add", y, self._filled(scale.zero, y.type))
        return self.b.op(f"narrow_{scale.dtype}", y, name=name)

    # -- products

    def _product(self, node: Node, operands: tuple[str, ...], out: str, scale: LinearScale) -> Value:
        acc, sums = self._sums_of_products(node, operands[0], out.removesuffix(".q"))
        factors, axes = sums.astype(np.float64) / scale.scale, (len(acc.type.shape) - 1,)
        return self._narrowed(self._times(acc, factors, axes, out.removesuffix(".q")), scale, out)

    def _real_product(self, node: Node, out: str) -> Value:
        """The sums of a product as floats."""
        acc, scales = self._sums_of_products(node, self._source(node.inputs[0]), out)
        axis = len(acc.type.shape) - 1
        first = axis > 1
        own = self._constant(f"{out}.scales", scales)
        y = self.b.op("dequantize", acc, own, axis=axis, name=f"{out}.last" if first else out)
        return self._channels_first(y, out) if first else y

    def _sums_of_products(self, node: Node, x: str, out: str) -> tuple[Value, np.ndarray]:
        """The sums of products as i32, channels last, and their scales for each filter."""
        weight, *biases = (self.makers[name] for name in node.inputs[1:])
        w, scales = self.constants[weight.inputs[0]], self.constants[weight.inputs[1]].astype(np.float64)
        source, read = self.scales[x.removesuffix(".q")], self.ints[x]
        bias = self.constants[biases[0].inputs[0]] if biases else np.zeros(len(w), np.int32)
        w = self._in_order(w, self.turned.get(x))
        attrs = {name: value for name, value in node.attr.items() if name in ("stride", "pad", "dilation", "group")}
        fours = in_words(self.b, read, source, w, attrs, self.copies) if self.words else None
        if fours is not None:
            read, w, attrs = fours.x, fours.weight, dict(fours.attrs)
        padded = any(attrs.get("pad", ()))  # type: ignore[arg-type]
        if not padded:
            with np.errstate(over="ignore"):
                bias = bias - np.int32(source.zero) * w.reshape(len(w), -1).sum(axis=1, dtype=np.int32)
        stored = np.ascontiguousarray(np.moveaxis(w, (0, 1), (-1, -2)))
        if fours is not None:
            stored = packed(stored)
        with_bias = (self._constant(f"{out}.bias", bias.astype(np.int32)),) if bias.any() else ()
        zero = {"zero": source.zero} if padded and source.zero else {}
        acc = self.b.op(
            "integer_conv", read, self._constant(f"{out}.weight", stored), *with_bias, name=f"{out}.sums",
            **attrs, **zero,
        )  # fmt: skip
        return acc, (scales * source.scale).astype(np.float32)

    def _in_order(self, w: np.ndarray, image: tuple[int, ...] | None) -> np.ndarray:
        """The columns of a weight in the order of features whose channels are last."""
        if image is None:
            return w
        return np.moveaxis(w.reshape(len(w), *image), 1, -1).reshape(w.shape)

    # -- sums of two, means

    def _add(self, node: Node, operands: tuple[str, ...], out: str, scale: LinearScale) -> Value:
        a, b = (self._in_image_order(name) for name in operands)
        first, second = (self.scales[name.removesuffix(".q")] for name in operands)
        m, n, shift = sum_factors(first.scale / scale.scale, second.scale / scale.scale)
        parts = [
            self.b.op("mul", self.b.op("to_i32", x), self._filled(by, x.type.with_(dtype="i32")))
            for x, by in ((a, m), (b, n))
        ]
        total = self.b.op("add", *parts)
        constant = -(m * first.zero + n * second.zero)
        if constant:
            total = self.b.op("add", total, self._filled(constant, total.type))
        if shift <= MAX_HALF_UP:
            rounded = self.b.op("half_up", total, self._filled(shift - 1, total.type))
        else:
            rounded = self.b.op("requantize", total, *(self._filled(n, total.type) for n in (1, shift)))
        return self._narrowed(rounded, scale, out)

    def _mean(self, node: Node, operands: tuple[str, ...], out: str, scale: LinearScale) -> Value:
        x, source = self.ints[operands[0]], self.scales[operands[0].removesuffix(".q")]
        name = node.outputs[0].name.removesuffix(".exact")
        stem = out.removesuffix(".q")
        if name in self.roles.means:
            image = x.type.shape[1:-1]
            how: dict[str, object] = {"kernel": image, "stride": (1,) * len(image), "pad": (0,) * len(image)}
            factors = np.array(self.roles.means[name][1])
        else:
            how = {key: value for key, value in node.attr.items() if key != "divisor"}
            pool = Pool.of(self.types[node.inputs[0]].shape, node.attr)
            factors = 1.0 / counts(pool, str(node.attr.get("divisor", "kernel")))
            factors = factors.ravel()[0] if (factors == factors.ravel()[0]).all() else factors
        acc = self.b.op("integer_pool", x, name=f"{stem}.sums", how="sum", zero=source.zero, **how)
        if name in self.roles.means:
            acc = self.b.op("reshape", acc, shape=(acc.type.shape[0], acc.type.shape[-1]))
        axes = tuple(range(1, len(acc.type.shape) - 1))
        factors = np.asarray(factors) * (source.scale / scale.scale)
        return self._narrowed(self._times(acc, factors, axes, stem), scale, out)

    # -- moves and layouts

    def _move(self, node: Node, operands: tuple[str, ...], out: str, scale: LinearScale) -> Value:
        limits = self.roles.limits.get(node.outputs[0].name.removesuffix(".exact"))
        if limits is not None:
            return self._clamped(self._in_image_order(operands[0]), scale, *limits)
        if is_alias(node):
            return self._reshaped(node, operands[0], out)
        xs = [self._in_image_order(name) for name in operands]
        if node.op == "max_pool":
            return self.b.op("integer_pool", *xs, name=out, how="max", **node.attr)
        axis, last = node.attr["axis"], len(xs[0].type.shape) - 1
        assert isinstance(axis, int)
        return self.b.op("concat", *xs, name=out, axis=last if axis == 1 else axis - 1)

    def _reshaped(self, node: Node, x: str, out: str) -> Value:
        """A view of integers. Images as rows of features keep their channels last if only products read them."""
        shape_before, shape = self.types[node.inputs[0]].shape, node.outputs[0].type.shape
        value = self.ints[x]
        if x in self.turned or len(shape_before) == 2 or prod(shape_before[2:]) == 1 or shape_before[1] == 1:
            value = self._in_image_order(x)  # the order of features is that of the float graph
        elif len(shape) == 2 and self._only_products_read(out):
            self.turned[out] = shape_before[1:]
            return self.b.op("reshape", value, shape=shape, name=out)
        else:
            value = self.b.op("permute", value, order=(0, len(shape_before) - 1, *range(1, len(shape_before) - 1)))
        if len(shape) == 2:
            return self.b.op("reshape", value, shape=shape, name=out)
        return self._channels_last(self.b.op("reshape", value, shape=shape))

    def _only_products_read(self, q: str) -> bool:
        """Whether only inner products read the dequantized value, as operand 0."""
        views = {n.outputs[0].name for n in self.old.nodes if n.op == "dequantize" and n.inputs[0] == q}
        readers = [n for n in self.old.nodes if views & set(n.inputs)]
        fit = all(n.op == "inner_product" and self._is_product(n) for n in readers)
        return fit and not views & self.real and bool(readers)

    def _in_image_order(self, x: str) -> Value:
        """Integers whose features, if they are those of an image, are in the order of the float graph."""
        image = self.turned.get(x)
        if image is None:
            return self.ints[x]
        value = self.ints[x]
        rows = self.b.op("reshape", value, shape=(value.type.shape[0], *image[1:], image[0]))
        turned = self.b.op("permute", rows, order=(0, len(image), *range(1, len(image))))
        return self.b.op("reshape", turned, shape=value.type.shape)

    def _dequantized(self, node: Node) -> Value:
        x, out = self._in_image_order(node.inputs[0]), node.outputs[0].name
        first = len(x.type.shape) > 2
        y = self.b.op("dequantize", x, name=f"{out}.last" if first else out, **node.attr)
        return self._channels_first(y, out) if first else y

    def _channels_last(self, x: Value) -> Value:
        """Images with channels last; a view if there is one channel or one cell."""
        shape = x.type.shape
        if len(shape) <= 2:
            return x
        if shape[1] == 1 or prod(shape[2:]) == 1:
            return self.b.op("reshape", x, shape=(shape[0], *shape[2:], shape[1]))
        return self.b.op("permute", x, order=(0, *range(2, len(shape)), 1))

    def _channels_first(self, x: Value, name: str) -> Value:
        shape = x.type.shape
        if shape[-1] == 1 or prod(shape[1:-1]) == 1:
            return self.b.op("reshape", x, name=name, shape=(shape[0], shape[-1], *shape[1:-1]))
        return self.b.op("permute", x, name=name, order=(0, len(shape) - 1, *range(1, len(shape) - 1)))
