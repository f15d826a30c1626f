"""Connect Arena from Python: what `arena.play`, `arena.run` and their like do.

A notebook or a script asks for the same things as a command line, and gets them the same way: one
spec, one run, one journal, one report. What a call returns shows itself in a notebook.
"""
