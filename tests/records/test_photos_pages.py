"""Photos of a deal: the page that takes them, and the one that gives them out."""

import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from scoring.models import MatchEvent, Photo
from scoring.pictures import MOST_BYTES
from scoring.records.services import photos
from tests.factories import finish, king, newest
from tests.pictures.making import (
    HEIC,
    HTML,
    MAKER,
    PROGRAM,
    SVG,
    WHEN,
    drawn,
    saved,
    with_place,
)
from tests.support.asking import NASTY, errors
from tests.support.photos import attach, key, picture, stored, take_back
from tests.support.tables import PHONE, codes, evening_of, match_of, phone_client, url


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def phone(db):
    return phone_client()


@pytest.fixture
def match(db):
    return match_of(entries=[king()])


def sent(match, *pictures, **changes):
    """What the form posts. Pictures are bytes, or bytes with a name."""
    named = [each if isinstance(each, tuple) else (each, "IMG_1.jpg") for each in pictures]
    files = [SimpleUploadedFile(name, data, "image/jpeg") for data, name in named]
    form = {"kind": "sheet", "entry_key": key(), "version": newest(match), "pictures": files}
    return form | changes


def post(client, match, *pictures, number=1, **changes):
    return client.post(url("photos", match, number), sent(match, *pictures, **changes))


def whole(client, photo, **query):
    return client.get(f"/photos/{photo.id}/", query)


# ── attaching ───────────────────────────────────────────────────────────


def test_photo_is_attached_and_shown_on_its_page_and_on_the_deal(phone, match):
    response = post(phone, match, saved(), kind="cards")
    assert (response.status_code, response.url) == (303, url("photos", match, 1))
    photo = Photo.objects.get()
    assert (photo.kind, photo.deal_number, photo.event.device) == ("cards", 1, PHONE.device)
    for page in (phone.get(response.url), phone.get(url("deal", match, 1))):
        assert f'src="/photos/{photo.id}/?size=small"' in page.text
        assert f'href="/photos/{photo.id}/"' in page.text
    assert "The captured cards" in phone.get(response.url).text


def test_several_at_once_are_each_a_photo(phone, match):
    post(phone, match, saved(), saved(kind="PNG"), saved(kind="WEBP"))
    assert stored()[0] == len(stored()[1]) == 3


def test_same_form_twice_is_the_same_photos(phone, match):
    form, files = sent(match), [saved(), saved()]
    for _ in range(2):
        form["pictures"] = [SimpleUploadedFile("a.jpg", data) for data in files]
        assert phone.post(url("photos", match, 1), form).status_code == 303
    assert stored()[0] == len(stored()[1]) == 2


# Typing goes on at the table while one phone sends photos.
def test_form_drawn_before_the_last_deal_is_kept(phone, match):
    old = newest(match) - 1
    assert post(phone, match, saved(), version=old).status_code == 303
    photo = Photo.objects.get()
    back = {"action": "void", "photo": photo.id, "reason": "Wrong", "version": old}
    assert post(phone, match, **back).status_code == 303


# Disputes come after the match. C59
def test_closed_match_takes_photos(phone):
    match = evening_of("evening-levant")
    finish(match, actor=PHONE)
    assert post(phone, match, saved(), number=20).status_code == 303
    assert 'name="pictures"' in phone.get(url("photos", match, 20)).text


def test_number_that_is_no_deal_has_no_page(phone, match):
    assert phone.get(url("photos", match, 2)).status_code == 200
    assert phone.get(url("photos", match, 3)).status_code == 404
    assert post(phone, match, saved(), number=3).status_code == 404
    assert stored() == (0, [])


# ── what is refused ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (PROGRAM, "not_a_picture"),
        (SVG, "not_a_picture"),
        (HTML, "not_a_picture"),
        (b"", "not_a_picture"),
        (HEIC, "heic"),
        (saved(drawn((300, 300)))[:9000], "broken_picture"),
        (saved(Image.new("1", (6000, 6000)), "PNG"), "too_many_pixels"),
        (bytes(MOST_BYTES + 1), "too_big"),
    ],
)
def test_what_is_no_picture_is_told_and_nothing_is_stored(phone, match, data, code):
    response = post(phone, match, (data, "sheet.jpg"))
    assert response.status_code == 422
    assert errors(response) == {"pictures": [code]}
    assert codes(response) == [code]
    assert "\u2068sheet.jpg\u2069: " in response.text
    assert stored() == (0, [])
    assert MatchEvent.objects.count() == 2


def test_thirty_megabytes_are_told_in_megabytes(phone, match):
    response = post(phone, match, bytes(30_000_000))
    assert "30 MB are too much; 12 MB fit." in response.text
    assert stored() == (0, [])


def test_good_ones_are_kept_and_bad_ones_named(phone, match):
    response = post(phone, match, (saved(), "a.jpg"), (PROGRAM, "b.jpg"), (saved(), "c.jpg"))
    assert response.status_code == 422
    assert "\u2068b.jpg\u2069" in response.text
    assert response.text.count('class="photo"') == stored()[0] == len(stored()[1]) == 2


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"pictures": []}, {"pictures": ["missing"]}),
        ({"kind": "selfie"}, {"kind": ["invalid_choice"]}),
        ({"kind": ""}, {"kind": ["required"]}),
        ({"entry_key": "none"}, {"__all__": ["form_expired"]}),
        ({"version": ""}, {"__all__": ["form_expired"]}),
        ({"version": "99"}, {"pictures": ["stale"]}),
        ({"version": "9" * 30}, {"__all__": ["form_expired"]}),
    ],
)
def test_refusal_stands_at_its_field(phone, match, changes, expected):
    response = post(phone, match, saved(), **changes)
    assert response.status_code == 422
    assert errors(response) == expected
    assert codes(response) == [code for each in expected.values() for code in each]
    assert stored() == (0, [])


def test_so_many_at_once_and_no_more(phone, match):
    response = post(phone, match, *[b"x"] * 21)
    assert errors(response) == {"pictures": ["too_many"]}


def test_so_many_a_deal_and_no_more(phone, match, monkeypatch):
    monkeypatch.setattr(photos, "MOST", 2)
    monkeypatch.setattr("scoring.records.views.photos.MOST", 2)
    response = post(phone, match, saved(), saved(), saved())
    assert errors(response) == {"pictures": ["photos_full"]}
    assert stored()[0] == len(stored()[1]) == 2
    page = phone.get(url("photos", match, 1))
    assert codes(page) == ["photos_full"]
    assert 'name="pictures"' not in page.text


def test_name_of_a_file_is_shown_literally_and_short(phone, match):
    response = post(phone, match, (PROGRAM, f"{NASTY}.jpg"), (PROGRAM, "x" * 200 + ".jpg"))
    assert NASTY not in response.text
    assert "&lt;img" in response.text
    assert "x" * 40 not in response.text


def test_late_form_writes_nothing(match):
    client = phone_client(enforce_csrf_checks=True)
    response = post(client, match, saved(), csrfmiddlewaretoken="x" * 64)
    assert response.status_code == 422
    assert errors(response) == {"__all__": ["form_expired"]}
    assert stored() == (0, [])
    response = post(client, match, action="void", csrfmiddlewaretoken="x" * 64)
    assert codes(response) == ["not_standing"]


def test_part_is_given_to_the_script(phone, match):
    headers = {"HX-Request": "true"}
    form = sent(match, saved())
    response = phone.post(url("photos", match, 1), form, headers=headers)
    part = phone.get(response.url, headers=headers)
    assert "<html" not in part.text
    assert 'id="shown"' in part.text


# ── the file ────────────────────────────────────────────────────────────


def test_file_is_given_out_harmless(phone, match):
    post(phone, match, (saved(), "evil.html"))
    photo = Photo.objects.get()
    response = whole(phone, photo)
    assert response.content == photo.path.read_bytes()
    assert response["Content-Type"] == "image/jpeg"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == (
        "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    )
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response["Cache-Control"] == "private, no-cache"
    assert re.fullmatch(
        r'inline; filename="deal-1-[0-9a-f]{8}\.jpg"', response["Content-Disposition"]
    )


# The place where somebody sat is nobody's business.
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_stored_file_knows_neither_place_nor_time(phone, match, kind):
    data = with_place(kind)
    assert MAKER.encode() in data
    post(phone, match, data)
    (path,) = stored()[1]
    given = [path.read_bytes()]
    given += [whole(phone, Photo.objects.get(), **size).content for size in ({}, {"size": "small"})]
    for kept in given:
        for gone in (MAKER, WHEN, "Exif", "IMG_1", "GPS"):
            assert gone.encode() not in kept
        assert not Image.open(io.BytesIO(kept)).getexif()


def test_same_file_is_not_sent_twice(phone, match):
    photo = attach(match, 1, actor=PHONE)
    tags = [whole(phone, photo, **size)["ETag"] for size in ({}, {"size": "small"})]
    assert tags[0] != tags[1]
    again = phone.get(f"/photos/{photo.id}/", headers={"If-None-Match": tags[0]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == "private, no-cache"
    assert phone.head(f"/photos/{photo.id}/").status_code == 200
    assert phone.post(f"/photos/{photo.id}/").status_code == 405


def test_small_one_is_light(phone, match):
    data = saved(drawn((1600, 1200)))
    post(phone, match, data)
    small = whole(phone, Photo.objects.get(), size="small")
    assert len(small.content) < 50_000
    assert Image.open(io.BytesIO(small.content)).size == (320, 240)


def test_file_that_is_gone_is_not_there(phone, match):
    photo = attach(match, 1, actor=PHONE)
    photo.path.unlink()
    assert whole(phone, photo).status_code == 404


def test_small_one_of_a_damaged_file_is_not_there(phone, match):
    photo = attach(match, 1, actor=PHONE)
    photo.path.write_bytes(photo.path.read_bytes()[:40])
    assert whole(phone, photo, size="small").status_code == 404


# ── taking back ─────────────────────────────────────────────────────────


def test_photo_is_taken_back_with_a_reason(phone, match):
    photo = attach(match, 1, actor=PHONE)
    back = {"action": "void", "photo": photo.id}
    refused = post(phone, match, **back, reason=" ")
    assert (refused.status_code, codes(refused)) == (422, ["missing"])
    assert '<details class="more no-print" open>' in refused.text
    assert post(phone, match, **back, reason=NASTY).status_code == 303
    page = phone.get(url("photos", match, 1)).text
    assert f"/photos/{photo.id}/" not in page
    assert "&lt;img" in page
    assert NASTY not in page
    assert f"/photos/{photo.id}/" not in phone.get(url("deal", match, 1)).text
    again = post(phone, match, **back, reason="Once more")
    assert (again.status_code, codes(again)) == (422, ["not_standing"])


@pytest.mark.parametrize("photo", ["", "none", key()])
def test_photo_that_is_none_is_not_taken_back(phone, match, photo):
    refused = post(phone, match, action="void", photo=photo, reason="Why not")
    assert (refused.status_code, codes(refused)) == (422, ["not_standing"])


def test_photo_that_was_taken_back_is_for_whoever_has_to_judge(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, entries=[king()])
    photo = attach(match)
    take_back(match, photo)
    for user, status in ((cast.amal, 404), (cast.badr, 404), (cast.esam, 200), (cast.owner, 200)):
        client = phone_of(user)
        assert whole(client, photo).status_code == status
        page = client.get(url("photos", match, 1)).text
        assert (f'href="/photos/{photo.id}/"' in page) is (status == 200)


# ── who may ─────────────────────────────────────────────────────────────


# Neither a list nor an address leads a stranger to a picture. C94
def test_stranger_and_another_club_see_no_photo(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, entries=[king()])
    photo = attach(match)
    before = stored()
    for client in (Client(), phone_of(cast.ghassan), phone_of(cast.farah)):
        for size in ({}, {"size": "small"}):
            assert whole(client, photo, **size).status_code == 404
        tag = {"If-None-Match": f'"{photo.sha256}-whole"'}
        assert client.get(f"/photos/{photo.id}/", headers=tag).status_code == 404
        assert client.get(url("photos", match, 1)).status_code == 404
        assert post(client, match, saved()).status_code == 404
        assert post(client, match, action="void", photo=photo.id, reason="x").status_code == 404
    assert stored() == before
    assert whole(phone_of(cast.badr), photo).status_code == 200


def test_member_of_another_match_looks_and_does_not_write(cast, phone_of):
    match = match_of(club=cast.club, players=(*cast.players[:3], "Zeina"), entries=[king()])
    photo = attach(match)
    client = phone_of(cast.dima)
    assert whole(client, photo).status_code == 200
    page = client.get(url("photos", match, 1)).text
    assert 'name="pictures"' not in page
    assert 'name="reason"' not in page
    assert "All photos" in client.get(url("deal", match, 1)).text
    assert post(client, match, saved()).status_code == 403
    assert post(client, match, action="void", photo=photo.id, reason="x").status_code == 403
    assert stored() == (1, [photo.path])


def test_page_asks_the_same_for_one_photo_and_for_ten(phone, match, django_assert_num_queries):
    attach(match, 1, actor=PHONE)
    with django_assert_num_queries(7):
        phone.get(url("photos", match, 1))
    for _ in range(9):
        take_back(match, attach(match, 1, picture(), actor=PHONE), actor=PHONE)
    with django_assert_num_queries(8):
        phone.get(url("photos", match, 1))
