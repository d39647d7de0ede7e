"""A statement that is written down once says and does what Django's own would."""

from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from scoring.models import Club, Deal, Kingdom, Match, MatchEvent, Membership, Seating, StandingDeal
from scoring.models.written import Written, insert, update
from tests.factories import ClubFactory, MembershipFactory, correct, diamonds, king, make_match

pytestmark = pytest.mark.django_db


def own(row):
    """Every column of a row."""
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def values(row):
    """The same with those of what was read with it."""
    read = row._state.fields_cache.items()
    return own(row) | {name: other and values(other) for name, other in read}


QUERIES = {
    "a match with its club": lambda id: Match.objects.select_related("club", "evening").filter(
        pk=id
    ),
    "its deals with their events": lambda id: (
        Deal.objects.filter(standing__match=id).select_related("event").order_by("deal_number")
    ),
    "its seats with their people": lambda id: (
        Seating.objects.filter(match=id).select_related("player").order_by("event__seq", "seat")
    ),
    "its kingdoms": lambda id: Kingdom.objects.filter(match=id),
}


@pytest.mark.parametrize("build", QUERIES.values(), ids=QUERIES)
def test_it_finds_what_the_query_finds(build, django_assert_num_queries):
    asked, other = (make_match(entries=[king(), diamonds()]) for _ in range(2))
    correct(asked, Deal.objects.get(match=asked, deal_number=1), king(taken_by=1))
    written = Written(UUID, build)
    assert written(other.id)
    with django_assert_num_queries(1):
        found = written(asked.id)
    expected = list(build(asked.id))
    assert [values(row) for row in found] == [values(row) for row in expected]
    assert found == expected
    assert [type(row) for row in found] == [type(row) for row in expected]


def test_who_is_not_there_is_nobody():
    written = Written(UUID, QUERIES["a match with its club"])
    assert written(uuid4()) == []
    assert written.one(uuid4()) is None


def test_a_key_may_be_a_word():
    club, _ = ClubFactory(slug="cafe"), ClubFactory(slug="house")
    written = Written(str, lambda slug: Club.objects.filter(slug=slug))
    assert [written.one(slug) for slug in ("cafe", "elsewhere")] == [club, None]


def test_what_was_not_read_with_it_is_read_when_asked(django_assert_num_queries):
    match = make_match(entries=[king()])
    deal = Written(UUID, lambda id: Deal.objects.filter(match=id)).one(match.id)
    with django_assert_num_queries(1):
        assert deal.event.match_id == match.id


def test_a_row_is_locked_only_in_a_transaction(django_assert_num_queries):
    match = make_match()
    written = Written(UUID, lambda id: Match.objects.select_for_update(no_key=True).filter(pk=id))
    with transaction.atomic(), django_assert_num_queries(1) as asked:
        assert written.one(match.id) == match
    locks = "FOR NO KEY UPDATE" in asked.captured_queries[0]["sql"]
    assert locks == (asked.connection.vendor == "postgresql")


def test_inserted_rows_are_those_that_save_would_write(django_assert_num_queries):
    match = make_match(entries=[king()])
    deal = Deal.objects.get(match=match)
    kingdom = Kingdom(match=match, chooser=3, position=4)
    event = MatchEvent(
        match=match,
        seq=90,
        kind="deal_recorded",
        subject_kind="deal",
        subject_id=uuid4(),
        content={"rows": [["deal", "é", None]], "facts": {"أ": True}},
        prev_hash="",
        hash="0" * 64,
        entry_key=uuid4(),
        on_version=2,
        entered_at=timezone.now(),
    )
    for row in (kingdom, event):
        with django_assert_num_queries(1):
            insert([row])
        assert row._state.adding is False
        assert own(type(row).objects.get(pk=row.pk)) == own(row)
    StandingDeal.objects.filter(match=match).delete()
    several = [StandingDeal(match=match, deal=deal, deal_number=1, kingdom=kingdom)]
    several.append(StandingDeal(match=match, deal=other_deal(), deal_number=2))
    with django_assert_num_queries(1):
        insert(several)
    assert set(StandingDeal.objects.filter(match=match)) == set(several)


def other_deal():
    deal = Deal.objects.get(match=make_match(entries=[king()]))
    StandingDeal.objects.filter(deal=deal).delete()
    return deal


def test_nothing_is_inserted_without_a_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        insert([])


def test_a_moment_that_is_set_by_itself_is_set():
    membership = MembershipFactory.build(club=ClubFactory(), user=MembershipFactory().user)
    before = timezone.now()
    insert([membership])
    assert before <= Membership.objects.get(pk=membership.pk).created_at <= timezone.now()


def test_only_the_named_fields_are_written(django_assert_num_queries):
    club = ClubFactory(name="Old", is_public=False)
    before = own(club)
    with django_assert_num_queries(1):
        assert update(club, {"name": "Café يونس"})
    assert own(Club.objects.get(pk=club.pk)) == before | {"name": "Café يونس"}
    assert own(club) == before


def test_a_row_is_written_only_while_it_is_as_it_was():
    match = make_match(entries=[king()])
    was = {"version": match.version, "head": match.head}
    assert not update(match, {"version": 9}, **was | {"head": "other"})
    assert not update(Match(), {"version": 9}, **was)
    assert Match.objects.get(pk=match.pk).version == match.version
    assert update(match, {"version": 9}, **was)
    assert not update(match, {"version": 10}, **was)
