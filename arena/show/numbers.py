"""Numbers as people read them, the same way on every screen, in every table and picture."""

from __future__ import annotations

from collections.abc import Sequence

UNKNOWN = "—"
PREFIXES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def whole(value: float) -> str:
    """12,345; very many in three digits: 12.3 M."""
    return amount(value) if abs(value) >= 1e7 else f"{value:,.0f}"


def amount(value: float | None) -> str:
    """A rate or a large number in three digits: 310, 12.3 k, 4.56 M."""
    if value is None:
        return UNKNOWN
    for size, letter in PREFIXES:
        if abs(value) >= 0.9995 * size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def in_bytes(value: float) -> str:
    """A size in three digits: 999 B, 2.35 MB."""
    return f"{amount(value)}{'' if value >= 999.5 else ' '}B"


def one_digit(value: float) -> str:
    """One digit after the point: 12.3."""
    return f"{value:z,.1f}"


def two_digits(value: float) -> str:
    """Two digits after the point: 2.65."""
    return f"{value:,.2f}"


def halves(value: float) -> str:
    """Points: 12 or 12.5."""
    return f"{value:,.1f}".removesuffix(".0")


def signed(value: float) -> str:
    """A score with its sign, with as few decimals as it needs: +1.25, -3, 0."""
    text = f"{value:+.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def elo(value: float, digits: int = 1) -> str:
    """A rating, or a difference of ratings, with its sign: +12.3."""
    return f"{value:+z.{digits}f}"


def percent(value: float | None, digits: int = 1) -> str:
    """A share of one: 54.3 %."""
    return UNKNOWN if value is None else f"{100 * value:.{digits}f} %"


def whole_percent(value: float | None) -> str:
    """A share of one without decimals, of which few games know more: 54 %."""
    return percent(value, digits=0)


def percent_range(low: float, high: float, digits: int = 0) -> str:
    """An interval of a share, without the sign: 45–63."""  # noqa: RUF002
    return f"{100 * low:.{digits}f}\N{EN DASH}{100 * high:.{digits}f}"


def two_digit_range(low: float, high: float) -> str:
    """An interval of a figure with two digits: 0.71 to 0.93."""
    return f"{two_digits(low)} to {two_digits(high)}"


def likely(value: float) -> str:
    """A probability; estimates from games are never shown as certain."""
    if 0.0005 <= value < 0.9995:
        return percent(value)
    return "> 99.9 %" if value > 0.5 else "< 0.1 %"


def duration(seconds: float | None) -> str:
    """A measured time in three digits, in the unit that suits it: 2.13 s, 45.2 ms, 310 µs."""
    if seconds is None:
        return UNKNOWN
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= 0.9995 * size or unit == "µs":
            break
    value = seconds / size
    digits = 0 if abs(value) >= 99.95 else 1 if abs(value) >= 9.995 else 2
    return f"{value:,.{digits}f} {unit}" if value else "0 s"


def span(seconds: float) -> str:
    """A length of time as a clock shows it: 0:45, 12:03, 1:02:03, 3 d 4 h."""
    minutes, second = divmod(max(0, round(seconds)), 60)
    hours, minute = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def clock(seconds: float) -> str:
    """A player's time in few characters: milliseconds, tenths, and from a minute on seconds."""
    seconds = max(0.0, seconds)
    if seconds < 0.0995:
        return f"{1000 * seconds:.0f}ms"
    return f"{seconds:.1f}s" if seconds < 59.95 else span(seconds)


def pace(games_a_second: float) -> str:
    """Games a second, or a minute or an hour where they are few."""
    if games_a_second >= 99.95:
        return f"{games_a_second:.0f} games/s"
    if games_a_second >= 0.995:
        return f"{games_a_second:.1f} games/s"
    minute, hour = 60 * games_a_second, 3600 * games_a_second
    return f"{minute:.1f} games/min" if minute >= 0.995 else f"{hour:.1f} games/h"


def how_many(count: int, one: str) -> str:
    """A number with its noun: 1 game, 12,345 games."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def plies(count: int) -> str:
    """A depth: 1 ply, 12 plies."""
    return f"{count:,} {'ply' if count == 1 else 'plies'}"


def listed(words: Sequence[str]) -> str:
    """One, one and two, one, two and three."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
