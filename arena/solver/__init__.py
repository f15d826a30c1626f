"""Exact scores of flat boards, and of ends of games in space.

    ask (what an answer may cost) -> exact (every solver) -> book -> flat, space -> build (a book)

A score is seen from the player to move: 0 is a draw, +k wins with k - 1 discs of one's own left
after the winning one, -k loses so. The empty 7x6 board is worth 1.
"""
