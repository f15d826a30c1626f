"""How fast the kernels are on this machine, by processor time."""

from arena.bench.rate import Rate, Workload, measure
from arena.bench.workloads import every_workload

__all__ = ["Rate", "Workload", "every_workload", "measure"]
