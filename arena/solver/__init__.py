"""The perfect judge: exact scores of flat boards, and of ends of games in space.

    exact, book -> flat, space -> boards, building

A score is seen from the player to move: 0 is a draw, +k wins with k - 1 discs of one's own left
after the winning one, -k loses so. The empty 7x6 board is worth 1.
"""
