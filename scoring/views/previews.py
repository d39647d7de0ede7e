"""What a chat shows of an address that somebody sends: a title, a sentence, a picture.

Only for what everybody may open. Whoever fetches it has no language and no account: it is told in
the language of the club, as everybody may see it.
"""

from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from scoring.forms import card, share, words
from scoring.models import Club
from scoring.selectors.matches import MatchView


@dataclass(frozen=True)
class Preview:
    """The address is the page's own, without what was asked of it."""

    title: str
    description: str
    image: str
    address: str
    language: str
    width: int = card.WIDTH
    height: int = card.HEIGHT


def of_match(request: HttpRequest, view: MatchView) -> Preview | None:
    """The match with the picture of its result. Two queries more where something is under
    review."""
    club = view.match.club
    if club is None or not club.is_public:
        return None
    picture = reverse("match_picture", args=[view.match.id])
    with translation.override(club.language):
        told = " · ".join(share.summary(view.public))
        # A chat keeps a picture by its address: there is another for whatever can be read in it,
        # and for nothing that happens while a deal is under review.
        kept = sha256(told.encode()).hexdigest()[:12]
        image = f"{picture}?language={club.language}&kept={kept}"
        return _preview(request, club, share.title(view.match), told, image)


def of_club(request: HttpRequest, club: Club, name: words.Words = "") -> Preview | None:
    """A page of the club, `name` is what it is about: a season, a person."""
    if not club.is_public:
        return None
    with translation.override(club.language):
        names = [share.isolated(str(each)) for each in (name, club.name) if each]
        about = gettext("Standings, people and matches of a club that plays Trex.")
        return _preview(request, club, " · ".join(names), about, static("img/preview.png"))


def _preview(request: HttpRequest, club: Club, title: str, description: str, image: str) -> Preview:
    return Preview(
        title=title,
        description=description,
        image=request.build_absolute_uri(image),
        address=request.build_absolute_uri(request.path),
        language=club.language,
    )
