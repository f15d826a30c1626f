"""Games and the workers that play them: referee, clocks, records, local and Dask runners."""
