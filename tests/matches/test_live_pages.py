"""What followers of a match are answered: nothing new for next to nothing, news once for all."""

import re
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.common.shared_cache import cache_tag, get_or_render
from scoring.ledger.services.lease import take
from scoring.matches.views import live as live_view
from scoring.models import Club, JoinedPhone, LinkKind, Match, TableLink
from tests.factories import NAMES, correct, diamonds, king, make_match, record, void
from tests.support.judging import flag
from tests.support.tables import PHONE, match_of, phone_client, totals, url

pytestmark = pytest.mark.django_db

OTHER = "the phone of somebody else"


@pytest.fixture
def phone():
    return phone_client()


@pytest.fixture
def renderings(monkeypatch):
    """What was drawn: kind and whether publicly."""
    drawn, asked = live_view.drawn, []

    def counting(match, kind, public):
        asked.append((kind, public))
        return drawn(match, kind, public)

    monkeypatch.setattr(live_view, "drawn", counting)
    return asked


def ask(client, match, kind="table", tag=None, **headers):
    known = {"If-None-Match": tag} if tag else {}
    return client.get(url("live", match, kind=kind), headers={**known, **headers})


def joined(match, kind, secret=OTHER):
    """A phone that came by a link."""
    made = {"digest": uuid.uuid4().hex, "made_at": timezone.now()}
    link, _ = TableLink.objects.get_or_create(match=match, kind=kind, defaults=made)
    JoinedPhone.objects.create(
        match=match, link=link, device=device_id(secret), joined_at=timezone.now()
    )
    client = Client()
    client.cookies[COOKIE] = signer().sign(secret)
    return client


def public_match(cast, **opening):
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    return make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal), **opening)


# ── when there is something new ─────────────────────────────────────────


def test_unchanged_is_304_and_every_change_another_tag(phone):
    match = match_of()
    tags = [ask(phone, match)["ETag"]]

    def changed():
        answer = ask(phone, match, tag=tags[-1])
        assert (answer.status_code, bool(answer.content)) == (200, True)
        tags.append(answer["ETag"])
        again = ask(phone, match, tag=tags[-1])
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tags[-1])

    saved = record(match, king(), actor=PHONE)
    changed()
    take(match_id=match.id, actor=Actor(device=uuid.uuid4()), now=timezone.now())
    changed()
    void(match, saved.deal, actor=PHONE)
    changed()
    assert len(set(tags)) == 4


def test_the_page_knows_the_tag_of_what_it_shows(phone):
    match = match_of(entries=[king()])
    tag = ask(phone, match)["ETag"].strip('"')
    for page in ("match", "sheet", "screen"):
        assert f'data-tag="{tag}"' in phone.get(url(page, match)).text


def test_another_build_of_the_site_is_a_change(phone, monkeypatch):
    match = match_of()
    tag = ask(phone, match)["ETag"]
    monkeypatch.setattr("scoring.common.shared_cache.build", lambda: "next")
    assert ask(phone, match, tag=tag).status_code == 200


def test_a_proxy_that_weakens_the_tag_costs_nothing(phone):
    match = match_of()
    assert ask(phone, match, tag=f"W/{ask(phone, match)['ETag']}").status_code == 304


@pytest.mark.parametrize("status", [200, 304])
def test_only_this_phone_may_keep_the_answer_and_asks_each_time(phone, status):
    match = match_of()
    answer = ask(phone, match, tag=ask(phone, match)["ETag"] if status == 304 else None)
    assert answer.status_code == status
    assert {"no-cache", "private"} <= set(answer["Cache-Control"].split(", "))
    assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))


# ── what it costs ───────────────────────────────────────────────────────


def costs(client, match, django_assert_num_queries, number):
    tag = ask(client, match)["ETag"]
    with django_assert_num_queries(number):
        assert ask(client, match, tag=tag).status_code == 304


def test_phone_of_the_table_asks_once(phone, django_assert_num_queries):
    costs(phone, match_of(entries=[king()]), django_assert_num_queries, 1)


def test_visitor_of_a_public_club_asks_once(cast, django_assert_num_queries):
    costs(Client(), public_match(cast), django_assert_num_queries, 1)


@pytest.mark.parametrize("kind", LinkKind)
def test_phone_of_a_link_asks_twice(kind, django_assert_num_queries):
    match = match_of(entries=[king()])
    costs(joined(match, kind), match, django_assert_num_queries, 2)


def test_member_asks_for_who_it_is_besides(cast, phone_of, django_assert_num_queries):
    """Session, account, match, roles."""
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    costs(phone_of(cast.dima), match, django_assert_num_queries, 4)


def test_what_was_drawn_for_another_costs_what_the_right_costs(django_assert_num_queries):
    match = match_of(entries=[king()])
    one, two = (joined(match, LinkKind.VIEW, name) for name in ("one", "two"))
    ask(one, match)
    with django_assert_num_queries(2):
        assert ask(two, match).status_code == 200


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_200_watchers_of_one_change_cost_one_rendering(cast, renderings):
    match = public_match(cast, entries=[king()])
    tag = ask(Client(), match)["ETag"]
    record(match, diamonds(), actor=Actor(cast.amal))
    renderings.clear()

    def watch(_):
        try:
            return ask(Client(), match, tag=tag)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(watch, range(200)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert renderings == [("table", True)]


WORKER = """
import sys, time, django
django.setup()
from scoring.common.shared_cache import get_or_render
def render():
    with open(sys.argv[1], "a") as file:
        file.write("drawn ")
    time.sleep(0.2)
    return "text"
assert get_or_render(sys.argv[2], render, lambda: True) == "text"
"""


def test_workers_share_one_rendering(tmp_path):
    """Each is a process of its own; while one draws, the others wait."""
    drawn, key = tmp_path / "drawn", str(uuid.uuid4())
    environment = {"DJANGO_SETTINGS_MODULE": "trexscore.settings", "TREXSCORE_DATA": str(tmp_path)}
    command = [sys.executable, "-c", WORKER, str(drawn), key]
    workers = [subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment) for _ in range(4)]
    assert [worker.wait(60) for worker in workers] == [0] * 4
    assert drawn.read_text() == "drawn "


def test_each_language_kind_and_right_has_its_own(cast, phone_of, renderings):
    match = public_match(cast, entries=[king()])
    texts = [
        ask(client, match, kind, **{"Accept-Language": language}).text
        for client in (Client(), phone_of(cast.dima))
        for kind in ("table", "sheet")
        for language in ("en", "ar", "en")
    ]
    assert len(renderings) == 8
    assert len(set(texts)) == 4  # nothing is under review: members see what everybody sees
    ask(phone_of(cast.dima), match, "screen")
    assert renderings[-1] == ("screen", True)


def test_what_changed_while_it_was_drawn_is_not_kept(phone, monkeypatch):
    match, drawn = match_of(), live_view.drawn

    def slowly(*asked):
        text = drawn(*asked)
        record(match, king(), actor=PHONE)
        return text

    monkeypatch.setattr(live_view, "drawn", slowly)
    first = ask(phone, match)
    monkeypatch.setattr(live_view, "drawn", drawn)
    assert ask(phone, match, tag=first["ETag"]).status_code == 200


def test_nothing_watched_throws_a_count_out():
    """Failed sign-ins and codes are counted in a cache of their own."""
    assert settings.CACHES["live"]["OPTIONS"]["MAX_ENTRIES"] <= 1000
    assert caches["live"] is not caches["default"]


def test_full_disk_only_costs_time(monkeypatch):
    def full(*_, **__):
        raise OSError("no space left on device")

    monkeypatch.setattr(type(caches["live"]), "set", full)
    assert get_or_render(str(uuid.uuid4()), lambda: "text", lambda: True) == "text"


# ── what stands in it ───────────────────────────────────────────────────


# Each player reads the accepted deal at once on the own phone. C52
@pytest.mark.parametrize("kind", ["table", "sheet", "screen"])
def test_saved_deal_stands_in_the_next_answer(kind):
    match = match_of(entries=[diamonds()])
    watcher = joined(match, LinkKind.VIEW)
    tag = ask(watcher, match, kind)["ETag"]
    record(match, king(), actor=PHONE)
    told = ask(watcher, match, kind, tag=tag).text
    assert "King" in told
    assert "−75" in told
    assert all(name in told for name in NAMES)


@pytest.mark.parametrize("kind", ["table", "news", "sheet", "screen", "nonsense", ""])
def test_no_part_holds_anything_of_its_reader(cast, phone_of, kind):
    match = make_match(
        club=cast.club, players=cast.players, actor=Actor(cast.amal), entries=[king()]
    )
    told = ask(phone_of(cast.amal), match, kind).text
    for own in ("csrf", "<form", "entry_key", "amal"):
        assert own not in told


# What is under review hangs in the room and goes to watchers as it was when it was doubted. C69
@pytest.mark.parametrize("kind", ["table", "sheet", "screen"])
def test_points_under_review_are_frozen_for_those_who_watch(cast, phone_of, kind):
    actor = Actor(cast.amal)
    match = public_match(cast, entries=[king(taken_by=2)])
    before = ask(Client(), match, kind)
    flag(match, actor=actor)
    correct(match, match.deals.get(), king(taken_by=1), actor=actor)
    watched = ask(Client(), match, kind, tag=before["ETag"])
    assert "under review" in watched.text
    assert counted(watched, kind) == [0, 0, -75, 0]
    own = counted(ask(phone_of(cast.amal), match, kind), kind)
    assert own == ([0, 0, -75, 0] if kind == "screen" else [0, -75, 0, 0])


def counted(answer, kind):
    """The four totals."""
    if kind != "sheet":
        return totals(answer)
    foot = answer.text.split("<tfoot>")[1].split("</tr>")[0]
    return [int(text.replace("−", "-")) for text in re.findall(r">([−+]?\d+)</bdi>", foot)]


def test_watchers_are_not_told_which_phone_keeps_score():
    match = match_of(entries=[king()])
    table, view = (joined(match, kind, kind) for kind in LinkKind)
    mine = f'data-lease="{PHONE.device.hex[:8]}"'
    assert mine in ask(table, match, "news").text
    assert "data-lease" not in ask(view, match, "news").text
    assert "Another phone" not in ask(view, match, "news").text


def test_page_of_a_watcher_is_what_is_drawn_for_all():
    """Whoever has nothing to tap gets the same part over the line as with the page."""
    match = match_of(entries=[king(), diamonds()])
    watcher = joined(match, LinkKind.VIEW)
    page = watcher.get(url("match", match))
    assert ask(watcher, match).text.strip() in page.text
    assert "kind=table" in page.text
    assert '<form class="undo' not in page.text
    assert "data-personal" not in page.text
    for state in ("unfinished", "voided"):
        Match.objects.filter(pk=match.pk).update(state=state, closed_at=timezone.now())
        caches["live"].clear()
        assert ask(watcher, match).text.strip() in watcher.get(url("match", match)).text


def test_sheet_is_the_same_over_the_line(phone):
    match = match_of(entries=[king(), diamonds()])
    assert ask(phone, match, "sheet").text.strip() in phone.get(url("sheet", match)).text


# ── whose it is not ─────────────────────────────────────────────────────


@pytest.mark.parametrize("page", ["live", "screen"])
def test_ghassan_sees_nothing(cast, phone_of, page):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    assert phone_of(cast.ghassan).get(url(page, match)).status_code == 404
    assert phone_of(cast.dima).get(url(page, match)).status_code == 200


def test_revoked_link_ends_there_and_then():
    match = match_of()
    watcher = joined(match, LinkKind.VIEW)
    tag = ask(watcher, match)["ETag"]
    TableLink.objects.update(revoked_at=timezone.now())
    assert ask(watcher, match, tag=tag).status_code == 404


def test_tag_follows_from_the_row_alone(django_assert_num_queries):
    match = match_of()
    with django_assert_num_queries(0):
        assert cache_tag(match).startswith(f"{match.version}-")
