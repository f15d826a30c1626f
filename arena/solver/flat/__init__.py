"""Flat boards in one word: columns x (rows + 1) bits.

bits, field -> bounds, keys, table, order -> settling -> search -> solver
"""
