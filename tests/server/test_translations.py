"""Every message of the product has its words in every language that is offered."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

ROOT = Path(__file__).parents[2]
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]


@pytest.fixture(scope="module")
def catalogs(tmp_path_factory):
    """The catalogs as `bin/translations` would leave them, made beside the tree."""
    if not shutil.which("xgettext"):
        pytest.skip("xgettext is not installed (Debian: apt install gettext)")
    copy = tmp_path_factory.mktemp("tree")
    for part in ("scoring", "trexscore", "templates"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", copy)
    for code in LANGUAGES:
        (copy / "scoring" / "locale" / code / "LC_MESSAGES").mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--no-obsolete"]
        + [f"--locale={code}" for code in LANGUAGES],
        cwd=copy,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "trexscore.settings"},
        check=True,
        capture_output=True,
    )
    return copy / "scoring" / "locale"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_has_its_words(catalogs, code):
    with (catalogs / code / "LC_MESSAGES" / "django.po").open("rb") as file:
        catalog = read_po(file, locale=code)
    missing = [message.id for message in catalog if message.id and not has_words(message)]
    wrong = [f"{message.id}: {error}" for message, errors in catalog.check() for error in errors]
    assert (missing, wrong) == ([], [])


def has_words(message):
    forms = [message.string] if isinstance(message.string, str) else message.string
    return all(forms) and not message.fuzzy
