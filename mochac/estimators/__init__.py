"""Nets behind scikit-learn's interface, NetClassifier and NetRegressor, and Slugnet's Model."""
