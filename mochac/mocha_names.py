"""What Mocha.jl's functions are called here, for those who type them by habit.

`mochac.NAME` asks when it finds no NAME; the names that the two share are not listed. It is a table and knows nothing.
"""

from __future__ import annotations

HERE: dict[str, str] = {
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
