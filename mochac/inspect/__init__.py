"""Seeing inside: explain, dump, replay, profile, roofline."""
