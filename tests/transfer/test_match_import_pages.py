"""The page that imports matches: sent, looked at, imported; and its guide."""

import re
from datetime import date, timedelta
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone

from scoring.common import jobs, kept_files
from scoring.importing.columns import COLUMNS
from scoring.importing.limits import PAGE as LIMITS
from scoring.integrity.queries.integrity import findings
from scoring.models import Job, Match, Player
from scoring.transfer.services.import_files import import_file
from tests.factories import CASES, PlayerFactory, evenings
from tests.importing.files import as_csv, as_json, as_xlsx, csv_of, evening, read, table
from tests.support.asking import NASTY, errors
from tests.support.markup import flat
from tests.support.tables import codes

PAGE = "/clubs/cafe-younes/import/"
THREE = ("evening-levant", "evening-kleshchi", "evening-barbu")


@pytest.fixture(autouse=True)
def all_in_one_request(monkeypatch):
    """Imports never take too long for one request, however busy the machine is."""
    monkeypatch.setattr("scoring.transfer.views.imports.MAX_SECONDS", 1000)


def send(client, data, name="evenings.json", **more):
    file = SimpleUploadedFile(name, data)
    return client.post(PAGE, {"action": "look", "file": file, **more})


def looked(client, data, **more):
    """The page that shows a file, and its token."""
    response = send(client, data, **more)
    assert response.status_code == 303, codes(response)
    token = re.search(r"file=(\w+)", response.url)[1]
    return client.get(response.url), token


def bring_in(client, token, **more):
    return client.post(PAGE, {"action": "import", "file": token, **more})


def statuses(page):
    return re.findall(r'data-status="(\w+)"', page.text)


@pytest.mark.parametrize("form", [as_json, as_csv, as_xlsx])
def test_three_evenings_are_looked_at_and_come_in_with_one_tap(cast, phone_of, form):
    client = phone_of(cast.owner)
    page, token = looked(client, form(*(evening(name) for name in THREE)))
    assert statuses(page) == ["new"] * 3
    assert not Match.objects.exists()
    response = bring_in(client, token)
    assert response.status_code == 303
    after = client.get(response.url)
    assert statuses(after) == ["here"] * 3
    for match in Match.objects.all():
        assert f"/matches/{match.id}/" in after.text
        assert client.get(f"/matches/{match.id}/sheet/").status_code == 200
    assert not list(findings())


def test_page_shows_totals_and_new_people_before_anything_is_written(cast, phone_of):
    page, _ = looked(phone_of(cast.owner), as_json(evening()))
    for total in ("+190", "−170", "+175", "−195"):
        assert total in page.text
    new = [person.name for person in page.context["people"]]
    assert new == ["Amal Haddad", "Carmen الخوري"]
    assert Player.objects.filter(club=cast.club).count() == 4


def test_text_is_pasted_instead_of_a_file(cast, phone_of):
    client = phone_of(cast.owner)
    response = client.post(PAGE, {"action": "look", "text": as_json(evening()).decode()})
    assert response.status_code == 303
    assert statuses(client.get(response.url)) == ["new"]


# A file need not be sent twice, and sending it twice adds nothing. C110
def test_importing_again_finds_everything_here(cast, phone_of):
    client = phone_of(cast.owner)
    _, token = looked(client, as_json(evening()))
    bring_in(client, token)
    bring_in(client, token)
    _, again = looked(client, as_json(evening()))
    bring_in(client, again)
    assert Match.objects.count() == 1


def test_refused_match_is_named_with_its_line_and_the_others_come_in(cast, phone_of):
    client = phone_of(cast.owner)
    bad = evening("evening-barbu")
    bad["deals"][3]["input"] = {}
    page, token = looked(client, as_json(evening(), bad, indent=1))
    assert statuses(page) == ["new", "refused"]
    assert codes(page) == ["missing"]
    assert re.search(r"line \d+, column \d+, deal 4", page.text)
    bring_in(client, token)
    assert [match.external_id for match in Match.objects.all()] == ["evening-levant"]


def test_file_without_anything_to_import_comes_back_with_its_problems(cast, phone_of):
    response = send(phone_of(cast.owner), b"a;b\n1;2\n", "evening.csv")
    assert response.status_code == 422
    assert codes(response) == ["missing_column"]
    assert not Match.objects.exists()


def test_first_fifty_problems_are_told_and_how_many_more(cast, phone_of):
    rows = table(*(evening(name) for name in THREE))
    for row in rows[1:]:
        row[rows[0].index("contract")] = "nonsense"
    response = send(phone_of(cast.owner), csv_of(rows), "evening.csv")
    assert response.status_code == 422
    assert codes(response) == ["unknown_contract"] * 50
    assert "and 22 more problems" in response.text


@pytest.mark.parametrize("data", [{}, {"text": "  "}])
def test_nothing_sent_is_said(cast, phone_of, data):
    response = phone_of(cast.owner).post(PAGE, {"action": "look", **data})
    assert response.status_code == 422
    assert errors(response) == {"__all__": ["missing"]}


def test_file_without_matches_is_said_to_have_none(cast, phone_of):
    response = phone_of(cast.owner).post(PAGE, {"action": "look", "text": "[]"})
    assert response.status_code == 422
    assert codes(response) == ["no_matches"]


# A year that was mistyped would stand above everything for years.
def test_match_that_is_still_to_come_is_refused_at_its_cell(cast, phone_of):
    client, now = phone_of(cast.owner), timezone.now()
    for days, status in ((1, 303), (3, 422), (800, 422)):
        when = now + timedelta(days=days)
        for text in (f"{when:%Y-%m-%d}", when.isoformat(timespec="seconds")):
            response = send(client, as_json(evening(played_at=text)))
            assert response.status_code == status, (text, codes(response))
    assert codes(response) == ["in_the_future"]
    assert "line 1, column" in response.text
    rows = table(evening())
    for row in rows[1:]:
        row[rows[0].index("played_at")] = f"{when:%Y-%m-%d}"
    response = send(client, csv_of(rows))
    assert codes(response) == ["in_the_future"]
    assert "(\u2068played_at\u2069)" in response.text


# Text may be as long as a file, and what is longer is refused in words.
@pytest.mark.parametrize("form", [MULTIPART_CONTENT, "application/x-www-form-urlencoded"])
def test_text_that_is_too_long_is_told_at_its_field(cast, phone_of, form):
    client = phone_of(cast.owner)

    def paste(length):
        data = {"action": "look", "text": "[]" + " " * (length - 2)}
        sent = data if form == MULTIPART_CONTENT else urlencode(data)
        return client.post(PAGE, sent, content_type=form, headers={"accept": "text/html"})

    assert codes(paste(LIMITS.size)) == ["no_matches"]
    response = paste(LIMITS.size + 1)
    assert (response.status_code, errors(response)) == (422, {"text": ["too_big"]})
    response = paste(LIMITS.size + 2_000_000)
    assert (response.status_code, codes(response)) == (413, ["too_big"])
    assert "Nothing was saved" in response.text


def test_file_that_is_too_big_is_refused_before_it_is_read(cast, phone_of):
    response = send(phone_of(cast.owner), b" " * (LIMITS.size + 1))
    assert response.status_code == 422
    assert errors(response) == {"file": ["too_big"]}


def test_more_than_two_thousand_deals_are_sent_to_the_command(cast, phone_of):
    matches = [evening(external_id="evening-levant") | {"external_id": str(n)} for n in range(101)]
    response = send(phone_of(cast.owner), as_json(*matches))
    assert response.status_code == 422
    assert codes(response) == ["too_many_deals"]
    assert "import_matches" in response.text


# Nearly the same name may be the same person: asked before a second one is made. C91, C95
def test_name_written_otherwise_may_be_ticked_as_somebody_of_the_club(cast, phone_of):
    client = phone_of(cast.owner)
    known = PlayerFactory(club=cast.club, name="Haddad, Amal".replace(",", ""))
    page, token = looked(client, as_json(evening()))
    assert 'name="same" value="Amal Haddad"' in page.text
    bring_in(client, token, same=["Amal Haddad", "Carmen الخوري"])
    seated = Match.objects.get().seatings.order_by("seat").values_list("player__name", flat=True)
    assert list(seated) == [known.name, "Badr", "Carmen الخوري", "Dima"]


def test_kept_file_belongs_to_who_sent_it(cast, phone_of):
    _, token = looked(phone_of(cast.owner), as_json(evening()))
    cast.club.memberships.filter(user=cast.esam).update(role="owner")
    other = phone_of(cast.esam)
    assert other.get(f"{PAGE}?file={token}").status_code == 404
    assert bring_in(other, token).status_code == 404
    assert not Match.objects.exists()


@pytest.mark.parametrize("token", ["0" * 32, "../../etc/passwd", "٣" * 32, "x"])
def test_file_that_is_not_there_is_asked_for_again(cast, phone_of, token):
    response = phone_of(cast.owner).get(PAGE, {"file": token})
    assert response.status_code == 404
    assert codes(response) == ["gone"]


def test_kept_files_go_after_a_day_and_the_oldest_of_many_first(cast):
    now = timezone.now()
    sent = {"club": cast.club, "user": cast.owner, "data": b"[]"}
    first = kept_files.keep(**sent, now=now)
    for _ in range(kept_files.MOST):
        last = kept_files.keep(**sent, now=now)
    assert kept_files.kept(club=cast.club, user=cast.owner, token=last) == b"[]"
    kept_files.keep(**sent, now=now + 2 * kept_files.KEPT_FOR + timedelta(minutes=1))
    for token in (first, last):
        assert kept_files.kept(club=cast.club, user=cast.owner, token=token) is None


def test_form_that_lay_open_too_long_keeps_the_text_and_writes_nothing(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner)
    text = as_json(evening()).decode()
    response = client.post(PAGE, {"action": "look", "text": text})
    assert response.status_code == 422
    assert codes(response) == ["form_expired"]
    assert response.context["form"]["text"].value() == text
    plain = Client()
    plain.force_login(cast.owner)
    _, token = looked(plain, as_json(evening()))
    late = bring_in(client, token)
    assert late.status_code == 422
    assert codes(late) == ["form_expired"]
    assert not Match.objects.exists()


@pytest.mark.parametrize("name", ["amal", "badr", "esam"])
def test_only_owners_import(cast, phone_of, name):
    client = phone_of(getattr(cast, name))
    assert client.get(PAGE).status_code == 404
    assert send(client, as_json(evening())).status_code == 404
    assert not Match.objects.exists()


def test_ghassan_sees_and_imports_nothing(cast, phone_of):
    _, token = looked(phone_of(cast.owner), as_json(evening()))
    ghassan = phone_of(cast.ghassan)
    assert ghassan.get(PAGE).status_code == 404
    assert ghassan.get(f"{PAGE}?file={token}").status_code == 404
    assert send(ghassan, as_json(evening())).status_code == 404
    assert bring_in(ghassan, token).status_code == 404
    # In his own club the token leads nowhere.
    own = ghassan.post("/clubs/cafe-ghassan/import/", {"action": "import", "file": token})
    assert own.status_code == 404
    assert not Match.objects.exists()


# Names of a file are text, whatever they begin with. C121
@pytest.mark.parametrize("name", [NASTY, "=1+1", "+33", "-Dima", "@SUM(A1)"])
def test_name_of_a_file_is_shown_literally(cast, phone_of, name):
    client = phone_of(cast.owner)
    match = evening(players=[name, "Badr", "Carmen", "Dima"])
    page, token = looked(client, as_csv(match), name="evening.csv")
    assert NASTY not in page.text
    bring_in(client, token)
    assert Player.objects.filter(club=cast.club, name=name).exists()


def test_unfinished_match_is_said_to_be_one(cast, phone_of):
    client = phone_of(cast.owner)
    page, token = looked(client, as_json(evening(deals=12)))
    assert "12 of 20 deals" in page.text
    bring_in(client, token)
    assert Match.objects.get().state == "unfinished"


def test_match_corrected_since_is_said_to_differ(cast, phone_of):
    client = phone_of(cast.owner)
    _, token = looked(client, as_json(evening()))
    bring_in(client, token)
    other = evening()
    first = other["deals"][0]
    first["input"]["tricks"] = [5, 0, 3, 5]
    for deal in other["deals"]:
        del deal["scores"], deal["totals"]
    del other["totals"]
    page, _ = looked(client, as_json(other))
    assert statuses(page) == ["differs"]
    assert "Its deals here are not those of the file; they stay as they are." in page.text
    assert "differs from the file" in page.text


def test_match_on_another_day_is_moved_where_it_is_ticked(cast, phone_of):
    client = phone_of(cast.owner)
    _, token = looked(client, as_json(evening()))
    bring_in(client, token)
    page, token = looked(client, as_json(evening(played_at="2026-11-10 21:00")))
    assert statuses(page) == ["moved"]
    assert "Same people and deals, but played on" in page.text
    bring_in(client, token)
    match = Match.objects.get()
    assert match.played_at.day == 12
    after = client.get(bring_in(client, token, move=str(match.id)).url)
    assert "1 match moved." in after.text
    assert statuses(after) == ["here"]
    assert Match.objects.get().played_at.day == 10


def test_order_of_day_and_month_is_asked_once_before_the_look(cast, phone_of):
    client = phone_of(cast.owner)
    page, token = looked(client, as_json(evening(played_at="3/4/2026")))
    assert [f'value="{order}">' in page.text for order in ("day", "month")] == [True, True]
    assert "3 April 2026</button>" in page.text
    assert "4 March 2026</button>" in page.text
    page = client.get(f"{PAGE}?file={token}&dates=month")
    assert statuses(page) == ["new"]
    assert '<input type="hidden" name="dates" value="month">' in page.text
    after = client.get(bring_in(client, token, dates="month").url)
    assert statuses(after) == ["here"]
    assert Match.objects.get().played_at.date() == date(2026, 3, 4)


def test_look_shows_the_day_of_the_club(cast, phone_of):
    client = phone_of(cast.owner)
    page, _ = looked(client, (CASES / "files" / "midnight.csv").read_bytes())
    assert "night of 1 May 2026 00:00" in flat(page)
    page, _ = looked(client, (CASES / "files" / "dateonly.xlsx").read_bytes())
    assert "16 March 2026 12:00" in flat(page)


def test_looking_asks_the_same_of_three_matches_and_of_one(
    cast, phone_of, django_assert_num_queries
):
    client = phone_of(cast.owner)
    _, one = looked(client, as_json(evening()))
    with django_assert_num_queries(6):
        client.get(f"{PAGE}?file={one}")
    _, three = looked(client, as_json(*(evening(name) for name in THREE)))
    with django_assert_num_queries(6):
        client.get(f"{PAGE}?file={three}")


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_example_can_be_imported_as_it_is(phone, kind):
    response = phone.get(f"/import/?example={kind}")
    assert "attachment" in response["Content-Disposition"]
    (match,) = read(response.content)
    assert not match.faults
    assert (len(match.deals), match.totals) == (5, (65, -195, 145, -15))


def test_guide_explains_every_column(phone):
    text = phone.get("/import/").text
    for column in COLUMNS:
        assert f">{column.name}<" in text, column.name


def test_three_evenings_are_those_of_the_cases():
    assert set(THREE) == set(evenings())


# Two ticks that make one person of two at a table are refused as a whole. C95
def test_ticks_that_seat_one_person_twice_import_nothing(cast, phone_of):
    client = phone_of(cast.owner)
    PlayerFactory(club=cast.club, name="José")
    match = evening(players=["José", "Jose", "Carmen", "Dima"])
    page, token = looked(client, as_json(match))
    assert "Jose" in [person.name for person in page.context["people"] if person.similar]
    response = bring_in(client, token, same="Jose")
    assert response.status_code == 422
    assert codes(response) == ["same_person"]
    assert "checked" in response.text
    assert not Match.objects.exists()
    assert bring_in(client, token).status_code == 303
    assert Match.objects.count() == 1


def test_date_of_the_guide_stands_by_itself(client):
    assert "\u20682026-11-12 20:15\u2069" in client.get("/import/").text


# -- in the background


@pytest.fixture
def no_time(monkeypatch):
    """Everything takes too long for somebody who waits."""
    monkeypatch.setattr("scoring.transfer.views.imports.MAX_SECONDS", -1)


def test_what_takes_long_goes_on_in_the_background(cast, phone_of, no_time):
    client = phone_of(cast.owner)
    _, token = looked(client, as_json(*(evening(name) for name in THREE)))
    response = bring_in(client, token)
    assert (response.status_code, response.url) == (303, f"{PAGE}?job=1")
    assert not Match.objects.exists()
    page = client.get(response.url)
    assert 'data-state="waiting"' in page.text
    assert 'hx-trigger="every 2s"' in page.text
    assert "A file is being imported" in client.get(PAGE).text
    jobs.run(Job.objects.get().id)
    assert Match.objects.filter(state="finished").count() == 3
    page = client.get(response.url, headers={"hx-request": "true"})
    assert "3 of 3 matches imported." in page.text
    assert "<html" not in page.text
    assert "every 2s" not in page.text
    assert statuses(client.get(f"{PAGE}?file={token}")) == ["here"] * 3
    assert f"?file={token}" in page.text
    assert not list(findings())


def test_answers_hold_in_the_background(cast, phone_of, no_time):
    client = phone_of(cast.owner)
    PlayerFactory(club=cast.club, name="Jean-Noël")
    match = evening(players=["Jean Noel", "Badr", "Carmen", "Dima"], played_at="3/4/2026")
    _, token = looked(client, as_json(match))
    bring_in(client, token, dates="month", same="Jean Noel")
    jobs.run(Job.objects.get().id)
    seated = Match.objects.get().seatings.get(seat=0).player
    assert seated.name == "Jean-Noël"
    assert Match.objects.get().played_at.date() == date(2026, 3, 4)


def test_match_is_moved_in_the_background(cast, phone_of, monkeypatch):
    client = phone_of(cast.owner)
    _, token = looked(client, as_json(evening()))
    bring_in(client, token)
    monkeypatch.setattr("scoring.transfer.views.imports.MAX_SECONDS", -1)
    _, token = looked(client, as_json(evening(played_at="2026-11-10 21:00")))
    bring_in(client, token, move=str(Match.objects.get().id))
    jobs.run(Job.objects.get().id)
    assert Match.objects.get().played_at.day == 10
    assert Job.objects.get().found["moved"] == 1


def test_work_that_was_stopped_goes_on_where_it_was(cast, phone_of, no_time):
    client = phone_of(cast.owner)
    _, token = looked(client, as_json(*(evening(name) for name in THREE)))
    bring_in(client, token)
    job = Job.objects.get()
    work = import_file(job)
    next(work), next(work)
    assert Match.objects.count() == 1
    job.done = 1
    assert [(step.done, step.total) for step in import_file(job)] == [(1, 3), (2, 3), (3, 3)]
    assert Match.objects.count() == 3


def test_file_that_is_kept_no_more_is_said(cast, phone_of, no_time):
    client = phone_of(cast.owner)
    _, token = looked(client, as_json(evening()))
    bring_in(client, token)
    for path in kept_files._folder().rglob("*"):
        path.is_file() and path.unlink()
    jobs.run(Job.objects.get().id)
    assert codes(client.get(f"{PAGE}?job=1")) == ["gone"]


def test_second_file_waits_for_the_first(cast, phone_of, no_time):
    client = phone_of(cast.owner)
    _, one = looked(client, as_json(evening()))
    _, two = looked(client, as_json(evening("evening-barbu")))
    bring_in(client, one)
    after = client.get(bring_in(client, two).url)
    assert "Another file is being imported. Import this one afterwards." in after.text
    assert Job.objects.get().found["file"] == one


def test_progress_is_for_owners(cast, phone_of):
    assert phone_of(cast.badr).get(f"{PAGE}?job=1").status_code in (403, 404)
    response = phone_of(cast.owner).get(f"{PAGE}?job=1")
    assert (response.status_code, response.url) == (303, PAGE)
