"""The cluster runner: the same tables, kept by the workers of a Dask cluster.

    cluster.py   the scheduler and its workers, as the one client sees them
    parcel.py    what every worker has to be sent before its first game
    room.py      what a worker keeps: tables, and the chunks of games that are played on them
    runner.py    who owns the agenda: hands out chunks, takes rows back, misses nobody's game

Only cluster.py knows `distributed`, and imports it when a cluster is asked for.
"""
