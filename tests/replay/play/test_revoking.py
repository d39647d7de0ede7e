"""What the revoke rule of a match makes of a recorded revoke. C-L6"""

from scoring.replay.engine import replay
from scoring.replay.play.revoking import as_revoked
from scoring.rules import Double, ruleset
from tests.replay.making import make, tricks

# In the second trick West throws a diamond on clubs; in the third West shows a club.
PLAYS = """
N 2D 3D 4D 5D
E 5C 6C 9D TC
S JC 2C 3C 4C
"""


def revoked(rule, contract="diamonds", plays=PLAYS, **more):
    record = make(contract, tricks(plays), leader=0, **more)
    rules = ruleset("levant", {"revoke": rule})
    return as_revoked(record, replay(record, rules), rules)


def test_what_was_taken_before_stays_and_the_rest_is_the_offenders():
    found = revoked("remaining")
    assert (found.breach.seat, found.breach.trick) == (1, 1)
    assert found.entry.tally.diamonds == (0, 0, 0, 4)
    assert found.points.scores == (0, -90, 0, -40)


def test_under_the_other_reading_the_offender_takes_it_all():
    assert revoked("total").points.scores == (0, -130, 0, 0)


def test_doubler_gains_all_the_same():
    found = revoked("remaining", "queens", doubles=(Double("QS", 2),))
    assert found.points.scores == (0, -125, 25, 0)


def test_without_a_rule_or_without_a_revoke_there_is_nothing_to_say():
    assert revoked("off") is None
    assert revoked("remaining", plays="N 2D 3D 4D 5D") is None


def test_first_of_several_counts():
    twice = f"{PLAYS}S 2S 3D 3S 4S\nS 5S 6S 7S 8S\n"
    assert revoked("remaining", plays=twice).breach.trick == 1
