"""What a chat shows of an address that somebody sends: a title, a sentence, a picture.

Only for what everybody may open. Whoever fetches it has no language and no account: it is told in
the language of the club, as everybody may see it.
"""

from hashlib import sha256

from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation

from scoring.access.link_previews import LinkPreview, _preview
from scoring.ledger.queries.match_view import MatchView
from scoring.matches.presenters import share


def of_match(request: HttpRequest, view: MatchView) -> LinkPreview | None:
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
