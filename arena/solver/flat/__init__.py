"""Flat boards in one word: columns x (rows + 1) bits.

bits -> table, order -> search
"""
