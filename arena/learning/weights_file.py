"""Learned weights as a file that any search takes: `evaluation: weights.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import yaml

import arena
from arena.learning.features import Floats, Parameters
from arena.learning.spec import TdFile, Training
from arena.tournament.players import weights_of


def weights_file(
    training: Training[TdFile],
    parameters: Parameters,
    weights: Floats,
    games: int,
    strength: str = "",
) -> str:
    """The text of the file: where the weights come from as comments, then the evaluation."""
    evaluation, factor = parameters.evaluation_with(weights)
    comments = list(_provenance(training, parameters, games))
    if factor != 1:
        comments.append(f"The weights are those learned times {factor:g}; they play the same.")
    comments += [f"Measured: {strength}."] if strength else []
    content = weights_of(replace(evaluation, name=f"{training.name} {games}"))
    text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, allow_unicode=True)
    return "".join(f"# {comment}\n" for comment in comments) + text


def _provenance(training: Training[TdFile], parameters: Parameters, games: int) -> Iterator[str]:
    """Who learned from what, how, and from which start."""
    settings = training.settings
    against = training.opponent.name if training.opponent else "itself"
    source = f"of {settings.records}" if settings.records else f"against {against}"
    rule = "as FourPlay's code has it" if settings.as_coded else "by the formula"
    yield f"Learned by Connect Arena {arena.__version__} from {games} games {source}."
    yield f"Training file {training.path.name}, seed {settings.seed}; linear TD, {rule}."
    yield f"Board {parameters.rules}; the start was {parameters.evaluation.name}."
