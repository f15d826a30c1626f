"""Grading a class: every student's file against the same opponents, by the same expectations.

    students/*.py + grading.yaml -> a tournament each -> verdicts -> one table of who passed what

A grading file is a tournament file in which the engine `student` stands for each file in turn.
"""
