"""Write the rows of the file of a club unchanged, all in one transaction.

Unknown accounts are added without a way to sign in.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from itertools import batched, chain
from pathlib import Path
from typing import Any

from django.db import DataError, IntegrityError, models, transaction

from scoring.clubs.services.clubs import RESERVED_SLUGS
from scoring.models import Club, Match, Membership, Photo, Role, User
from scoring.models.clubs import number_namesakes
from scoring.models.export_schema import EVENT, LEDGER, MATCH, WORDS
from scoring.records.services.photo_files import put_file
from scoring.transfer.services.club_export.document import MATCHES
from scoring.transfer.services.club_import.checking import BY_NAME, KnownRows, picture_of, row_of
from scoring.transfer.services.club_import.reading import ArchiveLine, ClubFileRefused

BATCH = 25
"""Matches written at once."""


def require_new_club(club: Club) -> None:
    """Require that the club does not exist yet."""
    if Club.objects.filter(id=club.id).exists():
        raise ClubFileRefused("club_is_here", detail=club.name)


def write(
    archive: zipfile.ZipFile,
    lines: Iterable[ArchiveLine],
    known: KnownRows,
    owner: User | None,
    note: Callable[[Club], None],
) -> None:
    """Write checked rows; `owner` becomes an owner of the club too."""
    assert known.club is not None  # else it would have been refused
    put: list[Path] = []
    try:
        with transaction.atomic():
            _write_all(archive, iter(lines), known, put)
            if owner:
                members = Membership.objects.filter(club_id=known.club.id)
                members.update_or_create(
                    club_id=known.club.id, user=owner, defaults={"role": Role.OWNER}
                )
            number_namesakes(known.club.id)
            note(known.club)
    except BaseException as error:
        for path in put:
            path.unlink(missing_ok=True)
        if isinstance(error, IntegrityError | DataError):
            raise ClubFileRefused("does_not_fit", detail=str(error)[:200]) from None
        raise


def _write_all(
    archive: zipfile.ZipFile, lines: Iterator[ArchiveLine], known: KnownRows, put: list[Path]
) -> None:
    for line in lines:
        if line.list == MATCHES:
            for batch in batched(chain([line], lines), BATCH):
                _write_matches(archive, batch, known, put)
            return
        row: Any = row_of(BY_NAME[line.list], line.data, line.place)
        if isinstance(row, Club):
            require_new_club(row)
            row.slug = _free_slug(row.slug)
        if isinstance(row, User):
            _write_account(row)
        else:
            _insert(row)


def _insert(row: models.Model) -> None:
    """Insert a row with its own timestamps."""
    row.save_base(raw=True, force_insert=True)


def _write_matches(
    archive: zipfile.ZipFile, lines: Iterable[ArchiveLine], known: KnownRows, put: list[Path]
) -> None:
    rows: dict[str, list[Any]] = {facts.name: [] for facts in (MATCH, EVENT, WORDS, *LEDGER)}
    for line in lines:
        rows[MATCH.name].append(row_of(MATCH, line.data[MATCH.name], line.place))
        for facts in (EVENT, WORDS, *LEDGER):
            rows[facts.name] += [row_of(facts, each, line.place) for each in line.data[facts.name]]
    for match in rows[MATCH.name]:
        _drop_missing_rematch(match, known)
    for facts in (MATCH, EVENT, WORDS, *LEDGER):
        facts.model._default_manager.bulk_create(rows[facts.name])
    for photo in rows[Photo.TABLE]:
        _write_photo(archive, photo, put)


def _drop_missing_rematch(match: Match, known: KnownRows) -> None:
    """Clear the reference to a match that was played again, if that is not here."""
    before = match.rematch_of_id
    if before is None or before in known.ids[Match]:
        return
    if not Match.objects.filter(id=before, club=None).exists():
        match.rematch_of_id = None


def _write_photo(archive: zipfile.ZipFile, photo: Photo, put: list[Path]) -> None:
    """Write the picture of a photo, unless it was erased."""
    try:
        data = picture_of(archive, photo)
    except KeyError:
        return
    put.append(photo.path)
    put_file(photo.path, data)


def _free_slug(slug: str) -> str:
    """Return the address of the club, with a number if another club has it."""
    taken = set(Club.objects.filter(slug__startswith=slug[:40]).values_list("slug", flat=True))
    return _free(slug, taken | RESERVED_SLUGS, 50)


def _write_account(user: User) -> None:
    """Add an account, unless it exists.

    It cannot sign in, so it does not count as an owner of the club. Its public name is kept even if
    the name for signing in had to be changed.
    """
    if User.objects.filter(id=user.id).exists():
        return
    called = user.username
    wanted = (called or f"account-{user.id.hex[:8]}").lower()
    taken = User.objects.filter(username__istartswith=wanted[:100])
    user.username = _free(wanted, set(taken.values_list("username", flat=True)), 150)
    user.first_name = called if called != user.username else ""
    user.is_active = False
    user.set_unusable_password()
    _insert(user)


def _free(wanted: str, taken: set[str], longest: int) -> str:
    number, found = 1, wanted
    while found in taken:
        number += 1
        found = f"{wanted[: longest - 8]}-{number}"
    return found
