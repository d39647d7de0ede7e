"""Previews that chats show for a club's address: a title, a sentence, a picture."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.templatetags.static import static
from django.utils import translation
from django.utils.translation import gettext

from scoring import pictures
from scoring.common import words
from scoring.models import Club


@dataclass(frozen=True)
class LinkPreview:
    """The preview of one page; the address is the page's own, without a query."""

    title: str
    description: str
    image: str
    address: str
    language: str
    width: int = pictures.WIDTH
    height: int = pictures.HEIGHT


def of_club(request: HttpRequest, club: Club, name: words.Words = "") -> LinkPreview | None:
    """Return the preview of a page of the club; `name` is its subject: a season, a person."""
    if not club.is_public:
        return None
    with translation.override(club.language):
        names = [words.isolated(str(each)) for each in (name, club.name) if each]
        about = gettext("Standings, people and matches of a club that plays Trex.")
        return _preview(request, club, " · ".join(names), about, static("img/preview.png"))


def _preview(
    request: HttpRequest, club: Club, title: str, description: str, image: str
) -> LinkPreview:
    return LinkPreview(
        title=title,
        description=description,
        image=request.build_absolute_uri(image),
        address=request.build_absolute_uri(request.path),
        language=club.language,
    )
