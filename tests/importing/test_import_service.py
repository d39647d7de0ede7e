"""What importing writes: the same as typing, once, all of a match or nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from scoring.common.errors import ServiceError
from scoring.house_rules.services import house_rules
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.services.chain import Write
from scoring.matches.services import matches
from scoring.models import Deal, Match, MatchEvent, MatchResult, Player
from scoring.people.services import people
from scoring.transfer.queries.imports import ImportStatus, loose_name
from scoring.transfer.services.imports import import_match
from tests.factories import NOW, PHONE, ClubFactory, PlayerFactory, evenings, finish, make_evening
from tests.importing.bringing import bring_in, look, row_counts, statuses
from tests.importing.files import as_csv, as_json, as_lines, as_xlsx, evening

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
THREE = ("evening-levant", "evening-kleshchi", "evening-barbu")
FORMS = {"json": as_json, "lines": as_lines, "csv": as_csv, "xlsx": as_xlsx}


def assert_nothing_wrong():
    assert not list(findings())
    for match in Match.objects.all():
        assert not rebuild(match_id=match.id)


# Old spreadsheets and files of other programs come in. C90, C110
@pytest.mark.parametrize("form", FORMS)
def test_three_evenings_come_to_the_totals_of_their_files(club, form):
    bring_in(club, FORMS[form](*(evening(name) for name in THREE)))
    for name in THREE:
        match = Match.objects.get(external_id=name)
        view = match_view(match)
        assert list(view.sheet.totals) == evenings()[name]["totals"]
        running = [list(row.totals) for row in view.sheet.rows]
        assert running == [deal["totals"] for deal in evenings()[name]["deals"]]
        assert [seat.name for seat in view.seats] == evenings()[name]["players"]
        assert match.state == "finished"
    assert_nothing_wrong()


def test_file_of_the_cases_is_taken_with_its_records_and_unknown_keys(club):
    whole = [{**evenings()[name], "mood": "good", "redeals": []} for name in THREE]
    assert len(bring_in(club, as_json(*whole, indent=9))) == 3


def test_imported_match_is_the_one_that_typing_makes(club):
    bring_in(club, as_json(evening()))
    typed = make_evening("evening-levant", club=ClubFactory())
    finish(typed)
    imported = Match.objects.get(external_id="evening-levant")

    def events(match):
        rows = MatchEvent.objects.filter(match=match).order_by("seq")
        return list(rows.values_list("seq", "kind", "subject_kind", "on_version"))

    def deals(match):
        fields = ("deal_number", "dealer", "chooser", "leader", "contract", "forced", "payload")
        return list(Deal.objects.filter(match=match).order_by("deal_number").values(*fields))

    def results(match):
        rows = MatchResult.objects.filter(match=match).order_by("seat")
        return list(rows.values_list("seat", "deals", "points", "total", "place"))

    for facts in (events, deals, results):
        assert facts(imported) == facts(typed)


def test_it_was_played_then_and_entered_now(club):
    later = NOW + timedelta(days=400)
    bring_in(club, as_json(evening()), now=later)
    played_at = datetime(2026, 11, 12, 18, 15, tzinfo=UTC)
    match = Match.objects.get()
    assert (match.played_at, match.opened_at, match.closed_at) == (played_at, later, later)
    for event in MatchEvent.objects.all():
        assert event.entered_at == later
        assert event.played_at == (None if event.kind == "match_finished" else played_at)
    assert {result.played_at for result in MatchResult.objects.all()} == {played_at}


def test_time_without_an_offset_is_on_the_clock_of_the_club(club):
    match = evening(played_at="2026-11-12 20:15")
    bring_in(club, as_json(match))
    assert Match.objects.get().played_at == datetime(2026, 11, 12, 18, 15, tzinfo=UTC)


def test_seats_of_the_table_are_kept_as_given(club):
    match = evening()
    match["deals"][0] |= {"dealer": 2, "leader": 3}
    bring_in(club, as_json(match))
    first = Deal.objects.get(deal_number=1)
    assert (first.dealer, first.chooser, first.leader) == (2, 1, 3)
    assert Match.objects.get().first_chooser == 1


def test_rules_are_called_as_the_club_calls_them(club):
    house_rules.create(club=club, name="Ours", preset="levant", options={"values.trick": 20})
    ours = evening(deals=1) | {"options": {"values.trick": 20}, "external_id": "ours"}
    ours["deals"][0] |= {"scores": None, "totals": None}
    pairs = evening(deals=1) | {"options": {"teams": "opposite"}, "external_id": "pairs"}
    bring_in(club, as_json(ours | {"totals": None}, pairs))
    labels = Match.objects.order_by("external_id").values_list("preset", "rules_name")
    assert list(labels) == [("levant", "Ours"), ("levant-partners", "")]


# -- known again


@pytest.mark.parametrize("form", FORMS)
def test_same_file_twice_adds_nothing(club, form):
    data = FORMS[form](*(evening(name) for name in THREE))
    bring_in(club, data)
    before = row_counts()
    assert statuses(club, data) == ["here"] * 3
    assert not any(each.is_new for each in bring_in(club, data))
    assert row_counts() == before


@pytest.mark.parametrize("form", FORMS)
def test_two_equal_evenings_under_two_ids_stay_two(club, form):
    two = (evening(), evening() | {"external_id": "another"})
    bring_in(club, FORMS[form](*two))
    assert Match.objects.count() == 2


def test_match_without_an_id_is_known_by_players_time_and_deals(club):
    match = evening(external_id="evening-levant") | {"external_id": ""}
    bring_in(club, as_json(match))
    assert Match.objects.get().external_id.startswith("sha256:")
    same = evening() | {"external_id": None, "played_at": "2026-11-12T18:15:00Z"}
    assert statuses(club, as_csv(same)) == ["here"]
    later = same | {"played_at": "2026-11-12T18:16:00Z"}
    others = same | {"players": ["Amal Haddad", "Badr", "Carmen الخوري", "Dina"]}
    assert statuses(club, as_json(later, others)) == ["new", "new"]


def test_person_renamed_since_does_not_bring_the_match_in_again(club):
    match = evening() | {"external_id": ""}
    bring_in(club, as_json(match))
    club.players.filter(name="Badr").update(name="Badr K.")
    assert statuses(club, as_json(match)) == ["here"]


def test_match_twice_in_one_file_comes_in_once(club):
    assert statuses(club, as_json(evening(), evening())) == ["new", "again"]
    bring_in(club, as_json(evening(), evening()))
    assert Match.objects.count() == 1


def test_one_id_for_two_matches_of_a_file_is_refused(club):
    other = evening("evening-kleshchi") | {"external_id": "evening-levant"}
    found = look(club, as_json(evening(), other)).matches
    assert [str(each.status) for each in found] == ["new", "refused"]
    assert [fault.code for fault in found[1].faults] == ["id_twice"]


def test_same_id_in_another_club_is_another_match(club):
    bring_in(club, as_json(evening()))
    bring_in(ClubFactory(), as_json(evening()))
    assert Match.objects.count() == 2


# -- people


# Whoever the club knows is that person; the others are listed before they are made. C91
def test_people_are_found_by_name_and_the_others_are_guests(club):
    match = evening(players=["  AMAL ", "Badr", "زياد", "Dima"])
    found = look(club, as_json(match))
    assert [person.name for person in found.new_people] == ["زياد"]
    bring_in(club, as_json(match))
    assert club.players.count() == 5
    assert club.players.get(name="زياد").is_guest
    seated = Match.objects.get().seatings.order_by("seat").values_list("player__name", flat=True)
    assert list(seated) == ["Amal", "Badr", "زياد", "Dima"]


def test_new_person_of_two_matches_is_one_guest(club):
    match = evening(players=["Zeina", "Badr", "Carmen", "Dima"])
    other = evening("evening-kleshchi", players=["Badr", "zeina", "Carmen", "Dima"])
    assert len(look(club, as_json(match, other)).new_people) == 1
    bring_in(club, as_json(match, other))
    assert club.players.count() == 5


def test_person_put_away_is_found_unless_another_has_the_name_now(club):
    club.players.filter(name="Badr").update(archived_at=NOW)
    bring_in(club, as_json(evening(players=["Amal", "Badr", "Carmen", "Dima"])))
    assert club.players.count() == 4
    new = PlayerFactory(club=club, name="Badr")
    second = evening(players=["Amal", "Badr", "Carmen", "Dima"]) | {"external_id": "second"}
    (kept,) = bring_in(club, as_json(second))
    assert kept.match.seatings.get(seat=1).player == new


def test_name_that_two_people_have_is_refused(club):
    PlayerFactory(club=club, name="badr")
    (found,) = look(club, as_json(evening())).matches
    assert [fault.code for fault in found.faults] == ["namesakes"]


def test_namesake_who_came_in_between_refuses_the_match_whole(club):
    (planned,) = look(club, as_json(evening())).matches
    PlayerFactory(club=club, name="badr")
    before = row_counts()
    with pytest.raises(ServiceError, match="namesakes"):
        import_match(planned=planned, club=club, actor=PHONE, now=NOW)
    assert row_counts() == before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("أحمد علي", "احمد علي"),
        ("Amal Haddad", "haddad AMAL"),
        ("فاطمة", "فاطمه"),
        ("ليلى", "ليلي"),
        ("مُحَمَّد", "محمد"),
        ("محـمد", "محمد"),
        ("Hédi", "Hedi"),
        ("Jean-Noël", "Jean Noel"),
    ],
)
# What people leave out or mix up does not hide who is meant. C95
def test_names_that_may_be_one_are_found_alike(club, one, other):
    known = PlayerFactory(club=club, name=one)
    assert loose_name(one) == loose_name(other)
    found = look(club, as_json(evening(players=[other, "Badr", "Carmen", "Dima"])))
    assert [person.similar for person in found.new_people] == [known]


# -- unfinished


# Not every evening is played to its end; such a one counts nowhere. C42
def test_match_with_fewer_deals_is_kept_as_unfinished(club):
    bring_in(club, as_json(evening(deals=7)))
    match = Match.objects.get()
    assert (match.state, match.current_deals.count()) == ("unfinished", 7)
    assert not MatchResult.objects.exists()
    assert_nothing_wrong()


def test_unfinished_match_is_taken_up_and_finished(club):
    bring_in(club, as_json(evening(deals=19)))
    match = Match.objects.get()
    matches.reopen(Write(match.id, match.id, match.version, PHONE, NOW))
    match.refresh_from_db()
    assert match_view(match).turn.deal_number == 20
    assert match.is_running


def test_refused_match_cannot_be_forced_in(club):
    (planned,) = look(club, as_json(evening(players=["Amal"]))).matches
    assert planned.status == ImportStatus.REFUSED
    with pytest.raises(ServiceError):
        import_match(planned=planned, club=club, actor=PHONE, now=NOW)
    assert not Match.objects.exists()
    assert Player.objects.count() == 4


# -- people whose names were changed


def test_former_name_of_a_hidden_person_makes_no_new_guest(club):
    rana = PlayerFactory(club=club, name="Rana")
    people.rename(player=rana, name="Rana Khoury", actor=PHONE, now=NOW)
    people.hide(player=rana, actor=PHONE, now=NOW)
    for name in ("Rana", "rana khoury", "Player 1"):
        match = evening(players=["Amal", name, "Carmen", "Dima"]) | {"external_id": name}
        assert look(club, as_json(match)).new_people == ()
        (kept,) = bring_in(club, as_json(match))
        assert kept.match.seatings.get(seat=1).player == rana
    assert club.players.count() == 5


def test_former_name_of_others_is_only_offered(club):
    badr = club.players.get(name="Badr")
    people.rename(player=badr, name="Bader", actor=PHONE, now=NOW)
    (person,) = look(club, as_json(evening(players=["Amal", "Badr", "Carmen", "Dima"]))).new_people
    assert (person.name, person.similar) == ("Badr", badr)


def test_former_names_can_be_read_nowhere_and_are_forgotten(club):
    badr = club.players.get(name="Badr")
    people.rename(player=badr, name="Bader", actor=PHONE, now=NOW)
    badr.refresh_from_db()
    assert len(badr.former_names) == 1
    assert "badr" not in str(badr.former_names).casefold()
    people.anonymise(player=badr, actor=PHONE, now=NOW)
    badr.refresh_from_db()
    assert badr.former_names == []
