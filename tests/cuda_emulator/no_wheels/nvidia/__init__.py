"""An empty package in front of NVIDIA's wheels, so that a process with this folder on its path does not find them."""
