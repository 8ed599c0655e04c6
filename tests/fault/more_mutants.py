"""More faults of MUTANTS' kind: parts and ranks, native functions, the worker team, cache keys, CUDA, import."""

from __future__ import annotations

from mutant_list import Mutant

LAYOUT = "mochac/ir/passes/assign_layout.py"
TEAM = "mochac/codegen/cpu/worker_team.py"
PARTS = "tests/passes/test_cut_batch.py"
NATIVE = "tests/codegen/test_native_functions.py"
ORDERS = "tests/runtime/cpu/test_team_orders.py"
EXCHANGES = "tests/runtime/cpu/test_exchange_orders.py"
PANELS = "tests/codegen/cuda/test_panels_emulated.py"
CUDA_TEXT = "tests/codegen/cuda/test_cuda_golden.py"

MORE = [
    Mutant(
        "layouts follow the batch of all parts",
        "parts",
        LAYOUT,
        "samples = min((t.shape[0]",
        "samples = max((t.shape[0]",
        ("tests/passes/test_layout.py -k part_of_a_batch",),
    ),
    Mutant(
        "parts of one sample count as several samples",
        "parts",
        LAYOUT,
        "return min(batches, default=0) == 1",
        "return max(batches, default=0) == 1",
        (f"{PARTS} -k 'layouts or any_number'",),
    ),
    Mutant(
        "sums that ranks exchange choose layouts",
        "parts",
        LAYOUT,
        "not out.type.batch or all(",
        "all(",
        (f"{PARTS} -k choose_no_layout",),
    ),
    Mutant(
        "what is fused behind a product chooses the order of its sums",
        "parts",
        "mochac/codegen/cpu/schedules/__init__.py",
        "best is not None and orders[rule] != _order(*best)",
        "False",
        ("tests/codegen/test_partial_lanes.py -k fused_behind",),
    ),
    Mutant(
        "every part draws the numbers of the first",
        "parts",
        "mochac/ir/passes/cut_batch.py",
        '{"first": p * rows}',
        '{"first": 0 * rows}',
        (PARTS,),
    ),
    Mutant(
        "statistics of a batch are exchanged behind all else",
        "parts",
        "mochac/ir/passes/buckets.py",
        "if node.op == RANK_SUM and not inside:",
        "if node.op == RANK_SUM:",
        ("tests/passes/test_buckets.py",),
    ),
    Mutant(
        "native functions compare without signs",
        "native",
        "mochac/codegen/native/expressions.py",
        'ast.Lt: "slt"',
        'ast.Lt: "ult"',
        (NATIVE,),
    ),
    Mutant(
        "native functions lose the sign of an i32",
        "native",
        "mochac/codegen/native/expressions.py",
        '("i32", "i64"): "sext"',
        '("i32", "i64"): "zext"',
        (NATIVE,),
    ),
    Mutant(
        "threads leave a barrier before it is reset",
        "barrier",
        TEAM,
        '        store(count, 0, "monotonic")\n        advance(generation, sleepers)\n',
        '        advance(generation, sleepers)\n        store(count, 0, "monotonic")\n',
        (ORDERS,),
    ),
    Mutant(
        "a single sleeper is not woken",
        "barrier",
        TEAM,
        'load(sleepers, "seq_cst") != 0',
        'load(sleepers, "seq_cst") > 1',
        (ORDERS,),
    ),
    Mutant(
        "a message may be under way when its memory is used",
        "ranks",
        "mochac/codegen/cpu/exchange.py",
        "return settle(comm, bucket, 2, partner)",
        "return settle(comm, bucket, 1, partner)",
        (EXCHANGES,),
    ),
    Mutant(
        "the last number of a bucket is not added",
        "ranks",
        "mochac/codegen/cpu/exchange.py",
        "    for k in range(whole * FLOATS, n):",
        "    for k in range(whole * FLOATS, n - 1):",
        (EXCHANGES,),
    ),
    Mutant(
        "sums come back to the wrong half",
        "ranks",
        "mochac/codegen/cpu/exchange.py",
        "(end if lower else firsts[rounds]), (ends[rounds] if lower else first)",
        "(first if lower else firsts[rounds]), (end if lower else first)",
        (EXCHANGES,),
    ),
    Mutant(
        "plans with and without fusion are one",
        "cache",
        "mochac/lowering/plan_cache.py",
        "json.dumps([source.how, dtype, fused])",
        "json.dumps([source.how, dtype])",
        ("tests/lowering/test_sources.py -k keys",),
    ),
    Mutant(
        "plans that are lowered otherwise are one",
        "cache",
        "mochac/lowering/plan_cache.py",
        "json.dumps([source.how, dtype, fused])",
        "json.dumps([dtype, fused])",
        ("tests/lowering/test_sources.py -k keys",),
    ),
    Mutant(
        "threads overwrite what others still read",
        "cuda",
        "mochac/codegen/cuda/barriers.py",
        "after.written & (self.read | self.written)",
        "after.written & self.written",
        (CUDA_TEXT, PANELS),
    ),
    Mutant(
        "threads do not wait for copies under way",
        "cuda",
        "mochac/codegen/cuda/barriers.py",
        "if state.arriving:",
        "if not state:",
        (PANELS, CUDA_TEXT),
    ),
    Mutant(
        "rows of a panel begin in one bank",
        "cuda",
        "mochac/ir/steps/panels.py",
        "length += (wide - length) % (2 * wide) if length >= 2 * wide else 1 - length % 2",
        "length += -length % (2 * wide) if length >= 2 * wide else 1 - length % 2",
        ("tests/ir/test_step_panels.py", CUDA_TEXT),
    ),
    Mutant(
        "the last block does not wait for sums of the others",
        "cuda",
        "mochac/templates/cuda/last_block.cu.j2",
        "    __threadfence();\n    return last",
        "    return last",
        ("tests/codegen/cuda/test_cuda_subtotals.py",),
    ),
    Mutant(
        "a padded sum of panels takes less memory than it needs",
        "cuda",
        "mochac/codegen/cuda/schedules/block_tile.py",
        "wider, parts = self.panel.row / self.panel.terms,",
        "wider, parts = 1.0,",
        ("tests/codegen/cuda/test_cuda_schedules.py -k shared_memory",),
    ),
    Mutant(
        "a team's items are cut as if one thread computed them",
        "limit",
        "mochac/codegen/cpu/schedules/product_natural.py",
        "spread(sizes, target.team)",
        "spread(sizes, 1)",
        ("tests/codegen/test_products.py", "tests/codegen/test_teams.py", "tests/codegen/test_golden.py"),
    ),
    Mutant(
        "ONNX's Gemm forgets the factor of its bias",
        "import",
        "mochac/formats/onnx/operators/products.py",
        "bias * weight.dtype.type(beta)",
        "bias",
        ("tests/onnx_models/test_import.py -k gemm",),
    ),
    Mutant(
        "ONNX's pads in front and behind are swapped",
        "import",
        "mochac/formats/onnx/operators/shapes.py",
        "before[place], after[place] = first, last",
        "before[place], after[place] = last, first",
        ("tests/onnx_models/test_import.py -k pad", "tests/onnx_models/test_node_cases.py"),
    ),
]
