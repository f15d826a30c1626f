"""Training: engines that get stronger by playing.

    spec, reading -> learner (one of methods) -> train -> checkpoint, curve -> report

A training file is read as a tournament file is. `train` lets the learner play, a few games at a
time, measures it now and then, and saves it; the same command goes on from there. What a method of
learning has to offer stands in `learner`.
"""
