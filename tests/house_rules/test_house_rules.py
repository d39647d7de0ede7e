import pytest

from scoring.common.errors import ServiceError
from scoring.house_rules.services import house_rules
from scoring.models import Club, HouseRules
from tests.factories import ClubFactory, make_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return ClubFactory()


def create(club, name="Friday", preset="levant", options=()):
    return house_rules.create(club=club, name=name, preset=preset, options=dict(options))


def refusals(call, **kwargs):
    with pytest.raises(ServiceError) as caught:
        call(**kwargs)
    return [(problem.code, problem.field) for problem in caught.value.problems]


def default_of(club):
    return Club.objects.get(pk=club.pk).house_rules


def test_first_set_is_the_default_and_the_second_is_not(club):
    friday, pairs = create(club), create(club, " In  pairs ", options={"teams": "opposite"})
    assert default_of(club) == friday
    assert (pairs.name, pairs.system, pairs.preset) == ("In pairs", "levant", "levant")
    assert pairs.options == {"teams": "opposite"}
    house_rules.set_default(club=club, rules=pairs)
    assert default_of(club) == pairs


# The network may die between the save and the answer. C04
def test_same_set_sent_again_is_there_once(club):
    first = create(club, options={"values.king": 100})
    assert create(club, " Friday ", options={"values.king": 100}) == first
    assert HouseRules.objects.get() == first
    given = {"club": club, "name": "Friday", "preset": "levant", "options": {"values.king": 90}}
    assert refusals(house_rules.create, **given) == [("taken", "name")]


def test_set_that_is_gone_cannot_become_the_default(club):
    first, second = create(club), create(club, "Other")
    HouseRules.objects.filter(pk=second.pk).delete()
    assert refusals(house_rules.set_default, club=club, rules=second) == [("gone", "")]
    assert default_of(club) == first


def test_set_keeps_only_what_differs_from_the_system(club):
    rules = create(club, options={"values.king": 75, "values.queen": 30})
    assert rules.options == {"values.queen": 30}


def test_change_gives_a_new_name_and_other_options(club):
    rules = create(club)
    assert rules.ruleset.values.king == 75
    house_rules.change(rules=rules, name="Saturday", options={"values.king": 100})
    kept = HouseRules.objects.get()
    assert (kept.name, kept.options) == ("Saturday", {"values.king": 100})
    assert rules.ruleset.values.king == 100


@pytest.mark.parametrize(
    ("name", "code"), [("", "missing"), ("x" * 41, "too_long"), ("FRIDAY", "taken")]
)
def test_name_is_checked(club, name, code):
    create(club)
    given = {"club": club, "name": name, "preset": "levant", "options": {}}
    assert refusals(house_rules.create, **given) == [(code, "name")]
    other = create(club, "Other")
    assert refusals(house_rules.change, rules=other, name=name, options={}) == [(code, "name")]


def test_two_clubs_may_use_one_name(club):
    create(club)
    assert create(ClubFactory()).name == "Friday"


def test_set_of_the_same_name_may_keep_it(club):
    house_rules.change(rules=create(club), name="friday", options={})
    assert HouseRules.objects.get().name == "friday"


def test_rules_that_exclude_each_other_are_refused_with_every_reason(club):
    options = {"contract_order": "fixed", "combo": "complex", "values.king": -1}
    given = {"club": club, "name": "Friday", "preset": "levant", "options": options}
    assert refusals(house_rules.create, **given) == [
        ("bad_option_value", "values.king"),
        ("impossible_options", "combo"),
    ]
    assert not HouseRules.objects.exists()


def test_set_needs_a_preset_that_there_is(club):
    given = {"club": club, "name": "Friday", "preset": "bridge", "options": {}}
    assert refusals(house_rules.create, **given) == [("unknown_preset", "preset")]


def test_there_are_only_so_many(club, monkeypatch):
    monkeypatch.setattr(house_rules, "MOST_SETS", 1)
    create(club)
    given = {"club": club, "name": "Second", "preset": "levant", "options": {}}
    assert refusals(house_rules.create, **given) == [("too_many", "name")]


def test_deleted_default_is_followed_by_the_oldest(club):
    first, second, third = create(club), create(club, "B"), create(club, "C")
    house_rules.delete(rules=second)
    assert default_of(club) == first
    house_rules.delete(rules=first)
    assert default_of(club) == third
    house_rules.delete(rules=third)
    assert default_of(club) is None


def test_club_without_rules_still_stands_when_they_are_taken_from_the_table(club):
    create(club)
    HouseRules.objects.all().delete()
    assert default_of(club) is None


def test_match_keeps_the_name_and_the_rules_that_it_began_with(club):
    rules = create(club, options={"teams": "opposite"})
    match = make_match(club=club, options=rules.options, preset=rules.preset, rules_name=rules.name)
    house_rules.change(rules=rules, name="Saturday", options={})
    house_rules.delete(rules=rules)
    match.refresh_from_db()
    assert (match.rules_name, match.options) == ("Friday", {"teams": "opposite"})
