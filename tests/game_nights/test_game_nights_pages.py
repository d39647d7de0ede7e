"""An evening of several tables, from the phone of whoever hosts it and of those who look."""

import re
import uuid
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.clubs.services import api_keys
from scoring.common.actor import Actor
from scoring.game_nights.queries.game_nights import course_of
from scoring.game_nights.services import game_nights
from scoring.game_nights.views import game_nights as page_of
from scoring.matches.services import matches
from scoring.models import Club, Evening, EveningPlayer, Match, MatchState, Player, Seating
from scoring.standings.queries.standings import Scope, standings_page
from tests.factories import even_entries, king, write
from tests.support.asking import NASTY, errors
from tests.support.evening import (
    begun,
    draw,
    finished,
    open_drawn,
    paired,
    people,
    planned,
    played,
    somebody,
)

pytestmark = pytest.mark.django_db
NEW = "/clubs/cafe-younes/evenings/new/"


@pytest.fixture
def host(cast, phone_of):
    """The phone of the arbiter, who may host and may not touch people's names."""
    return phone_of(cast.esam)


def at(evening, name="evening"):
    return reverse(name, args=[evening.club.slug, evening.id])


def form(**changes):
    given = {"day": "2026-12-04", "time": "20:30", "rules": "levant", "tables_are_open": "on"}
    return {**given, "entry_key": str(uuid.uuid4()), **changes}


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def seen(evening):
    waiting = course_of(evening).waiting
    return waiting.mark if waiting else ""


def post_draw(client, evening, action, **more):
    return client.post(
        at(evening, "evening_draw"), {"action": action, "seen": seen(evening), **more}
    )


# ── planning ────────────────────────────────────────────────────────────


def test_host_plans_an_evening_on_the_clock_of_the_club(cast, host):
    key = str(uuid.uuid4())
    for _ in range(2):  # a tap that is sent twice plans one
        response = host.post(NEW, form(entry_key=key))
    evening = Evening.objects.get()
    assert response.status_code == 303
    assert response["Location"] == at(evening, "evening_people")
    assert evening.starts_at == datetime(2026, 12, 4, 18, 30, tzinfo=UTC)
    assert (evening.name, evening.preset) == ("Evening of 4 December 2026", "levant")
    assert "Evening of 4 December 2026" in text_of(host.get("/clubs/cafe-younes/evenings/"))


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"day": ""}, "day", "required"),
        ({"day": "0001-01-01"}, "day", "invalid"),
        ({"day": "9999-12-31"}, "day", "invalid"),
        ({"name": "x" * 41}, "name", "too_long"),
        ({"rules": "whist"}, "rules", "invalid_choice"),
        ({"in_pairs": "on"}, "in_pairs", "no_teams"),
    ],
)
def test_plan_that_cannot_be_is_told_at_its_field(cast, host, changes, field, code):
    response = host.post(NEW, form(**changes))
    assert response.status_code == 422
    assert errors(response)[field] == [code]


def test_plan_can_be_changed_until_it_begins_and_called_off(cast, host):
    evening = planned(cast.club, cast.players)
    page = at(evening, "evening_edit")
    assert host.post(page, form(name="Finals", rules="kept")).status_code == 303
    evening.refresh_from_db()
    assert (evening.name, evening.system) == ("Finals", "levant")
    draw(evening)
    open_drawn(evening)
    late = host.post(page, {"action": "drop"})
    assert (late.status_code, errors(late, "leaving")) == (422, {"__all__": ["has_begun"]})
    assert 'data-code="has_begun"' in late.text
    assert 'value="Finals"' in late.text  # its form is there as it was
    assert 'data-code="required"' not in late.text
    changed = host.post(page, form(rules="barbu"))
    assert errors(changed)["rules"] == ["has_begun"]
    assert 'data-code="has_begun"' in changed.text
    other = planned(cast.club)
    assert host.post(at(other, "evening_edit"), {"action": "drop"}).status_code == 303
    assert Evening.objects.count() == 1


# ── the host's taps ─────────────────────────────────────────────────────


def test_automatic_name_follows_the_day_and_a_typed_one_stays(cast, host):
    """What the page fills in is sent back as it stands."""
    for typed, later in (("", "Evening of 12 December 2026"), ("Cup", "Cup")):
        host.post(NEW, form(name=typed, day="2026-12-05"))
        evening = Evening.objects.latest("created_at")
        filled = host.get(at(evening, "evening_edit")).context["form"]
        assert filled["name"].value() == typed
        sent = form(name=filled["name"].value(), day="2026-12-12", rules="kept")
        assert host.post(at(evening, "evening_edit"), sent).status_code == 303
        evening.refresh_from_db()
        assert evening.name == later


def test_from_who_is_there_to_open_tables(cast, host):
    evening = planned(cast.club)
    thirteen = [*cast.players, *people(cast.club, 8)]
    ticks = {"was": "", "here": [player.id for player in thirteen]}
    added = host.post(at(evening, "evening_people"), {**ticks, "name": NASTY})
    assert added["Location"] == at(evening, "evening_people")
    assert EveningPlayer.objects.count() == 13
    ticks["was"] = ticks["here"]
    on = host.post(at(evening, "evening_people"), {**ticks, "then": "draw"})
    assert on["Location"] == at(evening, "evening_draw")
    assert NASTY not in host.get(at(evening, "evening_people")).content.decode()

    response = post_draw(host, evening, "lot")
    assert response["Location"] == at(evening, "evening_draw")
    waiting = course_of(evening).waiting
    shown = text_of(host.get(at(evening, "evening_draw")))
    assert "Bye this round:" in shown
    assert "Open all 3 tables" in shown
    said = text_of(host.get(at(evening)))
    assert "Bye this round:" in said
    assert "The tables are not open yet." in said

    moved = somebody(waiting)
    picked = host.get(at(evening, "evening_draw"), {"move": moved.id})
    assert picked.context["moved"] == moved.id
    post_draw(host, evening, "exchange", one=moved.id, other=waiting.byes[0].id)
    assert course_of(evening).waiting.byes == (moved,)
    assert "Changed by hand after the draw." in text_of(host.get(at(evening, "evening_draw")))

    old = seen(evening)
    post_draw(host, evening, "lot")
    late = host.post(at(evening, "evening_draw"), {"action": "open", "number": 1, "seen": old})
    assert (late.status_code, Match.objects.count()) == (409, 0)
    for _ in range(2):
        opened = post_draw(host, evening, "open", number="1")
    assert opened["Location"] == at(evening)
    assert Match.objects.filter(evening=evening, state=MatchState.RUNNING).count() == 3
    blocked = host.get(at(evening, "evening_draw"))
    assert "3 tables still play." in text_of(blocked)
    assert post_draw(host, evening, "meet").status_code == 422


def test_somebody_leaves_and_a_substitute_sits_down(cast, host):
    evening = planned(cast.club, cast.players)
    draw(evening)
    (match,) = open_drawn(evening)
    begun(match, king())
    amal, (new,) = cast.players[0], people(cast.club, 1)
    page = at(evening, "evening_people")
    asked = host.get(page, {"for": amal.id})
    assert "Who sits down for Amal ?" in text_of(asked)
    assert asked.context["substitutes"] == [new]
    substitute = {"action": "substitute", "for": amal.id, "player": new.id}
    response = host.post(page, substitute)
    assert response["Location"] == reverse("match", args=[match.id])
    assert Seating.objects.filter(match=match, player=new, from_deal=2).exists()
    assert host.post(page, {"was": cast.players[1].id}).status_code == 303
    shown = text_of(host.get(page))
    assert "Have left" in shown
    assert len(course_of(evening).here) == 3
    twice = host.post(page, {**substitute, "for": cast.players[2].id})
    assert (twice.status_code, "here_already" in twice.content.decode()) == (422, True)


def test_guest_of_the_same_name_is_asked_about_first_and_no_tick_is_lost(cast, host):
    evening = planned(cast.club, cast.players[:1])
    page, (amal, badr, *_) = at(evening, "evening_people"), cast.players
    ticks = {"was": ["", amal.id], "here": [badr.id], "name": "amal"}
    asked = host.post(page, ticks)
    assert (asked.status_code, errors(asked, "guest")) == (422, {"name": ["same_name"]})
    assert [p for p, _, ticked in asked.context["ticks"] if ticked] == [badr]
    host.post(page, {**ticks, "again": "on"})
    here = course_of(evening).here
    assert sorted(row.player.name for row in here) == ["Badr", "amal (2)"]
    nobody = host.post(page, {"action": "substitute", "for": badr.id, "player": uuid.uuid4()})
    assert (nobody.status_code, "unknown_player" in nobody.content.decode()) == (422, True)


def test_what_another_phone_ticked_meanwhile_stays(cast, host):
    evening = planned(cast.club, cast.players[:1])
    amal, badr, carmen, _ = cast.players
    game_nights.attend(evening_id=evening.id, coming=[carmen])
    host.post(at(evening, "evening_people"), {"was": ["", amal.id], "here": [amal.id, badr.id]})
    assert len(course_of(evening).here) == 3


def test_somebody_of_a_big_club_is_found_by_name_and_the_ticks_are_kept(cast, host):
    evening = planned(cast.club)
    people(cast.club, 70)
    page = at(evening, "evening_people")
    badr = cast.players[1]
    to = host.post(page, {"was": "", "here": [badr.id], "q": "P69", "then": "find"})
    assert to["Location"] == f"{page}?q=P69"
    shown = host.get(to["Location"]).context["ticks"]
    assert [(player.name, here) for player, here, _ in shown] == [("P69", False), ("Badr", True)]


def test_evening_ends_and_is_taken_up_again(cast, host):
    evening = planned(cast.club, cast.players)
    draw(evening)
    (match,) = open_drawn(evening)
    refused = host.post(at(evening), {"action": "end"})
    assert (refused.status_code, "tables_play" in refused.content.decode()) == (422, True)
    write(matches.break_off, match)
    host.post(at(evening), {"action": "end"})
    assert "This evening is over." in text_of(host.get(at(evening)))
    assert "This evening is over." in text_of(host.get(at(evening, "evening_draw")))
    host.post(at(evening), {"action": "resume"})
    evening.refresh_from_db()
    assert evening.ended_at is None


def test_form_that_came_too_late_writes_nothing_and_loses_no_tick(cast):
    evening = planned(cast.club, cast.players)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.esam)
    ticked = cast.players[0]
    for name, data in (
        ("evening", {"action": "end"}),
        ("evening_draw", {"action": "lot", "seen": ""}),
        ("evening_people", {"was": "", "here": ticked.id}),
        ("evening_people", {"was": "", "here": ticked.id, "name": "Zeina"}),
        ("evening_edit", form()),
    ):
        answer = strict.post(at(evening, name), {**data, "csrfmiddlewaretoken": "x" * 64})
        assert (answer.status_code, "form_expired" in answer.text) == (422, True), name
        if name == "evening_people":
            assert [p for p, _, ticks in answer.context["ticks"] if ticks] == [ticked]
    evening.refresh_from_db()
    assert (evening.ended_at, evening.name, evening.rounds.count()) == (None, "Friday", 0)


# ── looking on ──────────────────────────────────────────────────────────


def follow(client, evening, tag=""):
    return client.get(at(evening, "evening_live"), headers={"If-None-Match": tag})


def test_standings_count_what_is_being_played_and_say_so(cast, phone_of):
    evening = planned(cast.club, cast.players)
    draw(evening)
    (match,) = open_drawn(evening)
    seats = dict(Seating.objects.filter(match=match).values_list("seat", "player__name"))
    begun(match, king(taken_by=1))
    page = phone_of(cast.dima).get(at(evening))
    lines = page.context["lines"]
    assert [(line.standing.rank, running) for line, running in lines] == [
        (1, 0),
        (1, 0),
        (1, 0),
        (4, -75),
    ]
    assert [person.name for person in lines[-1][0].people] == [seats[1]]
    assert "▸ Of that is being played. It counts as it stands now." in text_of(page)
    assert "The finished matches of this evening count." not in text_of(page)
    assert "/matches/?system" not in page.text


# A number needs no language of its own: neither that of the club nor of who opened the tables.
def test_drawn_table_is_called_in_the_language_of_the_reader(cast, phone_of):
    evening = planned(cast.club, cast.players)
    draw(evening)
    (match,) = open_drawn(evening)
    dima = phone_of(cast.dima)
    assert "Table 1" in text_of(dima.get(reverse("match", args=[match.id])))
    for page in (reverse("match", args=[match.id]), at(evening), "/clubs/cafe-younes/"):
        shown = text_of(dima.get(page, headers={"Accept-Language": "ar"}))
        assert "الطاولة 1" in shown
        assert "Table 1" not in shown


def test_finished_tables_and_running_ones_stand_in_one_list(cast, phone_of):
    evening = planned(cast.club, cast.players)
    draw(evening)
    finished(open_drawn(evening)[0])
    page = phone_of(cast.dima).get(at(evening))
    assert "♛" not in page.text, "all four are first"
    draw(evening, seed=2)
    (match,) = open_drawn(evening)
    begun(match, king(taken_by=0))
    lines = phone_of(cast.dima).get(at(evening)).context["lines"]
    took = Seating.objects.get(match=match, seat=0).player
    for line, running in lines:
        points = -75 if line.people[0].id == took.id else 0
        done = 0  # everybody took the same
        assert (running, line.record.total, line.record.matches) == (points, done + points, 2)


def test_unchanged_is_304_by_one_look_and_every_change_another_tag(cast, phone, phone_of):
    Club.objects.update(is_public=True)
    evening = planned(cast.club, cast.players)
    tags = [follow(phone, evening)["ETag"]]

    def changed():
        answer = follow(phone, evening, tags[-1])
        assert (answer.status_code, bool(answer.content)) == (200, True)
        tags.append(answer["ETag"])
        with CountedQueries() as counted:
            assert follow(phone, evening, tags[-1]).status_code == 304
        assert counted.number == 1

    (guest,) = people(cast.club, 1)
    game_nights.attend(evening_id=evening.id, coming=[guest])  # on another phone
    changed()
    assert "5 people are there." in text_of(follow(phone, evening))
    game_nights.attend(evening_id=evening.id, leaving=[guest])
    assert follow(phone, evening, tags[0]).status_code == 304  # as before
    tags.pop()
    draw(evening)
    changed()
    (match,) = open_drawn(evening)
    changed()
    begun(match, king())
    changed()
    write(matches.break_off, match)
    changed()
    game_nights.end(evening_id=evening.id, now=timezone.now())
    changed()
    Club.objects.update(names_version=1)  # somebody is called otherwise
    changed()
    assert len(set(tags)) == len(tags)
    page = phone.get(at(evening))
    assert f'data-tag="{tags[-1][1:-1]}"' in page.content.decode()


class CountedQueries:
    def __enter__(self):
        connection.force_debug_cursor, self.before = True, len(connection.queries_log)
        return self

    def __exit__(self, *_):
        self.number = len(connection.queries_log) - self.before
        connection.force_debug_cursor = False


def test_many_who_look_cost_one_drawing_and_nothing_of_a_reader_is_in_it(
    cast, phone_of, monkeypatch
):
    drawn, asked = page_of.drawn, []
    monkeypatch.setattr(page_of, "drawn", lambda *given: asked.append(given) or drawn(*given))
    evening = planned(cast.club, cast.players)
    draw(evening)
    answers = {follow(phone_of(one), evening).content for one in (cast.badr, cast.owner)}
    assert (len(asked), len(answers)) == (1, 1)
    assert b"csrf" not in answers.pop()


def test_queries_do_not_grow_with_rounds(cast, phone_of, django_assert_num_queries):
    evening = planned(cast.club, [*cast.players, *people(cast.club, 4)])
    played(evening)
    with CountedQueries() as once:
        page_of.shown(evening, with_running=True)
    for seed in (2, 3):
        played(evening, seed=seed)
    with django_assert_num_queries(once.number):
        page_of.shown(evening, with_running=True)


# ── a table is closed to those who play elsewhere ───────────────────────


# Club switch: seeing other tables is a question of fairness. C103
def test_closed_table_is_seen_by_its_people_and_the_host_until_it_is_finished(
    cast, phone, phone_of
):
    Club.objects.update(is_public=True)
    others = people(cast.club, 4)
    evening = planned(cast.club, [*cast.players, *others], tables_are_open=False)
    draw(evening, seed=4)
    opened = open_drawn(evening)
    mine = Seating.objects.get(match__in=opened, player=cast.players[1]).match
    other = next(match for match in opened if match != mine)
    Player.objects.filter(id=cast.players[1].id).update(user=cast.badr)
    badr, host = phone_of(cast.badr), phone_of(cast.esam)
    begun(other, king())

    def status(client, match):
        return [client.get(reverse(name, args=[match.id])).status_code for name in PAGES]

    assert status(badr, mine) == status(host, mine) == status(host, other) == [200] * 4
    assert status(badr, other) == status(phone, other) == status(phone, mine) == [404] * 4
    told = text_of(badr.get(reverse("match", args=[other.id])))
    assert "This table is closed while it plays" in told
    looks = badr.get(at(evening))
    assert looks.context["lines"] == []
    assert "−75" not in looks.content.decode()
    assert "Points of a table are shown when its match is finished." in text_of(looks)
    assert "−75" in host.get(at(evening)).content.decode()
    assert follow(badr, evening)["ETag"] != follow(host, evening)["ETag"]
    write(matches.break_off, other)
    assert status(badr, other) == [200] * 4


PAGES = ("match", "sheet", "screen", "live")


# ── pairs ───────────────────────────────────────────────────────────────


def test_partners_are_tapped_and_stand_as_a_pair(cast, host):
    evening = planned(cast.club, cast.players, rules="levant-partners", in_pairs=True)
    page = at(evening, "evening_people")
    amal, badr, carmen, dima = cast.players
    assert "Now tap who plays with Amal ." in text_of(host.get(page, {"one": amal.id}))
    for one, other in ((amal, badr), (carmen, dima)):
        host.post(page, {"action": "pair", "one": one.id, "other": other.id})
    pairs = host.get(page).context["pairs"]
    assert [[row.player.name for row in two] for two in pairs] == [
        ["Amal", "Badr"],
        ["Carmen", "Dima"],
    ]
    draw(evening)
    (match,) = open_drawn(evening)
    begun(match, king(taken_by=0))
    lines = host.get(at(evening)).context["lines"]
    assert sorted(" + ".join(p.name for p in line.people) for line, _ in lines) == [
        "Amal + Badr",
        "Carmen + Dima",
    ]
    assert [running for _, running in lines] == [0, -75]


def test_finished_pairs_stand_on_the_page_as_in_the_standings_of_the_evening(cast, host):
    evening = planned(cast.club, cast.players, rules="levant-partners", in_pairs=True)
    amal, badr, carmen, dima = cast.players
    paired(evening, amal, badr, carmen, dima)
    draw(evening)
    (match,) = open_drawn(evening)
    finished(match, [king(taken_by=1), *list(even_entries())[1:]])
    shown = host.get(at(evening)).context["lines"]
    page = standings_page(cast.club, Scope(evening=evening), of_pairs=True)
    assert [line.standing for line, _ in shown] == list(page.rows)
    assert sorted(row.record.total for row in page.rows) == [-75, 75]
    assert host.get(at(evening)).text.count("♛") == 1
    assert [running for _, running in shown] == [None, None]


# ── the club's page, and a calendar ─────────────────────────────────────


def test_page_of_the_club_and_of_a_match_lead_to_the_evening(cast, host):
    evening = planned(cast.club, cast.players)
    Evening.objects.update(starts_at=timezone.now())
    assert at(evening) in host.get("/clubs/cafe-younes/").content.decode()
    draw(evening)
    (match,) = open_drawn(evening)
    for name in ("match", "sheet"):
        assert at(evening) in host.get(reverse(name, args=[match.id])).content.decode()
    Evening.objects.update(ended_at=timezone.now())
    assert at(evening) not in host.get("/clubs/cafe-younes/").content.decode()


def test_calendar_holds_the_evenings_and_nobodys_name(cast, phone, phone_of):
    evening = planned(cast.club, cast.players, name="مساء الجمعة")
    Evening.objects.update(starts_at=timezone.now())
    feed = f"/clubs/{cast.club.slug}/calendar.ics"
    given = {"club": cast.club, "name": "Phones", "actor": Actor(cast.owner), "now": timezone.now()}
    key, read = (api_keys.make(scope=scope, **given) for scope in ("calendar", "read"))
    answer = phone.get(feed, {"token": key})
    text = answer.content.decode().replace("\r\n ", "")
    assert answer["Content-Type"].startswith("text/calendar")
    assert f"UID:{evening.id}@trexscore" in text
    assert "SUMMARY:مساء الجمعة" in text
    assert f"http://testserver{at(evening)}" in text
    assert not any(name in text for name in ("Amal", "Badr"))
    again = phone.get(feed, {"token": key}, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    for wrong in ("", "trex_x", read):
        assert phone.get(feed, {"token": wrong}).status_code == 404
    assert phone_of(cast.dima).get(feed).status_code == 200
    assert phone_of(cast.ghassan).get(feed).status_code == 404
    theirs = f"/clubs/{cast.other_club.slug}/calendar.ics"
    assert phone.get(theirs, {"token": key}).status_code == 404


# ── not yours ───────────────────────────────────────────────────────────


def test_another_clubs_people_find_nothing_and_no_evening_by_another_address(cast, phone_of):
    evening = planned(cast.club, cast.players)
    ghassan = phone_of(cast.ghassan)
    names = ("evening", "evening_live", "evening_people", "evening_draw", "evening_edit")
    for name in names:
        assert ghassan.get(at(evening, name)).status_code == 404
        own = reverse(name, args=[cast.other_club.slug, evening.id])
        assert ghassan.get(own).status_code == 404
    assert ghassan.get("/clubs/cafe-younes/evenings/").status_code == 404
    assert ghassan.get(NEW).status_code == 404


def test_key_of_another_clubs_evening_opens_and_changes_nothing(cast, host):
    theirs = planned(cast.other_club)
    answer = host.post(NEW, form(entry_key=str(theirs.id)))
    assert (answer.status_code, errors(answer)) == (422, {"entry_key": ["form_expired"]})
    assert Evening.objects.get().club == cast.other_club


@pytest.mark.parametrize("number", ["9" * 5000, "²", "-1"])
def test_round_that_cannot_be_opens_nothing(cast, host, number):
    evening = planned(cast.club, cast.players)
    draw(evening)
    wanted = {"action": "open", "number": number, "seen": seen(evening)}
    assert host.post(at(evening, "evening_draw"), wanted).status_code == 303
    assert not Match.objects.exists()


def test_member_looks_and_only_hosts_act(cast, phone_of):
    evening = planned(cast.club, cast.players)
    dima = phone_of(cast.dima)
    assert dima.get(at(evening)).status_code == 200
    assert dima.post(at(evening), {"action": "end"}).status_code == 403
    for name in ("evening_people", "evening_draw", "evening_edit"):
        assert dima.get(at(evening, name)).status_code == 404
        assert dima.post(at(evening, name), {"action": "lot"}).status_code == 404
