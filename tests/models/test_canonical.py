"""These digests stand in chains, signatures and prints. They must never change."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from scoring.models import (
    CardRecord,
    Deal,
    Flag,
    MatchEvent,
    Photo,
    Redeal,
    Ruling,
    Signature,
    Subtotal,
    Words,
)
from scoring.models.canonical import canonical

BEIRUT = timezone(timedelta(hours=2))
MOMENT = datetime(2026, 11, 12, 20, 15, tzinfo=BEIRUT)


def deal(**changes):
    facts = {
        "id": UUID(int=3),
        "match_id": UUID(int=1),
        "event_id": UUID(int=2),
        "deal_number": 1,
        "dealer": 3,
        "chooser": 0,
        "contract": "king",
        "payload": {"v": 1, "contract": "king", "input": {"king_taken_by": 2}},
    }
    return Deal(**{**facts, **changes})


def event():
    return MatchEvent(
        id=UUID(int=2),
        match_id=UUID(int=1),
        seq=2,
        kind="deal_recorded",
        subject_kind="deal",
        subject_id=UUID(int=3),
        content={"rows": [], "facts": {}, "words": {}},
        prev_hash="0" * 64,
        entry_key=UUID(int=4),
        on_version=1,
        device=UUID(int=5),
        entered_at=MOMENT,
    )


def test_spelling():
    value = {"b": MOMENT, "a": [UUID(int=1), None, True, "ك"]}
    assert canonical(value) == (
        '{"a":["00000000-0000-0000-0000-000000000001",null,true,"ك"],'
        '"b":"2026-11-12T18:15:00.000000+00:00"}'
    )


def test_moment_is_the_same_in_every_zone():
    assert canonical(MOMENT) == canonical(MOMENT.astimezone(UTC))


def test_float_is_refused():
    with pytest.raises(TypeError):
        canonical({"points": 1.5})


def test_deal_has_this_digest():
    digest = "104be9363e53ffdfa269f5ecd76349e1c81594d1fdd2420f09ddb39994bbb69b"
    assert deal().digest() == digest


def test_subtotal_has_this_digest():
    ids = {"id": UUID(int=3), "match_id": UUID(int=1), "event_id": UUID(int=2)}
    deals = [{"dealer": 3, "chooser": 0, "contract": "king", "forced": False}]
    row = Subtotal(**ids, first_deal=1, deals=deals, points=[0, -75, 0, 0])
    assert row.digest() == "343eb2079376ac90945b48ab36b41f285d03bd7fa67c3956548d7d4b0157ba3b"


def test_redeal_has_this_digest():
    ids = {"id": UUID(int=3), "match_id": UUID(int=1), "event_id": UUID(int=2)}
    row = Redeal(**ids, deal_number=1, dealer=3, asked_by=2, reason="weak_hearts", hand=["KH"])
    assert row.digest() == "af2e028f5f35cceccc1a5da20af7d1a135daf58debc495139f084d66cc842c6a"


def test_record_has_this_digest():
    ids = {"id": UUID(int=3), "match_id": UUID(int=1), "event_id": UUID(int=2)}
    content = {"system": "levant", "contract": "king", "plays": [{"seat": 0, "card": "KH"}]}
    row = CardRecord(**ids, deal_number=7, content=content)
    assert row.digest() == "0190a374cdc695626133a7f1b47f231729c09662aa8a2ba1612fd58d0470be96"


def test_photo_has_this_digest():
    ids = {"id": UUID(int=3), "match_id": UUID(int=1), "event_id": UUID(int=2)}
    facts = {"kind": "sheet", "width": 1600, "height": 1200, "size": 200_000}
    row = Photo(**ids, deal_number=7, sha256="ab" * 32, **facts)
    assert row.digest() == "ae013a37f1b3fae86310a2a855d717b70058c998b9187a767874d1bcf1a9d068"


def test_signature_has_this_digest():
    ids = {"id": UUID(int=3), "match_id": UUID(int=1), "event_id": UUID(int=2)}
    row = Signature(**ids, unit=1, seat=2, deals=[str(UUID(int=9))], head="ab", by_scorer=False)
    assert row.digest() == "c39fd10614af76a9b860933e41296111d65f970dee465aaeed8688b517d49785"


def test_flag_has_this_digest():
    ids = {"id": UUID(int=3), "match_id": UUID(int=1), "event_id": UUID(int=2)}
    assert (
        Flag(**ids, deal_number=7, seat=1).digest()
        == "dca0c80436ec16d24304ce121f275f70c57b8e9cc32e667ddb8c60cc22ded699"
    )


def test_ruling_has_this_digest():
    ids = {"id": UUID(int=3), "match_id": UUID(int=1), "event_id": UUID(int=2)}
    worth = {"before": [0, 0, -75, 0], "after": [0, -75, 0, 0]}
    row = Ruling(**ids, deal_number=7, outcome="corrected", rule="C-L5", **worth)
    assert row.digest() == "43a4c8abea78aa36b2ec88924a06ce5c5ffec6ca484a1d40772fd25896601d61"


def test_event_has_this_hash():
    assert (
        event().work_out_hash()
        == "62f2afc3f4614b98368f6adfd29662ce2bd405e400c26a3192e1038ffbc6c33e"
    )


def test_words_have_this_digest():
    assert (
        Words(text="typed wrong", salt="ab" * 16).digest()
        == "19d91e8ef4056e1722fd0fb2ab285ac9c6486c8f8627c07d1dbb7874f4a65d6a"
    )


def test_column_that_is_empty_changes_no_digest():
    assert deal(leader=None).digest() == deal().digest()
    assert deal(leader=0).digest() != deal().digest()


@pytest.mark.parametrize(
    "name", ["kind", "entered_at", "played_at", "user_id", "device", "entry_key", "on_version"]
)
def test_every_fact_of_an_event_is_hashed(name):
    changed = event()
    values = {"kind": "x", "on_version": 9, "entered_at": MOMENT + timedelta(microseconds=1)}
    setattr(changed, name, values.get(name, UUID(int=99) if name != "played_at" else MOMENT))
    assert changed.work_out_hash() != event().work_out_hash()
