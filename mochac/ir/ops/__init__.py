"""The operations, each in a file with its gradients, found by a folder scan.

An op consists of type rules, a NumPy reference, a gradient, a lowering and samples for tests; see mochac/ir/op.py.
"""
