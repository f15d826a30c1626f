"""The cluster runner: the same tables, kept by the workers of a Dask cluster.

    cluster.py       the scheduler and its workers, as the one client sees them
    undisturbed.py   what a worker of this machine does first
    parcel.py        what every worker has to be sent before its first game
    room.py          what a worker keeps: tables, and the chunks of games that are played on them
    admission.py     what a worker has to prove before it gets games
    first_round.py   all workers that are there try all players, before game 1
    worker.py        a worker as its owner at home knows it
    hall.py          who plays at the moment, and the numbers of all tables
    lookout.py       what is on their tables, about once a second, for whoever watches
    runner.py        who owns the agenda: hands out chunks, takes rows back, misses nobody's game

Only cluster.py and room.py know `distributed`, and import it when a cluster is asked for.
"""
