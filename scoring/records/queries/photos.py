"""Photos of a deal, and the numbers of the deals that can have any."""

from scoring.ledger.queries.snapshots import MatchSnapshot
from scoring.models import Deal, Match, Photo


def photo_numbers(table: MatchSnapshot) -> range:
    """Return the numbers of deals ever entered or on paper, and of the next one. One query."""
    written = Deal.objects.filter(match=table.match).order_by("-deal_number")
    numbers = [*written.values_list("deal_number", flat=True)[:1]]
    numbers += [deal.deal_number for deal in table.played]
    if not table.turn.over:
        numbers.append(table.turn.deal_number)
    return range(1, max(numbers, default=0) + 1)


def photos_of(match: Match, deal_number: int) -> list[Photo]:
    """Return the photos that are not withdrawn, oldest first. One query."""
    return list(Photo.objects.standing().filter(match.numbered(deal_number), match=match))
