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
    """Show where compiled kernels are kept, and how much there is.

    Kernels are compiled once for each state of the sources, of Numba and of the processor; what
    other states have left behind is of no use to this one.

    Example: arena cache show
    """
    from arena.cli.actions.doctor import show_caches

    show_caches(as_json)


@app.command()
def clear(
    everything: bool = option(
        False, "--all", "Those of this version too: the next run compiles again."
    ),
) -> None:
    """Remove the kernels that other versions have left behind.

    Only what the arena itself has put into its cache directory is removed, never a directory that
    NUMBA_CACHE_DIR names. A run that is going on is not disturbed.

    Example: arena cache clear --all
    """
    from arena.cli.actions.doctor import clear_caches

    clear_caches(everything)
