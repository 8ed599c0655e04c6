"""Native functions: the small runtime beside kernels (driver, barriers, exchanges) as typed Python that is compiled.

A native function is a Python function of numbers and pointers. `llvm_text.py` compiles its source to LLVM IR; it runs
in Python just as well, on the same memory, which is how tests compare the two and try orders of threads.
"""
