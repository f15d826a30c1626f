"""Players of published experiments: engines of ours with the options that their sources used."""

from __future__ import annotations

from arena import option
from arena.engines.alphabeta import AlphaBeta
from arena.engines.alphabeta_time import AlphaBetaTime
from arena.engines.minimax import Minimax
from arena.engines.probabilities import Probabilities


class Gaiceanu(AlphaBeta):
    """Gaiceanu's player with the depth it claims, 5 plies.

    It tries columns from left to right and keeps the first of several best ones.

    Source: Gaiceanu 2022
    """

    evaluation = option("gaiceanu")
    depth = 5
    prefer_quick = False
    ordering = "left"


class GaiceanuAsRun(Gaiceanu):
    """Gaiceanu's player with the depth its code reaches, 2."""

    depth = 2


class Server(Minimax):
    """The course server that Gaiceanu played against: 3 plies.

    Source: Gaiceanu 2022
    """

    evaluation = option("window")
    depth = 3


class FourPlay1(AlphaBeta):
    """FourPlay's agent at its depth 1, which is 2 plies.

    It compares with its parent's bound alone, breaks ties by chance and likes no win more than
    another.

    Source: FourPlay
    """

    evaluation = option("fourplay")
    depth = 2
    pruning = "parent"
    tie_break = "random"
    prefer_quick = False


class FourPlay1TD(FourPlay1):
    """FourPlay's agent at its depth 1, with the weights learned by TD."""

    evaluation = option("fourplay-td")


class FourPlay2TD(FourPlay1TD):
    """FourPlay's agent at its depth 2, which is 4 plies, with the weights learned by TD."""

    depth = 4


class BlairMinmax(Minimax):
    """Blair's min-max: win or nothing, his depth 5, 6 plies.

    Blair counts depth from 0. A win is a win, however late.

    Source: Blair 2011
    """

    evaluation = option("h2")
    depth = 6
    prefer_quick = False
    ordering = "left"
    tie_break = "zeros"


class BlairAlphaBeta(AlphaBeta):
    """Blair's alpha-beta: the same as his min-max, cut at certain wins.

    Source: Blair 2011
    """

    evaluation = option("h2")
    depth = 6
    prefer_quick = False
    ordering = "left"
    tie_break = "zeros"
    pruning = "absolute"


class BlairTime(AlphaBetaTime):
    """Blair's time estimation as his pseudo-code has it.

    Source: Blair 2011
    """

    evaluation = option("h2")
    prefer_quick = False
    ordering = "left"
    tie_break = "zeros"
    pruning = "absolute"
    division = "integer"
    from_zero = True
    ask_always = True


class BlairProbabilities(Probabilities):
    """Blair's probabilities at low depth, H1.

    Source: Blair 2011
    """
