"""One browser for all tests of pages: starting it takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.report.browser import Browser, browsing


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with nothing open; whoever uses it opens a page of its own."""
    with browsing(tmp_path_factory.mktemp("profile")) as opened:
        yield opened
