"""The live view of a run: what there is to see, how it is laid out, and the screen it is drawn on.

    session -> scene -> snapshot -> layout -> frame -> screen

A *scene* is told what happens and makes a *snapshot* of it when asked; the layout is a pure
function from a snapshot and the size of a window to the lines that are drawn. Nothing here changes
a run.
"""
