"""choose_library: which contractions become calls, and what is left of a bias."""

import pytest

import mochac.testing
from mochac.ir.text import parse
from mochac.passes import choose_library as chosen
from mochac.passes.choose_library import choose_library

PRODUCT = """
graph @g(%x: f32[b64,800], %w: f32[500,800] param, %b: f32[500] param) {
  %y: f32[b64,500] = inner_product(%x, %w, %b) group 0
  %z: f32[b64,500] = relu(%y)
  return %z
}
"""


def test_a_bias_is_added_after_the_call():
    mochac.testing.assert_pass(
        "choose_library",
        before=PRODUCT.replace(" group 0", ""),
        after="""
        graph @g(%x: f32[b64,800], %w: f32[500,800] param, %b: f32[500] param) {
          %y.call: f32[b64,500] = call(%x, %w) {function = "cublas.gemm", of = "inner_product"}
          %broadcast: f32[b64,500] = broadcast(%b) {axes = (1,), batch = true, shape = (64,500)}
          %y: f32[b64,500] = add(%y.call, %broadcast)
          %z: f32[b64,500] = relu(%y)
          return %z
        }
        """,
    )


def test_gradients_of_a_convolution_are_calls_with_its_attributes():
    how = "{group = 1, kernel = (3,3), pad = (1,1), stride = (1,1)}"
    called = how.replace("{", '{function = "cudnn.conv_wgrad", of = "conv2d_dw", ')
    mochac.testing.assert_pass(
        "choose_library",
        before=f"""
        graph @g(%x: f32[b16,16,8,8], %dy: f32[b16,16,8,8]) {{
          %dw: f32[16,16,3,3] = conv2d_dw(%x, %dy) {how}
          return %dw
        }}
        """,
        after=f"""
        graph @g(%x: f32[b16,16,8,8], %dy: f32[b16,16,8,8]) {{
          %dw: f32[16,16,3,3] = call(%x, %dy) {called}
          return %dw
        }}
        """,
    )


@pytest.mark.parametrize(
    ("old", "new", "libraries"),
    [
        ("b64,", "b1,", ("cublas", "cudnn")),  # 0.8 MFLOP
        ("", "", ("cudnn",)),
        ("", "", ()),
        ("f32[b64,800]", "f32[b64,800] blocked(16)", ("cublas",)),
    ],
)
def test_small_products_and_absent_libraries_are_left_alone(old, new, libraries):
    text = PRODUCT.replace(old, new)
    text = text.replace("f32[b64,500]", "f32[b64,500] blocked(16)") if "blocked" in new else text
    graph = parse(text)
    assert choose_library(graph, libraries).nodes == graph.nodes


def test_every_function_belongs_to_a_library():
    assert {f.partition(".")[0] for f in chosen.FUNCTIONS.values()} == set(chosen.LIBRARIES)
