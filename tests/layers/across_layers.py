"""Losses across samples as layers of one's own: Barlow Twins, triplets of the hardest samples, MMD, decorrelation."""

from __future__ import annotations

import numpy as np

from mochac.nets.layers import Loss, layer, option, real


@layer
class BarlowTwinsLossLayer(Loss):
    """The correlations of the features of two views should be 1 on the diagonal and 0 elsewhere."""

    others: float = option(real(0), default=0.005)

    def losses(self, ctx, bottoms):
        a, b = (standardized(x) for x in bottoms)
        correlation = a.T @ b / a.shape[0]
        diagonal = np.eye(a.shape[1])
        squares = np.square(correlation - diagonal)
        return (squares * (diagonal + self.others * (1 - diagonal))).sum()


def standardized(x):
    apart = x - x.mean(axis=0)
    return apart / np.sqrt(np.square(apart).mean(axis=0) + 1e-5)


@layer
class HardTripletLossLayer(Loss):
    """Of each sample, its farthest one of the same label and its nearest one of another."""

    margin: float = option(real(0), default=0.3)

    def losses(self, ctx, bottoms):
        x, label = bottoms
        label = label.reshape(-1, 1)
        squares = np.square(x[:, None] - x[None]).sum(axis=2)
        distance = np.sqrt(np.maximum(squares, 1e-12))
        same = np.equal(label, label.T)
        farthest = np.where(same, distance, 0.0).max(axis=1)
        nearest = np.where(same, 1e6, distance).min(axis=1)
        return np.maximum(farthest - nearest + self.margin, 0)


@layer
class MMDLossLayer(Loss):
    """The squared maximum mean discrepancy of two samples, with a Gaussian kernel."""

    width: float = option(real(above=0), default=1.0)

    def losses(self, ctx, bottoms):
        x, y = bottoms
        return self.kernel(x, x).mean() + self.kernel(y, y).mean() - 2 * self.kernel(x, y).mean()

    def kernel(self, x, y):
        return np.exp(np.square(x[:, None] - y[None]).sum(axis=2) * (-0.5 / self.width**2))


@layer
class DecorrelationLossLayer(Loss):
    """The squared covariances of different features (Cogswell et al. 2016)."""

    n_bottoms = (1, 1)

    def losses(self, ctx, bottoms):
        (x,) = bottoms
        apart = x - x.mean(axis=0)
        covariance = apart.T @ apart / x.shape[0]
        return np.square(covariance * (1 - np.eye(x.shape[1]))).sum() / 2
