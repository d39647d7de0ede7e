"""Cards as pictures."""

from scoring.rules.cards import RANKS, SUITS
from scoring.templatetags.trex import face


# The suit is a shape and has its name; nothing is told by colour alone. C108
def test_every_card_has_its_own_face_and_name():
    faces = [face(rank + suit) for rank in RANKS for suit in SUITS]
    assert len(set(faces)) == 52
    assert len({drawn.split('aria-label="')[1].split('"')[0] for drawn in faces}) == 52
    assert '#h"' in face("TH")
    assert ">10<" in face("TH")
