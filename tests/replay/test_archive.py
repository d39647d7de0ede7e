"""Which notation a source has."""

import pytest

from scoring.replay.archive import kind_of


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        ('[Id "a"]', "text"),
        ("% note\n[Id", "text"),
        ('{note} [Id "a"]', "text"),
        ("W KH", "text"),
        ("", "text"),
        ('[{"id"', "json"),
        ("[\n {", "json"),
        ("[]", "json"),
        ("[", "json"),
        ('\ufeff {"id"', "json"),
        ("{\n", "json"),
        ("nonsense\n" + '{"id": 1}', "json"),
    ],
)
def test_the_notation_is_known_by_its_beginning(start, kind):
    assert kind_of(start) == kind
