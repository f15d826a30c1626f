"""A Kaggle ConnectX submission: wins if it can, blocks if it must, else plays near the centre."""


def my_agent(observation, configuration):
    columns, rows = configuration.columns, configuration.rows
    board = observation.board  # row by row from the top: 0 is empty, 1 and 2 are the players
    me, opponent = observation.mark, 3 - observation.mark

    def wins(column, mark):
        row = max(r for r in range(rows) if board[r * columns + column] == 0)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                r, c = row + sign * down, column + sign * right
                while 0 <= r < rows and 0 <= c < columns and board[r * columns + c] == mark:
                    length += 1
                    r, c = r + sign * down, c + sign * right
            if length >= configuration.inarow:
                return True
        return False

    free = [column for column in range(columns) if board[column] == 0]
    free.sort(key=lambda column: abs(column - columns // 2))
    for mark in (me, opponent):
        for column in free:
            if wins(column, mark):
                return column
    return free[0]
