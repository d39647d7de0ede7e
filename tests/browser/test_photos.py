"""Photos from a phone in a café: ten at once on a slow line, one answer lost on the way."""

import io

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from scoring.models import Photo
from tests.browser.table import Phone, seen
from tests.browser.test_setup import FAULTS
from tests.factories import king
from tests.pictures.making import MAKER, exif, saved
from tests.support.photos import stored
from tests.support.tables import match_of

BYTES = 100_000  # a second
SLOW = {"offline": False, "latency": 50, "downloadThroughput": BYTES, "uploadThroughput": BYTES}


def sheet(number):
    """Held on its side, with the place in it."""
    image = Image.new("RGB", (2000, 1500), "beige")
    ImageDraw.Draw(image).rectangle((0, 0, 100 * number, 700), fill="navy")
    data = saved(image, exif=exif(held=6), quality=60)
    return {"name": f"sheet {number}.jpg", "mimeType": "image/jpeg", "buffer": data}


@pytest.fixture
def hand(page, live_server, transactional_db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    return Phone(page, live_server.url)


def lose_one_answer(page):
    """The server has the third picture, and the phone does not know."""
    posts = []

    def carry(route):
        posts.append(route.request)
        if route.request.method == "POST" and len(posts) == 3:
            route.fetch(max_redirects=0)
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/photos/", carry)
    return posts


def test_ten_at_once_on_a_slow_line(hand, page):
    match = match_of(entries=[king()])
    hand.open(f"/matches/{match.id}/deals/1/photos/")
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW)
    posts = lose_one_answer(page)
    program = {"name": "sheet 11.jpg", "mimeType": "image/jpeg", "buffer": b"\x7fELF" * 99}
    hand.choose("kind", "cards")
    page.set_input_files("#id_pictures", [*map(sheet, range(10)), program])
    hand.tap("#attach .primary")
    seen(page.locator("#sending li")).to_have_count(11)
    expect(page.locator("#sending progress:visible")).to_have_count(0, timeout=60_000)
    seen(page.locator("#sending .failed")).to_have_count(1)
    seen(page.locator("#shown .photo")).to_have_count(10)
    assert len(posts) == 12
    assert stored()[0] == len(stored()[1]) == 10
    for photo in Photo.objects.all():
        data = photo.path.read_bytes()
        assert (photo.kind, photo.width, photo.height) == ("cards", 1200, 1600)
        assert MAKER.encode() not in data
        assert not Image.open(io.BytesIO(data)).getexif()
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(FAULTS) == []
    assert Axe().run(page).response["violations"] == []
