"""The bound of a library's stack: frames of kernels beside LLVM's own directives, and stacks painted before calls."""

import re
import subprocess

import numpy as np
import pytest
from nets import digits, lenet
from target_kit import array, compiled, needs, said

import mochac
from mochac import Adam
from mochac.formats.clib.memory import IN_C, frame_bytes
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.cpuinfo import named_cpu

SIZES = (0, 3, 60, 127, 130, 700, 1021, 1500, 70000)
FRAME = """
declare void @use(ptr)
define void @f(ptr %p, i32 %n) {{
  %room = alloca [{size} x i32], align 4
  call void @use(ptr %room)
  {many}
  call void @use(ptr %p)
  {stored}
  ret void
}}
"""
MANY = 14
"""Values that live across a call."""


def frame(size: int, kind: str) -> str:
    many = "\n".join(f"%a{k} = load {kind}, ptr %p, align 4" for k in range(MANY)).replace("load", "load volatile")
    stored = "\n".join(f"store volatile {kind} %a{k}, ptr %p" for k in range(MANY))
    return FRAME.format(size=max(size, 1), many=many, stored=stored)


def directives(assembly: str) -> int:
    """What LLVM says of the frame of a function."""
    if offsets := re.findall(r"\.cfi_def_cfa_offset (\d+)", assembly):
        return max(map(int, offsets))
    total = sum(map(int, re.findall(r"\.pad\s+#(\d+)", assembly)))
    for what, n in ((r"\.save", 4), (r"\.vsave", 8)):
        total += sum(n * len(found.split(",")) for found in re.findall(rf"{what}\s+{{(.*)}}", assembly))
    return total


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "rv32imfc"])
def test_frames_are_those_of_llvm(cpu):
    for size in SIZES:
        for kind in ("i32", "float"):
            text, info = frame(size, kind), named_cpu(cpu)
            found = frame_bytes([compiler.compile_ir(text, info)], info.arch)
            wanted = directives(compiler.assembly(text, info))
            if found is None:  # a distance that fits no instruction lies in a register
                assert wanted > 65536
            else:
                assert found == wanted, (size, kind)


@pytest.mark.slow
def test_other_cpus_have_no_bound():
    assert frame_bytes([compiler.compile_ir(frame(3, "i32"), named_cpu("cortex-a53"))], "aarch64") is None


PAINTED = """
enum { DEEP = 16384 };
static volatile unsigned char *top;
static __attribute__((noinline)) void paint(void) {
    top = (volatile unsigned char *)__builtin_frame_address(0) - 96;
    for (int i = 1; i <= DEEP; i++) { top[-i] = 0xa5; }
}
static __attribute__((noinline)) unsigned used(void) {
    unsigned n = DEEP;
    while (n > 0 && top[-(int)n] == 0xa5) { n--; }
    return n + 96;
}
static unsigned char memory[LENET_SMALL_BYTES] __attribute__((aligned(LENET_SMALL_ALIGNMENT)));
static float out[4 * LENET_SMALL_ELEMS_IP2];
"""
PREDICTS = """
int main(void) {
    lenet_small *net;
    paint();
    if (lenet_small_init(memory, sizeof memory, &net) || lenet_small_predict(net, data, 2, out)) { fail("predict"); }
    say_word(used());
    say_word(LENET_SMALL_STACK_BYTES);
    return 0;
}
"""
TRAINS = """
static unsigned char state[1 << 19];
int main(void) {
    lenet_small *net;
    double loss, results[8];
    size_t size = lenet_small_save_state_bytes();
    paint();
    if (lenet_small_init_drawn(memory, sizeof memory, 5, &net)) { fail("init"); }
    for (int k = 0; k < 2; k++) { if (lenet_small_step(net, data, label, &loss)) { fail("step"); } }
    if (lenet_small_evaluate(net, data, label, 4, results)) { fail("evaluate"); }
    if (lenet_small_save_state(net, state, sizeof state) || lenet_small_load(net, state, size)) { fail("save"); }
    if (lenet_small_predict(net, data, 4, out)) { fail("predict"); }
    say_word(used());
    say_word(LENET_SMALL_STACK_BYTES);
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("optimized", ["-O0", "-Os", "-O2"])
@pytest.mark.parametrize("how", ["floats", "integers", "training"])
@pytest.mark.parametrize("target", ["cortex-m4", "cortex-m55", "rv32imfc"])
def test_what_is_used_is_within_the_bound(target, how, optimized, tmp_path):
    needs(target)
    trains = how == "training"
    net, (x, y) = lenet(batch=4), digits()
    more = {"quantize": np.concatenate([x] * 2)[:64]} if how == "integers" else {}
    mochac.build(net, tmp_path, Adam(0.01) if trains else None, targets=[target], batches=1, threads=False, **more)
    flags = ["make", "-s", "-B", f"CFLAGS={optimized}"]
    subprocess.run(flags, cwd=tmp_path, check=True, capture_output=True)
    main = array("data", x[:4]) + (array("label", y[:4]) + PAINTED + TRAINS if trains else PAINTED + PREDICTS)
    words = said(target, compiled(target, tmp_path, "lenet_small", main))
    used, bound = (int(word, 16) for word in words)
    assert bound - IN_C[trains] <= used <= bound
