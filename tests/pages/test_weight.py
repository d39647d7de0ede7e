"""What a first visit costs in a café (issue: 60 KB in all, without fonts)."""

import gzip
import re
from pathlib import Path

from django.contrib.staticfiles import finders


def packed(content: bytes) -> int:
    return len(gzip.compress(content, 9))


def weight(response) -> int:
    """The page with everything it loads, compressed, in bytes."""
    files = sorted(set(re.findall(r'(?:href|src)="/static/([^"#]+)', response.text)))
    found = [finders.find(name) for name in files]
    assert all(found), files
    parts = [Path(path).read_bytes() for path in found]
    return packed(response.content) + sum(map(packed, parts))


def test_front_page_is_light(phone):
    assert weight(phone.get("/")) < 30_000
