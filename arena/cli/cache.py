"""`arena cache`: the compiled kernels on disk, shown and cleared."""

from __future__ import annotations

import typer

from arena.cli.commands import LightGroup
from arena.cli.options import AsJson, option

app = typer.Typer(cls=LightGroup)


@app.callback(invoke_without_command=True)
def cache(context: typer.Context) -> None:
    """Show or clear the compiled kernels."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def show(
    as_json: AsJson = False,
) -> None:
    """Show the cache of compiled kernels.

    Kernels are compiled once for each version of the sources, of Numba and of the processor.
    Kernels of other versions are not used.

    Example: arena cache show
    """
    from arena.cli.actions.doctor import show_caches

    show_caches(as_json)


@app.command()
def clear(
    everything: bool = option(
        False, "--all", "Also remove those of this version; the next run compiles again."
    ),
) -> None:
    """Remove the compiled kernels of other versions.

    It removes only files that Arena wrote to its own cache directory, and never touches the
    directory in NUMBA_CACHE_DIR. It does not disturb a run in progress.

    Example: arena cache clear --all
    """
    from arena.cli.actions.doctor import clear_caches

    clear_caches(everything)
