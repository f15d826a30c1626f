"""The doctor checks what runs need: software, machine, kernels, their cache, files, journals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True)
class Diagnosis:
    """One line of the doctor's report; `data` are the figures in it, for other programs."""

    topic: str
    state: State
    detail: str
    remedy: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def one_line(error: BaseException) -> str:
    """An error in one line."""
    words = " ".join(str(error).split())
    return words or type(error).__name__
