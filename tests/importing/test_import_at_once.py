"""One file from two phones at the same moment. Real transactions, on both databases."""

import pytest

from scoring.integrity.queries.integrity import findings
from scoring.models import Match, Player
from scoring.transfer.queries.imports import ImportStatus
from scoring.transfer.services.imports import import_match
from tests.factories import NOW, PHONE, ClubFactory
from tests.importing.bringing import look
from tests.importing.files import as_json, evening
from tests.ledger.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def importing(club, data):
    planned = look(club, data).of(ImportStatus.NEW)
    return lambda: [
        import_match(planned=each, club=club, actor=PHONE, now=NOW).is_new for each in planned
    ]


def test_two_imports_of_one_file_at_once_give_one():
    club = ClubFactory()
    data = as_json(evening(), evening("evening-kleshchi") | {"external_id": ""})
    came = at_once(*[importing(club, data)] * 4)
    assert [sum(each) for each in zip(*came, strict=True)] == [1, 1]
    assert Match.objects.count() == 2
    assert Player.objects.count() == 8
    assert not list(findings())


def test_new_person_of_two_files_at_once_is_one_guest():
    club = ClubFactory()
    people = ["Zeina", "Badr", "Carmen", "Dima"]
    files = [evening(players=people) | {"external_id": str(number)} for number in range(3)]
    at_once(*(importing(club, as_json(match)) for match in files))
    assert Match.objects.count() == 3
    assert sorted(club.players.values_list("name", flat=True)) == sorted(people)
