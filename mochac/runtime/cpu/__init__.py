"""The CPU backend: LLVM IR to object code, object code to addresses, and the worker threads that run it."""
