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

    A kernel is compiled again only when its code, Numba or the processor has changed.

    Example: arena cache show
    """
    from arena.cli.actions.doctor import show_cache

    show_cache(as_json)


@app.command()
def clear(
    everything: bool = option(False, "--all", "Remove all kernels: the next run compiles again."),
) -> None:
    """Remove the kernels that were not used for 30 days.

    Only the arena's own kernels are removed, never those of other programs. A run that is going
    on is not disturbed.

    Example: arena cache clear --all
    """
    from arena.cli.actions.doctor import clear_cache

    clear_cache(everything)
