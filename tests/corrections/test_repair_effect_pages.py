"""The effect of a repair that is shown equals what it does, field by field."""

import re
import uuid

import pytest
from django.utils.html import strip_tags

from scoring.common import words
from scoring.corrections.queries.dependents import hanging
from scoring.corrections.services import seats
from scoring.entry.forms.entry import raw_of
from scoring.history.presenters.match_adjustments import adjusted
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.results import points_of_people
from scoring.ledger.queries.signatures import units
from scoring.ledger.queries.snapshots import seating_rows
from tests.factories import (
    adjust,
    attach,
    evening_record,
    make_cast,
    make_evening,
    redeal,
    write,
)
from tests.support import photos
from tests.support.judging import LATER, by, flag
from tests.support.signing import sign_all
from tests.support.tables import url

pytestmark = pytest.mark.django_db
ROLES = {"chooses": "chooser", "deals": "dealer", "plays first": "leader"}
REPAIRS = {
    "seats": {"entered_by": "person", "from_deal": 1, "sat.0": 1, "sat.1": 0, "sat.2": 2},
    "seats by place": {"entered_by": "seat", "from_deal": 3, "sat.0": 3, "sat.3": 0, "sat.1": 1},
    "person": {"seat": 2, "name": "Elie", "from_deal": 3},
    "chooser": {"one": 1, "other": 3},
    "places": {"one": 2, "other": 4},
    "contract": {"one": "diamonds", "contract": "tricks"},
    "forgotten": {"one": 3},
    "phantom": {"one": 4},
    "phantom last": {"one": 7},
    "forgotten before what hangs": {"one": 1},
    "phantom before what hangs": {"one": 1},
}


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def match(cast):
    """A kingdom and a half with a penalty, four signatures and a disputed deal."""
    match = make_evening("evening-levant", 7, club=cast.club)
    adjust(match, points=(0, 0, -40, 0), after_deal=4)
    redeal(match)
    sign_all(match)
    flag(match, 2, actor=by(cast.badr))
    match.refresh_from_db()
    return match


def state(match):
    """What can be seen of a match: totals by name, deals, penalties, signatures."""
    match = type(match).objects.get(id=match.id)
    view = match_view(match)
    deals = {}
    for number, deal in view.deals.items():
        names = words.first_names(view.names_at(number))
        roles = {name: names[getattr(deal, name)] for name in ("chooser", "dealer")}
        roles["leader"] = "" if deal.leader is None else names[deal.leader]
        points = view.sheet.row_of(number).points
        deals[number] = {
            **roles,
            "contract": deal.contract,
            "points": points,
            "forced": deal.forced,
        }
    given = [adjusted(row, view.names_at(row.after_deal)) for row in view.table.adjustments]
    hung = sorted(
        [("adjustment", row.after_deal) for row in view.table.adjustments]
        + [("redeal", row.deal_number) for row in view.table.redeals]
        + [(kind, number) for (kind, _), number in hanging(match).items()]
    )
    signed = [
        view.seats[row.seat].name for unit in units(view, LATER) for row in unit.signatures if row
    ]
    totals = list(view.sheet.totals)
    rows = seating_rows(match)
    names = {row.player_id: row.player.name for row in rows}
    people = {names[one]: n for one, n in points_of_people(view.sheet, rows).items()}
    return {
        "reviews": list(view.reviews),
        "people": people,
        "deals": deals,
        "penalties": given,
        "signed": signed,
        "hanging": hung,
        "totals": totals,
    }


NO_DEAL = {"contract": "", "points": None, "forced": False}


def post(client, match, action, kind, **fields):
    match.refresh_from_db()
    data = {"action": action, "entry_key": uuid.uuid4(), "version": match.version, **fields}
    return client.post(url("repair", match, what=kind.split()[0]), data)


def forget(match, number, client):
    """Removes a deal of the match; what is posted to insert it again."""
    deal = match_view(match).deals[number]
    facts = {"contract": deal.contract, **raw_of(deal.entry)}
    given = {"one": number, "reason": "never played"}
    assert post(client, match, "apply", "phantom", **given).status_code == 303
    return facts


@pytest.mark.parametrize("kind", REPAIRS)
def test_what_is_shown_is_what_happens(cast, match, phone_of, kind):
    client, before, fields = phone_of(cast.owner), state(match), dict(REPAIRS[kind])
    if kind.endswith("what hangs"):
        attach(match, 5, evening_record("evening-levant", 5))
        photos.attach(match, 6)
        four = [own[-1].player_id for own in match_view(match).sittings]
        given = {"players": [*four[:2], "Elie", four[3]], "from_deal": 4, "reason": "late"}
        write(seats.reseat, match, **given)
        before = state(match)
    if kind.startswith("forgotten"):  # a deal that was removed is entered again
        fields |= forget(match, fields["one"], client)
        before = state(match)
    if kind == "contract":  # two counts are exchanged
        own = {"deal__contract": "diamonds", "deal_number__lte": 5}
        fields["one"] = match.current_deals.get(**own).deal_number
    page = post(client, match, "look", kind, **fields)
    assert page.status_code == 200, page.context["form"].problems
    effect = page.context["effect"]
    assert post(client, match, "apply", kind, reason="typed so", **fields).status_code == 303
    after = state(match)
    shown = {deal.number for deal, _ in effect["deals"]}
    for deal, roles in effect["deals"]:
        was, now = (each["deals"].get(deal.number, NO_DEAL) for each in (before, after))
        either = was["contract"] or now["contract"]
        assert (deal.old, deal.new) == (was["contract"] or either, now["contract"] or either)
        assert (deal.before, deal.after) == (was["points"], now["points"])
        assert (deal.was_forced, deal.now_forced) == (was["forced"], now["forced"])
        said = {ROLES[str(role)]: (old, new) for role, old, new in roles}
        both = NO_DEAL not in (was, now)
        names = ("chooser", "dealer", "leader") if both else ()
        changed = {name: (was[name], now[name]) for name in names if was[name] != now[name]}
        assert said == changed, deal.number
    untouched = before["deals"].keys() - shown
    assert all(before["deals"][one] == after["deals"][one] for one in untouched)
    assert {*before["deals"]} ^ {*after["deals"]} <= shown
    if not effect["moved"]:  # somebody else sits down: that is compared by points
        for each in (before, after):
            each["hanging"] = [one for one in each["hanging"] if one[0] != "seating"]
    gone = [(code, old) for code, old, _ in effect["moved"]]
    come = [(code, new) for code, _, new in effect["moved"]]
    assert (
        sorted([*(one for one in before["hanging"] if one not in gone), *come])
        == (after["hanging"])
    )
    missing = {*range(1, max(after["deals"]) + 1)} - {*after["deals"]}
    assert missing == ({effect["missing"]} if effect["missing"] else set())
    pairs = zip(before["penalties"], after["penalties"], strict=True)
    assert effect["penalties"] == [pair for pair in pairs if pair[0] != pair[1]]
    assert len(effect["lost"]) == len(before["signed"]) - len(after["signed"])
    assert effect["reviewed"] == [one for one in before["reviews"] if one in shown]
    assert {one.name: one.after for one in effect["lines"]} == after["people"]


def test_the_page_names_what_hangs_on_the_deals(cast, match, phone_of):
    page = post(phone_of(cast.owner), match, "look", "seats", **REPAIRS["seats"])
    said = " ".join(strip_tags(page.text).split())
    assert "These signatures are lost" in said
    assert "Deal 2 is under review." in said


def test_in_kingdoms_the_chooser_is_wrong_from_a_deal_on(cast, phone_of):
    match = make_evening("evening-levant", 7, club=cast.club)
    client = phone_of(cast.owner)
    page = client.get(url("repair", match, what="chooser")).text
    assert 'name="from_deal"' in page
    first = match_view(match).deals[6].chooser
    other = next(
        seat for seat in range(4) if seat not in (first, match_view(match).deals[1].chooser)
    )
    fields = {"one": first, "other": other, "from_deal": 7}
    assert post(client, match, "apply", "chooser", reason="so", **fields).status_code == 303
    deals = match_view(match).deals
    assert (deals[6].chooser, deals[7].chooser) == (first, other)


def test_forgotten_deal_is_inserted_in_one_act(cast, match, phone_of):
    client, whole = phone_of(cast.owner), state(match)
    facts = forget(match, 3, client)
    before, events = state(match), match.events.count()
    page = client.get(url("repair", match, what="forgotten", one=3))
    assert page.context["contract"] == facts["contract"]
    assert "Insert deal 3" in page.text
    assert 'name="action" value="look"' in page.text
    preview = post(client, match, "preview", "forgotten", one=3, **facts)
    assert preview.context["entering"].entry is not None
    page = post(client, match, "look", "forgotten", one=3, **facts)
    said = " ".join(strip_tags(page.text).split())
    assert "The points after deal 3 move to deal 4." in said
    assert "The redeal of deal 7 moves to deal 8." in said
    assert match.events.count() == events
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
    kept = {name: hidden[name] for name in ("one", *facts)}
    assert post(client, match, "apply", "forgotten", **kept).status_code == 422
    assert post(client, match, "apply", "forgotten", **kept, reason="r").status_code == 303
    assert match.events.count() == events + 1
    after = state(match)
    assert [after[name] for name in ("deals", "totals", "hanging")] == [
        whole[name] for name in ("deals", "totals", "hanging")
    ]
    event = match.events.order_by("-seq").first()
    back = post(client, match, "revert", "forgotten", event=event.id, reason="no, all is there")
    assert back.status_code == 303
    after = state(match)
    assert [after[name] for name in ("deals", "totals", "hanging")] == [
        before[name] for name in ("deals", "totals", "hanging")
    ]


def test_deal_that_is_not_whole_or_does_not_fit_is_not_inserted(cast, match, phone_of):
    client = phone_of(cast.owner)
    facts = forget(match, 3, client)
    events, known = match.events.count(), match_view(match).deals[1]
    for action in ("look", "apply"):
        given = {"one": 3, "contract": facts["contract"], "reason": "r"}
        assert post(client, match, action, "forgotten", **given).status_code == 422
        again = {"contract": known.contract, **raw_of(known.entry)}
        page = post(client, match, action, "forgotten", one=3, reason="r", **again)
        assert page.status_code == 422
        assert 'data-code="contract_used"' in page.text
    assert match.events.count() == events
    assert post(client, match, "look", "forgotten", one=99).status_code == 422


def test_disputed_deal_is_not_removed(cast, match, phone_of):
    answer = post(phone_of(cast.owner), match, "look", "phantom", one=2)
    assert answer.status_code == 422
    assert "Deal 2 is disputed. Close the dispute first." in answer.text


def test_the_page_names_what_moves_along(cast, match, phone_of):
    attach(match, 5, evening_record("evening-levant", 5))
    photos.attach(match, 5)
    photos.attach(match, 5)
    four = [own[-1].player_id for own in match_view(match).sittings]
    given = {"players": [*four[:2], "Elie", four[3]], "from_deal": 5, "reason": "late"}
    write(seats.reseat, match, **given)
    page = post(phone_of(cast.owner), match, "look", "phantom", one=1)
    said = " ".join(strip_tags(page.text).split())
    assert "The card record of deal 5 moves to deal 4." in said
    assert said.count("The photos of deal 5 move to deal 4.") == 1
    assert "The dispute about deal 2 moves to deal 1." in said
    assert "The change of seats at deal 5 moves to deal 4." in said
