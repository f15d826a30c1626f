"""The live view of a run: what there is to see, how it is laid out, and the screen it is drawn on.

    run -> state -> snapshot -> frame -> screen

The state of a run is fed with what happens and makes a *snapshot* of it when asked; a frame is a
pure function from its content and the size of a window to the lines that are drawn. Nothing here
changes a run.
"""
