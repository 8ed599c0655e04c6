"""choose_library: which contractions become calls, and what is left of a bias."""

import pytest

import mochac.tools.testing
from mochac.base.options import LIBRARIES
from mochac.ir.notes import NotCalled
from mochac.ir.passes import choose_library as chosen
from mochac.ir.passes.choose_library import Offer, choose_library
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.groups import part_of
from mochac.ir.text import parse

PRODUCT = """
graph @g(%x: f32[b64,800], %w: f32[500,800] param, %b: f32[500] param) {
  %y: f32[b64,500] = inner_product(%x, %w, %b)
  %z: f32[b64,500] = relu(%y)
  return %z
}
"""


HEAD = "graph @g(%x: f32[b64,800], %w: f32[500,800] param, %b: f32[500] param) {"
WHOLE = 'call(%x, %w, %b) {epilogue = "bias_relu", function = "cublas.gemm", of = "inner_product"}'
WITH_BIAS = WHOLE.replace("bias_relu", "bias")
ALONE = """
  %y.call: f32[b64,500] = call(%x, %w) {function = "cublas.gemm", of = "inner_product"}
  %broadcast: f32[b64,500] = broadcast(%b) {axes = (1,), batch = true, shape = (64,500)}
  %y: f32[b64,500] = add(%y.call, %broadcast)
"""


def asked(text, refuses):
    """What becomes of a graph whose library refuses some calls."""
    return choose_library(parse(text), ("cublas",), offers=lambda attrs, types: Offer("no engine" * refuses(attrs)))


def test_bias_and_relu_go_along_with_a_product():
    mochac.testing.assert_pass(
        "choose_library", before=PRODUCT, after=f"{HEAD} %z: f32[b64,500] = {WHOLE} return %z }}"
    )


@pytest.mark.parametrize("also", ["%u: f32[b64,500] = exp(%y)", ""])
def test_relu_stays_where_others_read_its_operand(also):
    rest = f"%z: f32[b64,500] = relu(%y) {also} return %z, {'%u' if also else '%y'} }}"
    before = PRODUCT.partition("%z")[0] + rest
    mochac.testing.assert_pass("choose_library", before=before, after=f"{HEAD} %y: f32[b64,500] = {WITH_BIAS} {rest}")


@pytest.mark.parametrize(
    ("refuses", "left"),
    [
        (lambda attrs: attrs.get("epilogue") == "bias_relu", f"%y: f32[b64,500] = {WITH_BIAS}"),
        (lambda attrs: "epilogue" in attrs, ALONE),
    ],
)
def test_without_such_an_epilogue_kernels_add_and_cut(refuses, left):
    got = asked(PRODUCT, refuses)
    mochac.testing.assert_same(got, parse(f"{HEAD} {left} %z: f32[b64,500] = relu(%y) return %z }}"))
    assert got.notes == ()


def test_what_no_library_has_stays_and_a_note_says_why():
    got = asked(PRODUCT, lambda attrs: True)
    assert got.nodes == parse(PRODUCT).nodes
    assert got.notes == (NotCalled("y", "inner_product", "no engine"),)
    assert chosen.refused(got) == {"y": "no engine"}


def test_libraries_are_asked_about_shapes_and_told_how():
    heard = []
    how = {"precision": "tf32", "deterministic": False}
    graph = choose_library(
        parse(PRODUCT), ("cublas",), how, lambda attrs, types: heard.append((attrs, types)) or Offer()
    )
    assert [node.attr for node in graph.nodes] == [heard[-1][0]]
    assert heard[-1][0].items() >= how.items()
    assert list(map(str, heard[-1][1])) == ["f32[b64,800]", "f32[500,800]", "f32[500]", "f32[b64,500]"]


def test_bias_and_relu_go_along_with_a_convolution():
    mochac.testing.assert_pass(
        "choose_library",
        before="""
        graph @g(%x: f32[b16,16,8,8], %w: f32[16,16,3,3] param, %b: f32[16] param) {
          %y: f32[b16,16,8,8] = conv(%x, %w, %b) {pad = (1,1), stride = (1,1)}
          %z: f32[b16,16,8,8] = relu(%y)
          return %z
        }
        """,
        after="""
        graph @g(%x: f32[b16,16,8,8], %w: f32[16,16,3,3] param, %b: f32[16] param) {
          %z: f32[b16,16,8,8] = call(%x, %w, %b)
            {epilogue = "bias_relu", function = "cudnn.conv_fprop", of = "conv", pad = (1,1), stride = (1,1)}
          return %z
        }
        """,
    )


def test_gradients_of_a_convolution_are_calls_with_its_attributes():
    how = "{group = 1, kernel = (3,3), pad = (1,1), stride = (1,1)}"
    called = how.replace("{", '{function = "cudnn.conv_wgrad", of = "conv_dw", ')
    mochac.testing.assert_pass(
        "choose_library",
        before=f"""
        graph @g(%x: f32[b16,16,8,8], %dy: f32[b16,16,8,8]) {{
          %dw: f32[16,16,3,3] = conv_dw(%x, %dy) {how}
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
    assert {f.partition(".")[0] for f in chosen.FUNCTIONS.values()} == set(LIBRARIES)


IMAGES = """
graph @g(%x: f32[b16,{c},12,12], %w: f32[16,{c},5,5] param, %b: f32[16] param) {{
  %y: f32[b16,16,8,8] = conv(%x, %w, %b) {{pad = (0,0), stride = (1,1)}}
  %p: f32[b16,16,4,4], %i: i8[b16,16,4,4] = max_pool(%y) {{kernel = (2,2), pad = (0,0), stride = (2,2)}}
  return %p, %i{also}
}}
"""


@pytest.mark.parametrize(
    ("channels", "also", "called"),
    [
        (1, "", False),  # 50 operations an element of the image, 80 pay for storing it
        (1, ", %y", True),  # it is stored anyway
        (2, "", True),
    ],
)
def test_an_image_that_its_kernel_pools_wants_more_operations(monkeypatch, channels, also, called):
    monkeypatch.setattr(chosen, "MIN_FLOPS", 1)
    graph = fuse(parse(IMAGES.format(c=channels, also=also)))
    assert (choose_library(graph, ("cudnn",)) != graph) == called
    types = graph.types()
    bound = graph.nodes[0].bound(types)
    why = "" if called else "its kernel pools the image: 20 operations per byte make storing it worthwhile"
    assert chosen.refusal(graph, bound, ("cudnn",)) == why


GROUPS = """
graph @g(%x: f32[b8,6], %w: f32[5,6] param, %rate: f32[] hyper) {
  %dy: f32[b8,5] = exp(%x0)
  %dw: f32[5,6] = inner_product_dw(%x, %dy) group 0
  %wide: f32[5,6] = broadcast(%rate) {axes = (), batch = false, shape = (5,6)}
  %step: f32[5,6] = mul(%wide, %dw) group 0
  %new: f32[5,6] = sub(%w, %step) group 0
  %norm: f32[5,6] = abs(%dw) group 1
  return %norm
  update %w = %new
}
"""


def test_a_group_is_a_graph_of_its_own():
    """With what is inlined into it; its results are what others, or the next step, read."""
    graph = parse(GROUPS.replace("%x: f32[b8,6],", "%x: f32[b8,6], %x0: f32[b8,5],"))
    part = part_of(graph, graph.nodes[1])
    assert [(i.name, i.role) for i in part.inputs] == [
        ("x", "param"),
        ("dy", "param"),
        ("rate", "param"),
        ("w", "param"),
    ]
    assert [node.op for node in part.nodes] == ["inner_product_dw", "broadcast", "mul", "sub"]
    assert part.outputs == ("dw", "new") and part.updates == ()
    alone = part_of(graph, graph.nodes[0])
    assert ([node.op for node in alone.nodes], alone.outputs) == (["exp"], ("dy",))


@pytest.mark.parametrize(("call_s", "called"), [(1e-6, True), (2e-6, False), (3e-6, False)])
def test_a_call_has_to_beat_the_kernel_of_its_group(call_s, called):
    """Of equal times the generated kernel's counts; either way a note tells them."""
    graph, heard = fuse(parse(PRODUCT)), []

    def seconds(part):
        heard.append([node.op for node in part.nodes])
        return call_s if any(node.op == "call" for node in part.nodes) else 2e-6

    def offers(attrs, types):
        return Offer(engine=4, times=f"engine 4 {attrs.get('epilogue', '')}")

    got = choose_library(graph, ("cublas",), offers=offers, seconds=seconds)
    assert heard == [["inner_product", "relu"], ["call"]]
    times = f"generated 2.0 us, cublas.gemm {1e6 * call_s:.1f} us; engine 4 bias_relu"
    assert (chosen.timed_calls(got), chosen.refused(got)) == (({"y": times}, {}) if called else ({}, {"y": times}))
    assert [node.attr.get("engine") for node in got.nodes] == ([4] if called else [None, None])
