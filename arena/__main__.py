"""`python -m arena` is the command `arena`."""

from arena.cli import main

if __name__ == "__main__":
    main()
