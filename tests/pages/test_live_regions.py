"""What is said to a screen reader: by one region that is there before its words come. A region that
arrives together with its text is not read out by all of them."""

import re
from pathlib import Path

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
TAGS = re.compile(r'<[a-z]+ [^<>]*\brole="(?:alert|status)"[^<>]*>')
# There with the page, filled or emptied later: by the script, or at the start of the page only.
LASTING = {
    "_toasts.html",
    "base.html",
    "common/_as_of.html",
    "matches/kit.html",
    "matches/match/_lease.html",
    "access/_elevation.html",
}


def test_no_region_arrives_together_with_its_words():
    found = {
        str(path.relative_to(TEMPLATES)): tag
        for path in TEMPLATES.rglob("*.html")
        for tag in TAGS.findall(path.read_text(encoding="utf-8"))
        if " hidden" not in tag
    }
    assert set(found) == LASTING
