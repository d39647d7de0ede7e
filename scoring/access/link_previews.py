"""What a chat shows of the address of a club: a title, a sentence, a picture."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.templatetags.static import static
from django.utils import translation
from django.utils.translation import gettext

from scoring import pictures
from scoring.common import words
from scoring.models import Club


@dataclass(frozen=True)
class Preview:
    """The address is the page's own, without what was asked of it."""

    title: str
    description: str
    image: str
    address: str
    language: str
    width: int = pictures.WIDTH
    height: int = pictures.HEIGHT


def of_club(request: HttpRequest, club: Club, name: words.Words = "") -> Preview | None:
    """A page of the club, `name` is what it is about: a season, a person."""
    if not club.is_public:
        return None
    with translation.override(club.language):
        names = [words.isolated(str(each)) for each in (name, club.name) if each]
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
