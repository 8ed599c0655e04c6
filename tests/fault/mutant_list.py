"""Faults that could have been made in mochac's source: for each the change, and the tests that must notice it."""

from __future__ import annotations

from dataclasses import dataclass

EXTENTS = "tests/codegen/test_extents.py -k a_few_corners"
STATE = "tests/codegen/test_register_state.py"
OPS = "tests/codegen/test_ops_compiled.py"
NETS = "tests/e2e/test_random_nets.py::test_trained_equals_interpreted"
GUARDED = "tests/fault/test_guarded_kernels.py -k 'masked or a_few'"
BITS = "tests/e2e/test_bitwise.py"
STEP_DRIVER = "mochac/codegen/cpu/step_driver.py"
STATEMENTS = "mochac/codegen/cpu/statements.py"
MEMORY = "mochac/codegen/cpu/memory.py"
REGISTERS = "mochac/codegen/cpu/registers.py"
PHASES = "mochac/ir/passes/phases.py"
WINDOWS = "mochac/ir/passes/windows.py"
BRANCH = "{k: a if a.text == b.text else e.phi(a, before, b, tail) for"


@dataclass(frozen=True)
class Mutant:
    """A fault: in the file `path`, `old` (which is there once) becomes `new`; `tests` are arguments of pytest."""

    name: str
    kind: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]


MUTANTS = [
    Mutant(
        "known lanes one too few",
        "limit",
        STATEMENTS,
        "'true' if base + offset >= 0",
        "'true' if base + offset > 0",
        (EXTENTS, NETS),
    ),
    Mutant(
        "lanes at run time one too few",
        "limit",
        STATEMENTS,
        'compare("icmp", "sge", wide',
        'compare("icmp", "sgt", wide',
        (EXTENTS, NETS),
    ),
    Mutant(
        "guard one too few",
        "limit",
        STATEMENTS,
        'compare("icmp", "sge", value, Reg("0"',
        'compare("icmp", "sgt", value, Reg("0"',
        (EXTENTS, NETS),
    ),
    Mutant(
        "guard never drops out",
        "limit",
        STATEMENTS,
        "if bounds is not None and bounds[0] >= 0:",
        "if bounds is not None and bounds[0] >= -1:",
        (EXTENTS, NETS),
    ),
    Mutant(
        "split guards one too few",
        "tail",
        "mochac/ir/steps/split.py",
        "Index.of(hi - 1) -",
        "Index.of(hi - 2) -",
        ("tests/ir/test_step_split.py",),
    ),
    Mutant(
        "split cuts one too few",
        "tail",
        "mochac/ir/steps/split.py",
        "first=whole, extent=rest)",
        "first=whole, extent=max(1, rest - 1))",
        ("tests/ir/test_step_split.py",),
    ),
    Mutant(
        "rows padded without need",
        "tail",
        "mochac/ir/ops/samples.py",
        'k.call("lt",',
        'k.call("le",',
        (f"{OPS} -k mask_batch",),
    ),
    Mutant(
        "pool ignores that windows overhang",
        "tail",
        WINDOWS,
        "return all(count * size <= extent for",
        "return True or all(count * size <= extent for",
        ("tests/passes/test_fuse.py", NETS),
    ),
    Mutant(
        "random numbers of the next sample",
        "operands",
        "mochac/ir/ops/random.py",
        "sample + first",
        "sample + first + 1",
        (f"{OPS} -k dropout",),
    ),
    Mutant(
        "masked load of every second element without its mask",
        "mask",
        MEMORY,
        "k % 2 == 0 and bits[k // 2] for",
        "k % 2 == 0 for",
        (EXTENTS, GUARDED),
    ),
    Mutant(
        "run loaded whole where some lanes are off",
        "mask",
        MEMORY,
        "        at = self._moved(pointer, offset * DTYPES[dtype].itemsize)\n        mask = None if all(bits)",
        "        at = self._moved(pointer, offset * DTYPES[dtype].itemsize)\n        mask = None if True",
        (EXTENTS, GUARDED),
    ),
    Mutant(
        "run stored whole where some lanes are off",
        "mask",
        MEMORY,
        "mask = None if all(part)",
        "mask = None if any(part)",
        (EXTENTS, GUARDED),
    ),
    Mutant(
        "gathers and scatters without a mask",
        "mask",
        MEMORY,
        "return self.env.mask.text if self.env.mask is not None else",
        "return",
        (EXTENTS, GUARDED),
    ),
    Mutant(
        "vector loaded without its mask",
        "mask",
        MEMORY,
        '        type = _memory_type(dtype, lanes)\n        if mask is None:\n            return self.e.emit(f"load',
        '        type = _memory_type(dtype, lanes)\n        if True:\n            return self.e.emit(f"load',
        (EXTENTS, GUARDED),
    ),
    Mutant(
        "sums count lanes outside of the mask",
        "mask",
        MEMORY,
        "return mask is not None and self._zeroed.get(reg.text) == mask.text",
        "return mask is not None",
        (EXTENTS, NETS),
    ),
    Mutant(
        "sum across lanes counts idle ones",
        "mask",
        STATEMENTS,
        "        if self.env.mask is not None:\n            value = self.e.select(self.env.mask, value, idle)",
        "",
        ("tests/codegen/test_loaded_values.py", EXTENTS, NETS),
    ),
    Mutant(
        "local overwritten in all lanes",
        "register",
        STATEMENTS,
        "if before is not None:",
        "if before is None:",
        (STATE,),
    ),
    Mutant(
        "derived vectors survive a write",
        "register",
        REGISTERS,
        "derived = self._derived.pop(buffer, {})",
        "derived = self._derived.get(buffer, {})",
        ("tests/codegen/test_loaded_values.py", STATE),
    ),
    Mutant(
        "derived vectors survive a loop",
        "register",
        REGISTERS,
        "            self._derived.pop(buffer, None)",
        "            pass",
        ("tests/codegen/test_loaded_values.py", STATE),
    ),
    Mutant(
        "a guard's writes are forgotten", "register", STATEMENTS, BRANCH, BRANCH.replace("b, tail", "a, tail"), (STATE,)
    ),
    Mutant(
        "an iteration does not see the one before",
        "register",
        STATEMENTS,
        "now.get(key, phi)) for key",
        "registers.use(first)) for key",
        (STATE,),
    ),
    Mutant(
        "a loop's elements leave as they came",
        "register",
        STATEMENTS,
        "registers.replace(buffers, before | dict(zip(last, inner.results, strict=True)))",
        "registers.replace(buffers, before)",
        (STATE,),
    ),
    Mutant(
        "loaded values survive a loop",
        "alias",
        MEMORY,
        "        for buffer in written_buffers(body):\n            self.e.forget_loaded(buffer)",
        "        return",
        ("tests/codegen/test_loaded_values.py", STATE, NETS, "tests/codegen/test_schedules_keep_results.py"),
    ),
    Mutant(
        "loaded values survive a store",
        "alias",
        MEMORY,
        "        pointer, offsets, _ = self.address(buffer, index, stmt)\n        self.e.forget_loaded(buffer)",
        "        pointer, offsets, _ = self.address(buffer, index, stmt)",
        ("tests/codegen/test_loaded_values.py", STATE, NETS, "tests/codegen/test_schedules_keep_results.py"),
    ),
    Mutant(
        "unaligned rows are said to be aligned",
        "alias",
        MEMORY,
        "                aligned = False",
        "                pass",
        (EXTENTS, NETS),
    ),
    Mutant(
        "memory reused in the phase that reads it",
        "alias",
        "mochac/ir/passes/arena.py",
        "if f <= last and first <= t]",
        "if f < last and first < t]",
        ("tests/passes/test_memory.py",),
    ),
    Mutant(
        "results die early",
        "alias",
        "mochac/ir/passes/plan_memory.py",
        "end + 1 if name in kept else last[name]",
        "last[name]",
        ("tests/passes/test_memory.py",),
    ),
    Mutant(
        "state overwritten where others still read it",
        "alias",
        "mochac/ir/passes/in_place.py",
        "if others & reached or not",
        "if not",
        ("tests/passes/test_in_place.py",),
    ),
    Mutant(
        "state overwritten element by element in another order",
        "alias",
        "mochac/ir/passes/in_place.py",
        "if len(stores) != 1 or loads != stores:",
        "if len(stores) != 1:",
        ("tests/passes/test_in_place.py",),
    ),
    Mutant(
        "writers do not wait for readers of the old state",
        "barrier",
        PHASES,
        "needs[writer] |= readers.get(target, set()) - {writer}",
        "pass",
        ("tests/passes/test_memory.py", "tests/passes/test_in_place.py", NETS),
    ),
    Mutant(
        "no barrier between phases",
        "barrier",
        STEP_DRIVER,
        "meet:\n  call void @barrier(ptr %team, i64 %threads)",
        "meet:",
        (BITS, "tests/e2e/test_random_blocks.py -k threads"),
    ),
    Mutant(
        "no barrier between steps of a loop",
        "barrier",
        STEP_DRIVER,
        "meet.back:\n  call void @barrier(ptr %team, i64 %threads)",
        "meet.back:",
        (f"{BITS} -k steps_of_a_loop", BITS, "tests/e2e/test_random_blocks.py -k threads"),
    ),
    Mutant(
        "no barrier behind a step",
        "barrier",
        STEP_DRIVER,
        "gather:\n  call void @barrier(ptr %team, i64 %threads)",
        "gather:",
        (BITS, "tests/e2e/test_random_blocks.py -k threads"),
    ),
    Mutant(
        "no barrier before the next step",
        "barrier",
        STEP_DRIVER,
        "together:\n  call void @barrier(ptr %team, i64 %threads)",
        "together:",
        (BITS, "tests/e2e/test_random_blocks.py -k threads"),
    ),
    Mutant(
        "shares are not refilled",
        "barrier",
        STEP_DRIVER,
        (
            "meet:\n  call void @barrier(ptr %team, i64 %threads)\n  call void @refill(ptr %slots, i64 %thread"
            ", i64 %threads, i64 %stale, i64 %r)"
        ),
        "meet:\n  call void @barrier(ptr %team, i64 %threads)",
        (BITS,),
    ),
    Mutant(
        "float mode of the caller is lost",
        "barrier",
        STEP_DRIVER,
        "  call void @leave_float_mode(i32 %saved)\n",
        "",
        ("tests/runtime/cpu",),
    ),
    Mutant(
        "subtraction the other way round",
        "operands",
        "mochac/ir/functions/arith.py",
        'llvm=opcode("sub"),',
        'llvm=lambda e, a, b: opcode("sub")(e, b, a),',
        (f"{OPS} -k sub",),
    ),
    Mutant(
        "factors of a weight gradient swapped",
        "operands",
        "mochac/ir/ops/inner_product.py",
        "k.read(bound, 1, (n, o)), k.read(bound, 0, (n, f))",
        "k.read(bound, 1, (n, f)), k.read(bound, 0, (n, o))",
        (f"{OPS} -k inner_product_dw",),
    ),
    Mutant(
        "gradient of a product swapped",
        "operands",
        "mochac/ir/ops/inner_product.py",
        'b.op("inner_product_dx", dy, ct), b.op("inner_product", x, ct)',
        'b.op("inner_product", x, ct), b.op("inner_product_dx", dy, ct)',
        ("tests/ops/test_gradients.py -k inner_product_dw",),
    ),
    Mutant(
        "gradient of a slice at the front",
        "operands",
        "mochac/ir/ops/slice.py",
        'b.op("pad", ct, start=offsets(bound),',
        'b.op("pad", ct, start=tuple(0 for _ in offsets(bound)),',
        ("tests/ops/test_gradients.py -k slice",),
    ),
    Mutant(
        "only one reader gives a gradient",
        "operands",
        "mochac/ir/pullback.py",
        "cotangents.setdefault(value.name, []).append(_like(b, ct, value))",
        "cotangents[value.name] = [_like(b, ct, value)]",
        ("tests/passes/test_autodiff.py",),
    ),
    Mutant(
        "time runs the same way in a loop's gradient",
        "operands",
        "mochac/ir/ops/scan.py",
        "reverse=not parts.reverse,",
        "reverse=parts.reverse,",
        ("tests/ops/test_scan.py",),
    ),
    Mutant(
        "nodes merge whatever their attributes",
        "rule",
        "mochac/ir/passes/simplify.py",
        "inputs, repr(node.attrs), tuple(",
        "inputs, tuple(",
        ("tests/passes/test_simplify.py",),
    ),
    Mutant(
        "padded windows count as disjoint",
        "rule",
        WINDOWS,
        'attr.get("kernel") and not any(sizes(attr["pad"]))',
        'attr.get("kernel")',
        ("tests/passes/test_fuse.py", NETS),
    ),
    Mutant(
        "dilated convolutions count as dense",
        "rule",
        WINDOWS,
        ' and "dilation" not in attr and',
        " and",
        ("tests/passes/test_dense_windows.py",),
    ),
    Mutant(
        "tiles read beyond an image",
        "limit",
        "mochac/ir/ops/winograd.py",
        "first < pad[axis], end >= size)",
        "first < pad[axis], end > size)",
        (f"{OPS} -k winograd_input", "tests/codegen/test_winograd.py"),
    ),
    Mutant(
        "blocks of samples overlap",
        "limit",
        "mochac/codegen/cpu/addresses.py",
        "0 <= inside[0] and inside[1] < lanes",
        "0 <= inside[0]",
        (EXTENTS, "tests/codegen/test_odd_operands.py"),
    ),
    Mutant(
        "code of one CPU serves another",
        "cache",
        "mochac/lowering/plan_cache.py",
        "(*made_with(backend), *backend.library_versions",
        "(*made_with(backend)[:2], *backend.library_versions",
        ("tests/e2e/test_compile_cache.py",),
    ),
    Mutant(
        "plans of other tracings are taken",
        "cache",
        "mochac/lowering/plan_cache.py",
        "canonical_text(source.graph), reported,",
        "canonical_text(source.graph),",
        ("tests/lowering/test_sources.py", "tests/e2e/test_compile_cache.py"),
    ),
    Mutant(
        "a resume forgets the solver's state",
        "state",
        "mochac/training/loop/resume.py",
        "(session.slots(), saved.slots)):",
        "):",
        ("tests/solvers/test_resume.py",),
    ),
    Mutant(
        "a resume draws other random numbers",
        "state",
        "mochac/training/loop/resume.py",
        "    session.rng_step = saved.rng_step\n",
        "",
        (BITS,),
    ),
    Mutant(
        "Adam counts from two",
        "state",
        "mochac/nets/solvers/adam.py",
        't - zeroed + 1\n        return {"lr": lr, "step_size": lr * sqrt(1 - self.beta2**k) / (1 - self.beta1**k)}',
        't - zeroed + 2\n        return {"lr": lr, "step_size": lr * sqrt(1 - self.beta2**k) / (1 - self.beta1**k)}',
        ("tests/solvers/test_rules.py",),
    ),
    Mutant(
        "every epoch is shuffled alike",
        "state",
        "mochac/runtime/data/source.py",
        "self.permutation(self.n_samples, epoch))",
        "self.permutation(self.n_samples, 0))",
        ("tests/runtime/data", "tests/e2e/test_by_number.py"),
    ),
    Mutant(
        "a C library takes a negative number of samples",
        "limit",
        "mochac/templates/c/library.c.j2",
        "    if (n < 0) {",
        "    if (0) {",
        ("tests/clib/test_wrong_calls.py",),
    ),
]
"""Faults of all kinds: limits, masks, register state, aliases, barriers, operands, tails, rules, cache keys, state."""
