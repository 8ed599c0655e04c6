"""recompute: what it copies, and what it leaves."""

from mochac.tools.testing import assert_pass

BEFORE = """
graph @g(%x: f32[b3,4], %k: f32[4] param) {
  %m: f32[4] = reduce_sum(%x) {axes = (0,)}
  %b: f32[b3,4] = broadcast(%m) {axes = (1,), batch = true, shape = (3,4)}
  %d: f32[b3,4] = sub(%x, %b)
  %s: f32[b3,4] = square(%d)
  %p: f32[b3,4] = exp(%d)
  return %s, %p
}
"""


def test_every_reader_has_its_own():
    after = BEFORE.replace("  %p: f32[b3,4] = exp(%d)", "  %e: f32[b3,4] = sub(%x, %b)\n  %p: f32[b3,4] = exp(%e)")
    assert_pass("recompute", before=BEFORE, after=after)


def test_what_is_needed_anyway_stays():
    for text in (
        BEFORE.replace("return %s, %p", "return %s, %p, %d"),  # a result is stored
        BEFORE.replace("  %p: f32[b3,4] = exp(%d)", "  %p: f32[b3,4] = exp(%x)"),  # one reader
        BEFORE.replace("reduce_sum(%x) {axes = (0,)}", "exp(%k)"),  # x would have to be stored for it
        BEFORE.replace("sub(%x, %b)", "sub(%x, %x)"),  # no broadcast
        BEFORE.replace("sub(%x, %b)", "div(%x, %b)"),  # not cheap
    ):
        assert_pass("recompute", before=text, after=text)
