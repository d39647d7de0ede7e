import pytest
from django.core.management import call_command

from scoring.models import Match, MatchState
from scoring.selectors.tables import table_of

pytestmark = pytest.mark.django_db


def test_demo_shows_every_system_played_to_the_end_and_a_running_match(capsys):
    call_command("seed_demo")
    matches = list(Match.objects.order_by("played_at"))
    ended = {match.system for match in matches if match.state == MatchState.FINISHED}
    assert ended == {"levant", "kleshchi", "barbu"}
    assert [match.state for match in matches[-1:]] == [MatchState.RUNNING]
    assert len(table_of(matches[-1]).deals) == 8
    call_command("verify_ledger")


def test_demo_is_filled_once():
    call_command("seed_demo")
    before = Match.objects.count()
    call_command("seed_demo")
    assert Match.objects.count() == before
