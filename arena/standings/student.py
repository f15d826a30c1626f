"""Student's distribution: how much wider an interval is whose variance is itself an estimate."""

from __future__ import annotations

import numpy as np

from arena.standings.results import Numbers
from arena.standings.scores import NORMAL_95

FEW = (1.0, 1.25, 1.5, 2.0, 3.0)  # degrees of freedom for which the series is not good enough
OF_FEW = (12.706205, 8.027951, 6.016663, 4.302653, 3.182446)


def student_95(degrees: Numbers | float) -> Numbers:
    """The 97.5 % quantiles, for one degree of freedom or more (Abramowitz and Stegun 26.7.5)."""
    n, z = np.maximum(degrees, 1.0), NORMAL_95
    series = z + (
        (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
    between = np.exp(np.interp(np.log(n), np.log(FEW), np.log(OF_FEW)))
    return np.asarray(np.where(n < FEW[-1], between, series))


def normal_of_t(t: Numbers, degrees: Numbers) -> Numbers:
    """The normal deviate as likely as one of Student's distribution, nearly (Wallace 1959)."""
    shrunk = (8 * degrees + 1) / (8 * degrees + 3)
    return np.asarray(np.sign(t) * shrunk * np.sqrt(degrees * np.log1p(t**2 / degrees)))
