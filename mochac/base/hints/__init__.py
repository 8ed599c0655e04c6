"""Names in Mocha.jl, Caffe, Keras, PyTorch and scikit-learn, and what to write in mochac.

Error messages about unknown names look here: attributes of mochac, Net and Program, arguments, fields, operations and
command-line options.
"""
