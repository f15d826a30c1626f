"""Flat boards in one word: columns x (rows + 1) bits.

bits, field -> bounds, table, order -> settle -> search -> solver
"""
