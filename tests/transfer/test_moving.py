"""A club moves to another installation: nothing is lost, nothing is taken that does not fit."""

import json
import re
import uuid

import pytest
from django.db import connection

from scoring.clubs.services import clubs, invitations
from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.corrections.services import subtotals
from scoring.house_rules.services import house_rules
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services import rebuild
from scoring.judging.services import disputes
from scoring.models import (
    Club,
    Deal,
    DrawnSeat,
    Evening,
    EveningPlayer,
    EveningRound,
    FrozenStanding,
    Invitation,
    LinkKind,
    Match,
    Membership,
    PersonEvent,
    Photo,
    Player,
    Role,
    Season,
    TableLink,
    User,
    Words,
    triggers,
)
from scoring.models.clubs import number_namesakes
from scoring.models.export_schema import OF_CLUB, OF_MATCH
from scoring.people.services import naming
from scoring.people.services import people as persons
from scoring.phones.services import links
from scoring.pictures import LONGEST, Picture
from scoring.players.services import merging
from scoring.transfer.services.club_import.reading import ClubFileRefused
from tests.corrections.test_subtotals import paper_of
from tests.factories import (
    NOW,
    adjust,
    attach,
    correct,
    diamonds,
    evening_record,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    record,
    redeal,
    void,
    write,
)
from tests.pictures.making import HTML, drawn, in_passes, saved
from tests.support import photos
from tests.support.judging import decide
from tests.support.moving import (
    changed,
    changed_row,
    derived_rows,
    exported,
    forget_everything,
    imported,
    names_in,
    text_of,
)
from tests.support.signing import sign

pytestmark = pytest.mark.django_db


def full_club():
    """A club with everything that one can have, so that no table is forgotten."""
    cast = make_cast(is_public=True)
    house_rules.create(club=cast.club, name="Fridays", preset="levant", options={})
    amal, esam = Actor(cast.amal), Actor(cast.esam)
    first = make_evening("evening-levant", club=cast.club, actor=amal)
    correct(first, Deal.objects.get(deal_number=2), king(taken_by=3, chooser=1), actor=amal)
    void(first, Deal.objects.get(deal_number=1), reason="Wrong", actor=amal)
    record(first, evenings()["evening-levant"]["deals"][0], actor=amal)
    attach(first, 2, evening_record("evening-levant", 2), actor=amal)
    photos.attach(first, 1, actor=amal)
    photos.take_back(first, photos.attach(first, 2, actor=amal), actor=amal)
    adjust(first, actor=esam)
    write(disputes.flag, first, deal_number=2, words="It was two", seat=1, actor=Actor(cast.badr))
    decide(first, 2, "stands", reason="It was one", actor=esam)
    finish(first, actor=amal)
    second = make_match(club=cast.club, players=[*cast.players[:3], "زينة"], actor=amal)
    redeal(second, actor=amal)
    record(second, king(), actor=amal)
    links.make(match_id=second.id, kind=LinkKind.TABLE, actor=amal, now=NOW)
    third = make_match(club=cast.club, players=cast.players, actor=amal)
    write(
        subtotals.enter,
        third,
        paper=paper_of(evenings()["evening-levant"]["deals"][:5]),
        actor=amal,
    )
    sign(make_evening("evening-levant", deals=5, club=cast.club, actor=amal), 0, actor=amal)
    _people(cast)
    _season_and_evening(cast, second)
    for _ in rebuild.steps(cast.club):
        pass
    return cast


def _people(cast):
    hidden = Player.objects.get(name="زينة")
    Player.objects.filter(id=hidden.id).update(
        name="Player 5", own_name="زينة", hidden_at=NOW, user=cast.farah
    )
    Club.objects.filter(id=cast.club.id).update(hidden_accounts={str(cast.farah.id): "Player 5"})
    twin = naming.add_player(club=cast.club, name="Amal")
    Player.objects.filter(id=twin.id).update(
        own_name="Amoula", merged_into=cast.players[0], counts_for=cast.players[0]
    )
    number_namesakes(cast.club.id)
    PersonEvent.objects.create(
        club=cast.club, player=twin, other=cast.players[0], kind="merged", user=cast.owner, at=NOW
    )
    invitations.invite(club=cast.club, role=Role.MEMBER, by=cast.owner, now=NOW)
    cast.owner.set_password("a long password")
    cast.owner.email = "owner@example.org"
    cast.owner.save()
    cast.club.refresh_from_db()


def _season_and_evening(cast, match):
    season = Season.objects.create(
        club=cast.club,
        name="Winter",
        starts_on=NOW.date(),
        ends_on=NOW.date(),
        closed_at=NOW,
        closed_by=cast.owner,
    )
    FrozenStanding.objects.create(
        season=season,
        player=cast.players[0],
        system="levant",
        win="high",
        position=1,
        rank=1,
        matches=1,
        total=-5,
        wins=0,
        places=2,
        seats=1,
        rating=1012.25,
    )
    evening = Evening.objects.create(
        club=cast.club, name="Cup", starts_at=NOW, system="levant", created_at=NOW
    )
    EveningPlayer.objects.create(evening=evening, player=cast.players[0])
    drawn = EveningRound.objects.create(
        evening=evening, number=1, method="lot", seed=7, drawn_by=cast.amal, drawn_at=NOW
    )
    DrawnSeat.objects.create(round=drawn, player=cast.players[0], table_number=1, seat=0)
    Match.objects.filter(id=match.id).update(evening=evening, round_number=1, table_number=1)


@pytest.fixture
def cast():
    return full_club()


@pytest.fixture
def file(cast, tmp_path):
    return exported(cast.club, tmp_path / "club.zip")


KEPT: list[bytes] = []


@pytest.fixture
def alone(request, tmp_path):
    """The file where nobody has been yet. It is made once."""
    if not KEPT:
        KEPT.append(request.getfixturevalue("file").read_bytes())
    forget_everything()
    path = tmp_path / "alone.zip"
    path.write_bytes(KEPT[0])
    return path


# Exported, imported where there was nothing, exported again: the same. C110
def test_there_and_back(cast, file, tmp_path):
    text, before = text_of(file), derived_rows()
    kept = {photo.path.name: photo.path.read_bytes() for photo in Photo.objects.all()}
    forget_everything()
    club = imported(file)
    assert text_of(exported(club, tmp_path / "again.zip")) == text
    assert derived_rows() == before
    assert {photo.path.name: photo.path.read_bytes() for photo in Photo.objects.all()} == kept
    assert [str(one) for one in findings() if one.is_fault] == []
    going_on = Match.objects.exclude(evening=None).get()
    record(going_on, diamonds(), actor=Actor(User.objects.get(username="amal")))


def test_every_table_has_rows_in_that_test(alone):
    """Else a table could be forgotten without a word."""
    lines = text_of(alone).split("\n")
    for facts in OF_CLUB:
        assert lines[lines.index(f'"{facts.name}":[') + 1] != "],", facts.name
    assert [
        one.name for one in OF_MATCH if not any(match[one.name] for match in matches_in(alone))
    ] == []


def test_nothing_in_it_opens_anything_or_tells_a_hidden_name(cast, file):
    secrets = [cast.owner.password, cast.owner.email, Invitation.objects.get().token_hash]
    secrets += [TableLink.objects.get().digest, "زينة", "farah"]
    for name in names_in(file):
        if not name.endswith((".jpg", ".xlsx")):
            text = text_of(file, name)
            assert [secret for secret in secrets if secret in text] == [], name


def test_merged_person_has_the_own_name_again_after_the_move(file):
    forget_everything()
    club = imported(file)
    twin, owner = club.players.exclude(merged_into=None).get(), User.objects.get(username="owner")
    assert merging.unmerge(player=twin, actor=Actor(owner), now=NOW).name == "Amoula"


def test_no_own_name_goes_along_of_whoever_is_merged_into_a_hidden_person(cast, tmp_path):
    """Nor of one who counts for somebody hidden, whatever the own row says."""
    amal, act = cast.players[0], {"actor": Actor(cast.owner), "now": NOW}
    for hide in (persons.hide, lambda **_: Player.objects.filter(id=amal.id).update(hidden_at=NOW)):
        hide(player=amal, **act)
        assert "Amoula" not in text_of(exported(cast.club, tmp_path / "club.zip"))
        persons.show(player=amal, **act)
        assert "Amoula" in text_of(exported(cast.club, tmp_path / "club.zip"))


def test_a_file_of_an_older_version_tells_no_own_names(alone):
    def older(lines):
        return [re.sub(r'"own_name":"[^"]*",', "", line) for line in lines]

    club = imported(changed(alone, older))
    assert set(club.players.values_list("own_name", flat=True)) == {""}


def test_accounts_come_as_names_with_which_nobody_can_sign_in(cast, file, tmp_path):
    text = text_of(file)
    forget_everything()
    taken = User.objects.create(username="amal")
    here = User.objects.create(id=cast.esam.id, username="esam", is_superuser=True)
    here.set_password("his own")
    here.save()
    club = imported(file)
    amal = User.objects.get(id=cast.amal.id)
    assert (amal.username, amal.has_usable_password(), amal.email) == ("amal-2", False, "")
    assert club.memberships.get(user=amal).role == Role.SCORER
    assert not Membership.objects.filter(user=taken).exists()
    here.refresh_from_db()
    assert here.check_password("his own")
    assert not User.objects.exclude(id=here.id).filter(is_superuser=True).exists()
    assert text_of(exported(club, tmp_path / "again.zip")) == text


def test_whoever_takes_it_in_may_own_it(alone):
    owner = User.objects.create(username="installer")
    club = imported(alone, owner)
    assert club.memberships.get(user=owner).role == Role.OWNER
    with pytest.raises(ServiceError, match="last_owner"):
        clubs.remove_member(club=club, user_id=owner.id, now=NOW)


def test_another_address_where_it_is_taken(alone):
    assert imported(changed_row(alone, "club", lambda row: row.update(slug="new"))).slug == "new-2"
    forget_everything()
    Club.objects.create(name="Another", slug="cafe-younes")
    assert imported(alone).slug == "cafe-younes-2"


def test_the_match_that_was_played_again_may_have_stayed(cast, tmp_path):
    """It was nobody's then, and is still; its ledger here is right without it."""
    old = make_match(players=["A", "B", "C", "D"], actor=Actor(cast.amal))
    make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal), rematch_of=old)
    file = exported(cast.club, tmp_path / "club.zip")
    imported_into_nothing(file)
    assert Match.objects.filter(rematch_of=None).count() == Match.objects.count()
    assert [str(one) for one in findings() if one.is_fault] == []


def imported_into_nothing(file):
    forget_everything()
    return imported(file)


# ── what does not fit ───────────────────────────────────────────────────


def refused(file) -> ClubFileRefused:
    """Why, with nothing written."""
    before = [facts.model.objects.count() for facts in (*OF_CLUB, *OF_MATCH)]
    with pytest.raises(ClubFileRefused) as found:
        imported(file)
    assert [facts.model.objects.count() for facts in (*OF_CLUB, *OF_MATCH)] == before
    return found.value


def test_a_club_that_is_here_is_not_taken_in_again(file):
    assert (refused(file).code, refused(file).detail) == ("club_is_here", "Café Younes")


STRANGER = str(uuid.UUID(int=7))
CHANGES = [
    ("players", {"name": "x" * 41}, "bad_value"),
    ("players", {"password": "x"}, "bad_value"),
    ("players", {"own_name": "Nobody", "merged_into_id": None}, "bad_value"),
    ("players", {"user_id": STRANGER}, "unknown_reference"),
    ("players", {"club_id": STRANGER}, "wrong_club"),
    ("players", {"merged_into_id": STRANGER}, "unknown_reference"),
    ("players", {"name": "a\x0bb"}, "bad_value"),
    ("players", {"created_at": "0001-01-01T00:00:00+14:00"}, "bad_value"),
    ("accounts", {"username": "\u202eamal"}, "bad_value"),
    ("seasons", {"ends_on": "9999-12-31"}, "bad_value"),
    ("frozen_standings", {"system": "chess"}, "bad_value"),
    ("frozen_standings", {"decided_by": "luck"}, "bad_value"),
    ("frozen_standings", {"seats": 0}, "bad_value"),
    ("house_rules", {"preset": "chess"}, "bad_value"),
    ("club", {"time_zone": "Asia/Nowhere"}, "bad_value"),
    ("club", {"criteria": ["luck"]}, "bad_value"),
    ("club", {"hidden_accounts": {"a": 1}}, "bad_value"),
    ("club", {"slug": "a/b"}, "bad_value"),
    ("memberships", {"role": "king"}, "bad_value"),
    ("house_rules", {"options": {"nonsense": 1}}, "bad_value"),
    ("evenings", {"system": "chess"}, "bad_value"),
    ("matches.match", {"club_id": STRANGER}, "wrong_club"),
    ("matches.match", {"state": "voided"}, "match_changed"),
    ("matches.match", {"version": 3}, "head_differs"),
    ("matches.match", {"evening_id": STRANGER}, "unknown_reference"),
    ("matches.match", {"rules_name": 7}, "bad_value"),
    ("matches.event", {"kind": "deal_voided"}, "event_changed"),
    ("matches.event", {"seq": 9}, "number_gap"),
    ("matches.event", {"user_id": STRANGER}, "unknown_reference"),
    ("matches.deal", {"contract": "fifty_one"}, "row_changed"),
    # The first one may be the one that another names as corrected.
    ("matches.deal", {"id": STRANGER}, "row_missing unknown_reference"),
    ("matches.deal", {"event_id": STRANGER}, "unknown_reference"),
    ("matches.deal", {"match_id": STRANGER}, "unknown_reference"),
    ("matches.seating", {"player_id": STRANGER}, "unknown_reference"),
    ("matches.words", {"text": "Right"}, "words_changed"),
    ("matches.words", {"id": STRANGER}, "row_unnamed"),
    ("matches.photo", {"sha256": "0" * 64}, "row_changed"),
]


def test_whatever_was_changed_is_refused_with_its_place(alone):
    for table, change, code in CHANGES:
        copy = changed_row(alone, table, lambda row, change=change: row.update(change))
        why = refused(copy)
        assert why.code in code.split(), (table, change, why)
        assert why.place.startswith("club.json:"), (table, change)
        assert table.split(".")[0] in why.place, (table, change, why.place)


def matches_in(file):
    lines = text_of(file).split("\n")
    return [
        json.loads(each.removesuffix(",")) for each in lines[lines.index('"matches":[') + 1 : -2]
    ]


def cut(lines, start, count=1):
    at = lines.index(start) + 1
    return lines[:at] + lines[at + count :]


def named(lines, text):
    """The club is called like this."""
    return [line.replace('"Café Younes"', text) for line in lines]


LINES = [
    (lambda lines: ["{}", *lines[1:]], "no_document", "club.json:1"),
    (lambda lines: [lines[0].replace("1,", "2,"), *lines[1:]], "other_version", "club.json:1"),
    (lambda lines: cut(lines, '"club":['), "wrong_club", ""),
    (lambda lines: [line for line in lines if line != '"seasons":['], "missing_list", "club.json"),
    (lambda lines: [*lines[:3], "{nonsense}", *lines[3:]], "unreadable", "club.json:4"),
    (lambda lines: lines[:-3], "unreadable", "club.json"),
    (lambda lines: [*lines[:-1], "more"], "unreadable", "club.json"),
    (lambda lines: [line.replace('"deal":[', '"deal":[7,', 1) for line in lines], "unreadable", ""),
    (lambda lines: [*lines[:2], "[" * 100_000 + ",", *lines[2:]], "unreadable", "club.json:3"),
    (lambda lines: [*lines[:2], lines[2] + ",", *lines[2:]], "twice", "club.json:4"),
    (lambda lines: named(lines, '"A","name":"B"'), "unreadable", "club.json:3"),
    (lambda lines: named(lines, r'"\ud83d"'), "unreadable", "club.json:3"),
    (lambda lines: named(lines, r'["a",{"\u0000":1}]'), "unreadable", "club.json:3"),
    (lambda lines: named(lines, "1e999"), "unreadable", "club.json:3"),
    (lambda lines: cut(lines, '"players":['), "unknown_reference", "club.json"),
]


def test_a_text_that_is_not_whole_is_refused(alone):
    for number, (change, code, place) in enumerate(LINES):
        why = refused(changed(alone, change))
        assert (why.code, why.place[: len(place)]) == (code, place), number


def test_what_is_no_such_archive_is_refused(alone, tmp_path):
    other = tmp_path / "other.zip"
    other.write_bytes(b"no archive")
    assert refused(other).code == "not_a_zip"
    assert refused(changed(alone, None)).code == "no_document"


def test_a_picture_that_is_gone_or_another_is_refused(alone):
    match = next(match for match in matches_in(alone) if match["photo"])
    back = {void["photo_id"] for void in match["void"]}
    standing, taken_back = sorted(match["photo"], key=lambda photo: photo["id"] in back)
    gone = changed(alone, None, f"photos/{standing['id']}.jpg")
    assert (refused(gone).code, refused(gone).detail[:7]) == ("photo_missing", "photos/")
    other = changed(alone, lambda lines: ["another"], f"photos/{standing['id']}.jpg")
    assert refused(other).code == "photo_changed"
    imported(changed(alone, None, f"photos/{taken_back['id']}.jpg"))
    lying = {str(photo.id): photo.path.is_file() for photo in Photo.objects.all()}
    assert lying == {standing["id"]: True, taken_back["id"]: False}


@pytest.mark.parametrize(
    "data", [HTML, saved()[:-50], saved(drawn((LONGEST + 1, 8))), in_passes(1)]
)
def test_what_is_no_picture_of_ours_is_refused_although_its_seal_is_right(tmp_path, data):
    club = make_cast().club
    match = make_match(club=club, players="ABCD", entries=[king()])
    photos.attach(match, 1, Picture(data, 8, 8))
    file = exported(club, tmp_path / "odd.zip")
    forget_everything()
    assert (refused(file).code, refused(file).detail[:7]) == ("bad_value", "photos/")
    assert photos.stored() == (0, [])


def test_people_merged_in_a_circle_are_refused(alone):
    def turn(row):
        row["merged_into_id"] = row["counts_for_id"] = row["id"]

    why = refused(changed_row(alone, "players", turn))
    assert (why.code, why.place) == ("bad_value", "players")


# Who is merged is called, and hidden, as the one that they count for.
@pytest.mark.parametrize("other", [{}, {"hidden_at": "2026-11-01T00:00:00.000000+00:00"}])
def test_people_merged_with_somebody_seen_otherwise_are_refused(alone, other):
    """Two people to whom nothing has happened: neither is merged, merged into, or hidden."""
    by_name = {row["name"]: row for row in json.loads(text_of(alone))["players"]}
    stays = by_name["Carmen"]

    def turn(row):
        into = dict.fromkeys(("merged_into_id", "counts_for_id"), stays["id"])
        row.update(into, **({"name": stays["name"]} | other if other else {}))

    why = refused(changed_row(alone, "players", turn, lambda row: row["name"] == "Badr"))
    assert (why.code, why.detail.split()[0]) == ("bad_value", "merged_into_id")


def test_a_key_that_is_here_already_undoes_everything(alone):
    """Nobody makes the same key twice: somebody has put the file together by hand."""
    taken = matches_in(alone)[0]["event"][0]["entry_key"]
    other = make_match()
    with triggers.without_triggers(connection):
        other.events.update(entry_key=taken)
    assert refused(alone).code == "does_not_fit"
    assert photos.stored() == (0, [])
    assert Words.objects.count() == 0
