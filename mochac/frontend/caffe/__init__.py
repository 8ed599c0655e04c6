"""Caffe's text files as mochac's records: nets, and solvers."""
