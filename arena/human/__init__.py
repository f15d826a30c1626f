"""People at the board: the menu, levels, a game in progress, and the games they have played."""
