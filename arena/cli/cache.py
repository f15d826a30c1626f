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

    Arena recompiles a kernel only when its code, Numba or the processor changes.

    Example: arena cache show
    """
    from arena.cli.actions.doctor import show_cache

    show_cache(as_json)


@app.command()
def clear(
    everything: bool = option(False, "--all", "Remove all kernels; the next run compiles again."),
) -> None:
    """Remove compiled kernels unused for 30 days.

    It removes only Arena's own kernels, never those of other programs. It does not disturb a run
    in progress.

    Example: arena cache clear --all
    """
    from arena.cli.actions.doctor import clear_cache

    clear_cache(everything)
