"""Doubts about a deal, raised and handled, for tests."""

import uuid
from datetime import timedelta

from scoring.models import Adjustment, Dispute, EventKind, Flag, Match, Ruling
from scoring.selectors.tables import standing_rows, table_of
from scoring.services import chain, disputes, standing
from scoring.services.anew import as_entry, deal_anew
from scoring.services.who import Who
from tests.factories import NOW, newest

LATER = NOW + timedelta(hours=1)


def act(service, match, number=1, *, who, now=LATER, **changes) -> Dispute:
    """What an arbiter does about a deal number, against the newest version."""
    given = {"entry_key": uuid.uuid4(), "version": newest(match), "deal_number": number}
    return service(**{"match_id": match.id, "who": who, "now": now, **given, **changes})


def flag(match, number=1, words="", *, who, now=LATER, **changes) -> Flag:
    return act(disputes.flag, match, number, who=who, now=now, words=words, **changes)


def withdraw(match, row, *, who, now=LATER, **changes) -> Flag:
    given = {"entry_key": uuid.uuid4(), "version": newest(match), "flag_id": row.id}
    return disputes.withdraw_flag(
        **{"match_id": match.id, "who": who, "now": now, **given, **changes}
    )


def dispute_of(match, number=1) -> Dispute | None:
    return Dispute.objects.filter(match=match, deal_number=number).first()


def rule(match, number=1, entry=None, points=None, *, who, now=LATER) -> Ruling:
    """A published ruling at its barest, as the chain sees it."""
    match = Match.objects.select_for_update().get(pk=match.pk)
    rows = standing_rows(match)
    table = table_of(match, rows)
    old = table.deal(number)
    deal = as_entry(deal_anew(old), entry) if entry and old else None
    beside = (
        Adjustment(after_deal=number, code="correction", points=list(points)) if points else None
    )
    last = Ruling.objects.filter(match=match, deal_number=number, replaced_by=None).first()
    row = Ruling(
        deal_number=number,
        outcome="corrected" if deal else "stands",
        deal=deal,
        adjustment=beside,
        before=[0, 0, 0, 0],
        after=[0, 0, 0, 0],
        replaces=last,
    )
    made = [each for each in (deal, beside, row) if each]
    write = chain.Write(uuid.uuid4(), match.version, who, now)
    chain.append(match, write, EventKind.RULING_PUBLISHED, made, {"deal_number": number}, "Seen.")
    if deal:
        others = [one for one in table.deals if one.id != old.id]
        standing.refresh(table.with_deals([*others, deal]), rows)
    disputes.refresh(match, number)
    return row


def by(user) -> Who:
    return Who(user)
