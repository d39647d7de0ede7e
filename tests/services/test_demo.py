import pytest
from django.core.management import call_command

from scoring.models import Match, MatchState, Verdict
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


def test_demo_has_an_evening_card_by_card_with_one_revoke_that_nobody_noticed():
    call_command("seed_demo")
    verdicts = list(Verdict.objects.order_by("deal_number"))
    assert {verdict.match.state for verdict in verdicts} == {MatchState.FINISHED}
    assert [verdict.deal_number for verdict in verdicts] == list(range(1, 21))
    assert all(verdict.complete for verdict in verdicts)
    wrong = [verdict.codes.split() for verdict in verdicts if not verdict.agrees]
    assert wrong == [["revoke", "revoke_not_entered"]]


def test_demo_is_filled_once():
    call_command("seed_demo")
    before = Match.objects.count()
    call_command("seed_demo")
    assert Match.objects.count() == before
