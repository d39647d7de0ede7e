"""Pages of the photos of a deal: attach, show and withdraw them."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.csp import CSP
from django.views.decorators.http import require_safe

from scoring.access import permissions
from scoring.access.elevation import about
from scoring.access.http import (
    actor_of,
    expired,
    match_for,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_or_404,
    require_permission,
    see_other,
    view_of,
)
from scoring.access.permissions import Action
from scoring.access.under_review import under_review
from scoring.common.error_sentences import problem_sentences, sentence, show_refusal
from scoring.common.errors import RefusalCode, ServiceError
from scoring.entry.views.entry import read_id, write_of
from scoring.history.queries.history import photo_history
from scoring.ledger.queries.match_view import MatchView
from scoring.models import Dispute, Photo
from scoring.pictures import MEGA, MOST_BYTES, smaller
from scoring.records.forms.photos import ACCEPTED, KINDS, PhotosForm
from scoring.records.queries.photos import photo_numbers
from scoring.records.services.photos import MOST, attach_photo, void_photo
from scoring.rules import Problem

PAGE = "records/photos.html"
# No script runs even if a browser takes the picture for a page. The inline style is the browser's
# own, with which it shows a picture alone.
PICTURE_POLICY = f"default-src {CSP.NONE}; style-src {CSP.UNSAFE_INLINE}; sandbox"


@preserve_on_csrf_failure
def photos(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    if request.method == "POST":
        require_permission(request, Action.ATTACH, match)
    view = view_of(request, match)
    if view.hides(number):
        return under_review(request, view, number)
    if number not in photo_numbers(view.table):
        raise Http404(number)
    if request.POST.get("action") == "void":
        return _void(request, view, number)
    if request.method != "POST":
        return _page(request, view, number, PhotosForm())
    form = PhotosForm(post_data(request), request.FILES)
    if not expired(request, form) and _attach(request, view, number, form):
        return see_other("photos", match.id, number)
    return _page(request, view, number, form, status=422)


@require_safe
def photo(request: HttpRequest, photo_id: UUID) -> HttpResponse:
    """Serve the file of a photo; a withdrawn one only to arbiters."""
    found = Photo.objects.select_related("match__club", "event", "void").filter(id=photo_id).first()
    if found is None:
        raise Http404(photo_id)
    about(request, found.match_id)
    is_void = hasattr(found, "void")
    require_or_404(request, Action.SEE_MATCH, found.match)
    _require_not_under_review(request, found)
    if is_void:
        require_or_404(request, Action.JUDGE, found.match)
    size = "small" if request.GET.get("size") == "small" else "whole"
    response = get_conditional_response(request, etag=f'"{found.sha256}-{size}"')
    if response is None:
        response = HttpResponse(_file(found, size), content_type="image/jpeg")
        response["ETag"] = f'"{found.sha256}-{size}"'
        number = found.match.number_now(found.deal_number, found.event.seq)
        name = f"deal-{number}-{found.id.hex[:8]}.jpg"
        response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Cache-Control"] = "private, no-cache"
    response["Content-Security-Policy"] = PICTURE_POLICY
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _require_not_under_review(request: HttpRequest, photo: Photo) -> None:
    """Answer 404 to readers from outside while the deal is under review."""
    number = photo.match.number_now(photo.deal_number, photo.event.seq) or 0
    reviews = Dispute.objects.filter(match=photo.match_id, deal_number=number)
    if reviews.under_review().exists() and permissions.reads_publicly(
        photo.match, actor_of(request)
    ):
        raise Http404(photo.id)


def _file(found: Photo, size: str) -> bytes:
    try:
        data = found.path.read_bytes()
        return smaller(data) if size == "small" else data
    except OSError:  # gone or damaged; verify_ledger says so too
        raise Http404(found.id) from None


def _attach(request: HttpRequest, view: MatchView, number: int, form: PhotosForm) -> bool:
    """Attach every valid picture; return whether all were.

    The key of each follows from its content, so sending the form again attaches nothing twice."""
    form.full_clean()
    kind = form.cleaned_data.get("kind")
    if kind is None:
        return False
    try:
        write = write_of(request, view.match)
    except ServiceError as refused:
        show_refusal(form, refused.problems, {})
        return False
    for name, picture in form.good:
        key = uuid5(write.entry_key, f"{kind} {picture.sha256}")
        try:
            attach_photo(
                replace(write, entry_key=key), deal_number=number, kind=kind, picture=picture
            )
        except ServiceError as refused:
            form.refuse(name, refused.problems)
    return not form.errors


def _void(request: HttpRequest, view: MatchView, number: int) -> HttpResponse:
    photo_id = read_id(request.POST.get("photo", ""))
    try:
        if photo_id is None:
            raise ServiceError(RefusalCode.NOT_STANDING, "photo")
        void_photo(
            write_of(request, view.match),
            photo_id=photo_id,
            reason=request.POST.get("reason", ""),
        )
    except ServiceError as refused:
        return _page(request, view, number, PhotosForm(), refused=refused, status=422)
    return see_other("photos", view.match.id, number)


def _page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    form: PhotosForm,
    *,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    match, actor = view.match, actor_of(request)
    lines = [
        (line, KINDS.get(line.row.kind, line.row.kind)) for line in photo_history(match, number)
    ]
    shown = [pair for pair in lines if pair[0].stands]
    context: dict[str, Any] = {
        "match": match,
        "number": number,
        "has_deal": match.deals.filter(deal_number=number).exists(),
        "form": form,
        "shown": shown,
        "withdrawn": [pair for pair in lines if not pair[0].stands],
        "device": actor.device,
        "may_attach": permissions.may(Action.ATTACH, match, actor),
        "may_judge": permissions.may(Action.JUDGE, match, actor),
        "is_full": len(shown) >= MOST,
        "photos_full": sentence(Problem(RefusalCode.PHOTOS_FULL, "", {"limit": MOST})),
        "limits": {"bytes": MOST_BYTES, "size": MOST_BYTES // MEGA},
        "accepted": ACCEPTED,
        "problems": problem_sentences(refused.problems) if refused else [],
        "voiding": read_id(request.POST.get("photo", "")),
        "reason": request.POST.get("reason", ""),
        "entry_key": uuid4(),
    }
    return page_or_part(request, PAGE, context, part="photos", status=status)
