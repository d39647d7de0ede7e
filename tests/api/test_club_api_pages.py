"""What programs ask of a club, and the deals that they write."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from scoring.api import limits
from scoring.clubs.services import api_keys
from scoring.common.actor import Actor
from scoring.judging.services import disputes
from scoring.models import Club, ClubToken, Deal, Match, MatchEvent, Player
from scoring.standings.queries.standings import standings_page
from tests.factories import (
    NOW,
    PlayerFactory,
    correct,
    evenings,
    finish,
    king,
    make_evening,
    make_match,
    record,
    write,
)
from tests.support.standings import finished

CLUB = "/api/clubs/cafe-younes/"
KING = {"contract": "king", "input": {"king_taken_by": 2}}


@pytest.fixture
def program(cast):
    """A program that holds a key of the club; without cookies, and of another site."""

    def holding(scope="read", club=cast.club):
        secret = api_keys.make(club=club, name="Screen", scope=scope, actor=Actor(), now=NOW)
        client = Client(enforce_csrf_checks=True)
        client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
        return client

    return holding


def post(program, match, body, key="a key", **headers):
    url = reverse("api:deals", args=[match.id])
    given = {"Idempotency-Key": key} if key is not None else {}
    text = body if isinstance(body, str) else json.dumps(body)
    return program.post(url, text, content_type="application/json", headers={**given, **headers})


def problem(response, status):
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    return response.json()["problems"][0]


@pytest.fixture
def evening(cast):
    actor = Actor(cast.amal)
    match = make_evening("evening-levant", club=cast.club, actor=actor)
    return finish(match, actor=actor)


# ── standings ───────────────────────────────────────────────────────────


# The same ranks for programs as on the page. C88
def test_standings_are_those_of_the_page(program, cast, evening):
    found = program().get(f"{CLUB}standings").json()
    page = standings_page(cast.club)
    assert [(row["rank"], row["people"][0]["name"], row["total"]) for row in found["rows"]] == [
        (row.rank, row.player.name, row.record.total) for row in page.rows
    ]
    assert found["criteria"] == ["total", "wins"]
    assert found["families"] == [{"system": "levant", "win": "high", "pairs": False}]
    assert (found["next"], found["is_frozen"], found["season"]) == (None, False, None)
    assert found["rows"][0]["rating"] is None


def test_standings_come_in_pages(program, cast, evening):
    client, seen = program(), []
    url = f"{CLUB}standings?limit=3&by=average"
    while url:
        found = client.get(url).json()
        seen += [row["people"][0]["name"] for row in found["rows"]]
        url = found["next"]
    assert sorted(seen) == sorted(row.player.name for row in standings_page(cast.club).rows)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("after=-1", "after"),
        ("by=luck", "by"),
        ("system=chess&win=low", "system"),
        ("system=levant", "win"),
        ("season=7", "season"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(program, query, field):
    found = problem(program().get(f"{CLUB}standings?{query}"), 400)
    assert (found["code"], found["field"]) == ("bad_value", field)


@pytest.mark.parametrize("since", ["0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"])
def test_moment_that_no_clock_knows_is_refused(program, since):
    found = problem(program().get(f"{CLUB}matches?since={since}"), 400)
    assert (found["code"], found["field"]) == ("bad_value", "since")


def test_another_clubs_season_is_not_there(program, cast):
    season = cast.other_club.seasons.create(name="S", starts_on=NOW.date(), ends_on=NOW.date())
    found = problem(program().get(f"{CLUB}standings?season={season.id}"), 404)
    assert found == {"code": "not_found", "field": "season"}


def test_what_has_not_changed_is_not_sent_again(program, cast, evening):
    client = program()
    for url in (f"{CLUB}standings", f"{CLUB}matches", f"/api/matches/{evening.id}"):
        first = client.get(url)
        again = client.get(url, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert first["Cache-Control"] == "private, no-cache"
        assert "Authorization" in first["Vary"]
        Player.objects.filter(name__startswith="Amal ").update(name=f"Amal {url[-3:]}")
        assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_queries_do_not_grow_with_the_club(program, cast, evening, django_assert_max_num_queries):
    client = program()
    client.get(f"{CLUB}standings")
    for day in range(4):
        make_match(club=cast.club, players=cast.players, entries=[king()], actor=Actor(cast.amal))
        others = PlayerFactory.create_batch(4, club=cast.club)
        points = dict(zip(others, (30, 10, -10, -30), strict=True))
        finished(cast.club, points, at=NOW + timedelta(days=day))
    for url, most, listed in [("standings", 6, "rows"), ("matches", 6, "matches")]:
        with django_assert_max_num_queries(most):
            assert len(client.get(CLUB + url).json()[listed]) > 8


# ── matches ─────────────────────────────────────────────────────────────


def test_matches_come_in_pages_the_last_played_first(program, cast, evening):
    others = [
        make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal)) for _ in range(4)
    ]
    client, seen = program(), []
    url = f"{CLUB}matches?limit=2"
    while url:
        found = client.get(url).json()
        seen += found["matches"]
        url = found["next"]
    assert {each["id"] for each in seen} == {str(match.id) for match in [evening, *others]}
    assert len(seen) == 5
    finished = client.get(f"{CLUB}matches?state=finished").json()["matches"]
    assert [each["id"] for each in finished] == [str(evening.id)]
    assert finished[0]["totals"] == evenings()["evening-levant"]["totals"]
    assert finished[0]["people"][0]["name"] == evenings()["evening-levant"]["players"][0]
    later = {"since": "2027-01-01T00:00:00+02:00"}
    assert client.get(f"{CLUB}matches", later).json()["matches"] == []
    for query in ("since=2027-01-01", f"after={cast.club.id}", "state=won"):
        assert problem(client.get(f"{CLUB}matches?{query}"), 400)["code"] == "bad_value"


def test_a_match_has_every_deal_with_its_points(program, evening):
    found = program().get(f"/api/matches/{evening.id}").json()
    told = evenings()["evening-levant"]
    assert [row["scores"] for row in found["rows"]] == [deal["scores"] for deal in told["deals"]]
    assert found["rows"][0]["input"] == told["deals"][0]["input"] | found["rows"][0]["input"]
    assert found["totals"] == told["totals"]
    assert (found["head"], found["version"], found["next"]) == (evening.head, evening.version, None)
    assert found["winners"] == [0, 2]


def test_what_is_under_review_is_frozen_for_those_outside(program, cast):
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    actor = Actor(cast.amal)
    match = make_match(club=cast.club, players=cast.players, entries=[king(2)], actor=actor)
    write(disputes.flag, match, deal_number=1, actor=actor)
    deal = Deal.objects.get()
    correct(match, deal, king(3), actor=Actor(cast.esam))
    url = f"/api/matches/{match.id}"
    inside, outside = program().get(url).json(), Client().get(url).json()
    assert inside["rows"][0]["scores"] == [0, 0, 0, -75]
    assert outside["rows"][0]["scores"] == [0, 0, -75, 0]
    assert outside["under_review"] == [1]


def test_a_session_counts_for_nothing(cast, phone_of, evening):
    client = phone_of(cast.owner)
    for url in (f"{CLUB}standings", f"{CLUB}matches", f"/api/matches/{evening.id}"):
        assert problem(client.get(url), 404)["code"] == "not_found"
    assert post(client, evening, {}).status_code == 404


def test_a_key_that_opens_nothing_is_401(program, cast):
    for given in ("Bearer trex_nonsense", "Basic abc", "Bearer"):
        response = Client().get(f"{CLUB}standings", headers={"Authorization": given})
        assert problem(response, 401)["code"] == "bad_token"
        assert response["WWW-Authenticate"] == "Bearer"
    foreign = program(club=cast.other_club)
    assert problem(foreign.get(f"{CLUB}standings"), 404)["field"] == "club"


# ── a deal ──────────────────────────────────────────────────────────────


@pytest.fixture
def match(cast):
    return make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))


@pytest.fixture
def writer(program):
    return program("write")


def test_a_deal_is_written_as_from_a_phone(writer, match):
    response = post(writer, match, KING | {"version": 1})
    assert response.status_code == 201
    event, deal = MatchEvent.objects.get(seq=2), Deal.objects.get()
    found = response.json()
    assert (found["id"], found["deal_number"], found["scores"]) == (str(deal.id), 1, [0, 0, -75, 0])
    assert (found["version"], found["head"]) == (2, event.hash)
    assert (found["dealer"], found["leader"], found["chooser"]) == (3, 0, 0)
    assert (event.user, event.device) == (None, ClubToken.objects.get().id)
    match.refresh_from_db()
    assert (match.lease_device, match.version) == (None, 2)


def test_a_deal_that_takes_long_to_read_counts_for_more(writer, match, monkeypatch):
    monkeypatch.setattr(limits, "REQUESTS_PER_SECOND", 1_000_000)
    assert post(writer, match, KING | {"version": 1}).status_code == 201
    assert problem(post(writer, match, KING | {"version": 2}), 429)["code"] == "too_often"


# Ten rapid taps are one row, and each gets the first answer. C02
def test_the_same_key_gets_the_same_answer_and_writes_nothing(writer, match):
    first = post(writer, match, KING | {"version": 1})
    for _ in range(3):
        again = post(writer, match, KING | {"version": 1})
        assert (again.status_code, again.json()) == (201, first.json())
    assert Deal.objects.count() == 1


def test_the_key_of_another_match_or_program_is_another_matter(writer, program, match, cast):
    post(writer, match, KING | {"version": 1})
    other = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    found = problem(post(writer, other, KING | {"version": 1}), 409)
    assert (found["code"], found["field"]) == ("form_expired", "entry_key")
    assert post(program("write"), other, KING | {"version": 1}).status_code == 201


def test_stale_and_closed_are_conflicts(writer, match, cast):
    record(match, king(), actor=Actor(cast.amal))
    found = problem(post(writer, match, KING | {"version": 1}), 409)
    assert found == {"code": "stale", "field": "version", "current_version": 2}
    Match.objects.filter(id=match.id).update(state="finished")
    assert problem(post(writer, match, KING | {"version": 2}), 409)["code"] == "match_closed"


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"version": None}, "missing", "version"),
        ({"version": "1"}, "missing", "version"),
        ({"contract": "kings"}, "unknown_contract", "contract"),
        ({"input": {"king_taken_by": 9}}, "bad_seat", "king_taken_by"),
        ({"chooser": 7}, "bad_seat", "chooser"),
        ({"deal_number": 5}, "wrong_number", "deal_number"),
        ({"dealer": "me"}, "bad_number", "dealer"),
        ({"played_at": "yesterday"}, "bad_date", "played_at"),
        ({"played_at": "0001-01-01T00:00:00+14:00"}, "bad_date", "played_at"),
    ],
)
def test_what_is_wrong_is_said_with_the_codes_of_the_pages(writer, match, change, code, field):
    found = problem(post(writer, match, KING | {"version": 1} | change), 422)
    assert (found["code"], found["field"]) == (code, field)
    assert not Deal.objects.exists()


def test_a_refused_deal_does_not_use_the_key_up(writer, match):
    post(writer, match, KING | {"version": 1, "chooser": 7})
    assert post(writer, match, KING | {"version": 1}).status_code == 201


@pytest.mark.parametrize(
    ("key", "body", "code"),
    [(None, KING, "missing"), ("x" * 201, KING, "too_long"), ("k", "{", "bad_json")],
)
def test_a_request_that_cannot_be_read_is_400(writer, match, key, body, code):
    assert problem(post(writer, match, body, key), 400)["code"] == code


def test_only_a_key_that_writes_writes(program, cast, match):
    assert problem(post(program("read"), match, KING), 403)["code"] == "not_allowed"
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    assert problem(post(Client(), match, KING), 401)["code"] == "missing"
    assert post(program("write", cast.other_club), match, KING).status_code == 403
    assert not Deal.objects.exists()


# ── documents ───────────────────────────────────────────────────────────


def test_the_document_names_what_may_be_asked(writer, match):
    document = Client().get("/api/openapi.json").json()
    paths = document["paths"]
    assert {"/api/clubs/{slug}/standings", "/api/clubs/{slug}/matches"} < set(paths)
    assert set(paths["/api/matches/{match_id}"]["get"]["responses"]) >= {"200", "304", "404"}
    call = paths["/api/matches/{match_id}/deals"]["post"]
    example = call["requestBody"]["content"]["application/json"]["example"]
    assert post(writer, match, example).status_code == 201
    names = {each["name"] for each in call["parameters"]}
    assert {"match_id", "Idempotency-Key"} <= names
    page = Client().get("/api/docs").text
    assert "Idempotency-Key" in page
    assert "Authorization: Bearer" in page


@pytest.mark.parametrize("name", ["standings", "matches", "match", "deals"])
def test_answers_have_the_shape_that_the_document_says(writer, match, evening, name):
    """Every key of an answer stands in its shape, and the other way round."""
    shapes = Client().get("/api/openapi.json").json()["components"]["schemas"]
    found = {
        "standings": lambda: writer.get(f"{CLUB}standings"),
        "matches": lambda: writer.get(f"{CLUB}matches"),
        "match": lambda: writer.get(f"/api/matches/{match.id}"),
        "deals": lambda: post(writer, match, KING | {"version": 1}),
    }[name]().json()
    shape = {"standings": "Standings", "matches": "Matches", "match": "Match", "deals": "Saved"}
    assert set(found) == set(shapes[shape[name]]["properties"])
    for key, inner in {"rows": "Standing", "matches": "Listed", "people": "Seated"}.items():
        if name != "match" or key == "people":
            for row in found.get(key, []):
                assert set(row) == set(shapes[inner]["properties"])
