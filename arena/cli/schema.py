"""`arena schema`: the tournament file as a JSON Schema."""

from __future__ import annotations


def schema() -> None:
    """Print the JSON Schema of tournament files, for editors.

    With the YAML extension of VS Code, for example: save it as tournament.schema.json and begin a
    tournament with the line `# yaml-language-server: $schema=tournament.schema.json`.

    Example: arena schema > tournament.schema.json
    """
    from arena.cli.actions.tournament_files import print_schema

    print_schema()
