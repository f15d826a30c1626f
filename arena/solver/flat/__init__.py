"""Flat boards in one word: columns x (rows + 1) bits.

patterns, field -> table, order -> settle -> search -> solver
"""
