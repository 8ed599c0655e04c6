"""The rows of the scalar table, one family per file.

Each file calls `mochac.ir.scalar.function` once per row when the registry scans this folder. Rows know no tensors,
no kernels and no machine: they emit through the Emitter they are given.
"""
