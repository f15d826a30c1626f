"""Exact scores of flat boards, and of ends of games in space.

    solver (how to ask) -> book -> flat, space

A score is seen from the player to move: 0 is a draw, +k wins with k - 1 discs of one's own left
after the winning one, -k loses so. The score of the empty 7x6 board is 1.
"""
