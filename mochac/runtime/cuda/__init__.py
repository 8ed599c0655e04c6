"""The CUDA backend: CUDA C to cubins, devices and their memory, steps as CUDA graphs, cuBLAS and cuDNN."""
