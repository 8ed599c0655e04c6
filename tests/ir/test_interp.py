"""The interpreter: results by name, float64 evaluation, refused inputs."""

import numpy as np
import pytest

from mochac.base.errors import OptionError
from mochac.ir import parse, run

GRAPH = parse("""
graph @g(%x: f32[b2,2], %w: f32[2] param, %lr: f32[] hyper) {
  %wide: f32[b2,2] = broadcast(%w) {axes = (1,), batch = true, shape = (2,2)}
  %y: f32[b2,2] = mul(%x, %wide)
  %dw: f32[2] = reduce_sum(%x) {axes = (0,)}
  %rate: f32[2] = broadcast(%lr) {axes = (), shape = (2,)}
  %step: f32[2] = mul(%dw, %rate)
  %w2: f32[2] = sub(%w, %step)
  return %y
  update %w = %w2
}
""")
INPUTS = {"x": [[1.0, 2.0], [3.0, 4.0]], "w": [10.0, 0.1], "lr": 0.5}


def test_outputs_updates_and_values():
    result = run(GRAPH, INPUTS)
    np.testing.assert_array_equal(result["y"], np.float32([[10, 0.2], [30, 0.4]]))
    np.testing.assert_array_equal(result["w"], np.float32([8.0, 0.1]) - np.float32([0, 3]))
    assert set(result.outputs) == {"y"} and set(result.updates) == {"w"}
    assert result.values["dw"].dtype == np.float32
    assert "w" in result and "dw" not in result


def test_float64_evaluates_every_float_in_float64():
    result = run(GRAPH, INPUTS, dtype="f64")
    assert all(v.dtype == np.float64 for v in result.values.values())
    assert result["y"][0, 1] == 0.2


def test_float64_reaches_constants_and_conversions():
    graph = parse("""graph @g(%i: i32[2], %x: f32[2]) {
        %c: f32[2] = fill() {dtype = "f32", shape = (2,), value = 0.1}
        %t: f32[2] = to_f32(%x)
        %f: f32[2] = to_f32(%i)
        %s: f32[2] = fma(%t, %c, %f)
        return %s
    }""")
    result = run(graph, {"i": [1, 2], "x": [0.1, 0.3]}, dtype="f64")
    np.testing.assert_allclose(result["s"], [1.01, 2.03], rtol=1e-15)


def test_inputs_are_not_changed_and_not_shared():
    w = np.float32([1, 2])
    graph = parse("graph @g(%w: f32[2] param) { return %w }")
    run(graph, {"w": w})["w"][:] = 7
    np.testing.assert_array_equal(w, [1, 2])


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"x": 1, "w": 1}, "inputs of graph @g: missing lr; not in the graph none"),
        ({**INPUTS, "extra": 1}, "missing none; not in the graph extra"),
        ({**INPUTS, "w": [1.0]}, r"input %w: expected f32\[2\], got shape \(1,\)"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        run(GRAPH, inputs)


def test_unknown_dtype():
    with pytest.raises(ValueError, match="expected None or 'f64'"):
        run(GRAPH, INPUTS, dtype="f16")


HUGE = "graph @g(%x: f32[1]) { %y: f32[70368744177663] = broadcast(%x) {axes = (0,), shape = (7,)} return %y }"
WIDE = "graph @g(%x: f32[1,1]) {%y: f32[1,1] = lrn_sum(%x) {axes=(1,), before=9007199254740991, after=0} return %y }"


def test_what_does_not_fit_into_memory_is_refused():
    """Values by their types, before anything is computed; what a node needs on the way is in no type."""
    words = "the values of graph @g do not fit into memory\n  got  281,474,976,710,656 bytes"
    with pytest.raises(OptionError, match=words):
        run(parse(HUGE), {"x": [1.0]})
    with pytest.raises(OptionError, match="node %y of graph @g needs more memory than is available"):
        run(parse(WIDE), {"x": [[1.0]]})
