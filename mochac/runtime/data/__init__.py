"""Data in and out: readers of data layers, batches, parameters, images, models and means, collectors."""
