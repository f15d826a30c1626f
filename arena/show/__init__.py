"""One way to show a thing: numbers, names, boards, tables, the terminal, progress."""
