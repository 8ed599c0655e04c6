"""The rows of the scalar table, one family per file.

Each file calls `mochac.ir.scalar.function` once per row when the registry scans this folder. Rows emit code through the
Emitter that is passed to them and know nothing about tensors, kernels or machines.
"""
