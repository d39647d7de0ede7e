"""The lines of a `.trex` text sorted into records, before their values are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from scoring.replay.notation.frame import tag_name
from scoring.replay.notation.lines import Source, TextLine, read_lines
from scoring.replay.notation.plain_text import plain, visible
from scoring.replay.record import NotationError

MOST_CHARACTERS = 262_144  # in one record, comments not counted
LONGEST_QUOTE = 40

# An unclosed quote or brace ends with its line.
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|%.*|\{[^}]*+(?:\}|$)')
_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]{0,39})\s*"((?:[^"\\]|\\.)*+)"\s*\]')
_DOUBLE, _SINGLE = '"“”„‟«»″＂', "'‘’‚‛`´"
_APOSTROPHE = r"(?<=\w)['’](?=\w)"
_NEAR_TAG = re.compile(
    r"[\[［](\s*[A-Za-z][A-Za-z0-9_]{0,39}\s*)(?:"
    rf"[{_DOUBLE}]([^\\{_DOUBLE}]*+)[{_DOUBLE}]"
    rf"|[{_SINGLE}]((?:[^\\{_DOUBLE}{_SINGLE}]|{_APOSTROPHE})*+)[{_SINGLE}]"
    rf"|\{{([^\\{_DOUBLE}{{}}]*+)\}})(\s*)[\]］]"
)
_SPELT = re.compile(rf"({_TAG.pattern}|%.*|\{{[^}}]*+(?:\}}|$))|{_NEAR_TAG.pattern}")
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|[^"]')
_NEXT_TAG = re.compile(r"\s*" + _TAG.pattern)
_ESCAPED = re.compile(r'\\(["\\])')
_PLAYS = re.compile(r"\s*[NWSEnwse](?:[\s:]|$)")


class Tag(NamedTuple):
    """A tag's name and value, and where the value is."""

    name: str
    value: str
    line: int
    column: int


class Content(NamedTuple):
    """The content of one line.

    Of the kind `junk` it has nothing but errors; a line of the kind `tags` may have none that can
    be read."""

    kind: Literal["blank", "comment", "tags", "plays", "junk"]
    line: int
    text: str
    tags: tuple[Tag, ...] = ()
    errors: tuple[NotationError, ...] = ()

    @property
    def column(self) -> int:
        """Where the first word is."""
        return len(self.text) - len(self.text.lstrip()) if self.text.strip() else 0

    @property
    def begins_with_seat(self) -> bool:
        """Whether the line begins with a seat, as every line of plays does."""
        return self.kind == "plays" and _PLAYS.match(plain(self.text)) is not None


def error(code: str, line: int, column: int, text: str) -> NotationError:
    """Return an error with a short, printable quotation of the text."""
    quoted = visible(text)[:LONGEST_QUOTE].encode(errors="replace").decode()
    return NotationError(code, line, column, quoted)


def content(line: TextLine) -> Content:
    """Sort a line.

    A line that is too long is junk, unless it is a comment."""
    if not visible(line.text).strip():
        return Content("blank", line.number, "")
    if _looks_like_tags(line.text):
        line = line._replace(text=_as_tags(line.text))
    text, unclosed = _without_comments(line.text)
    errors: list[NotationError] = []
    if unclosed is not None:
        errors.append(error("bad_line", line.number, unclosed, line.text[unclosed:]))
    if line.is_cut and text.strip():
        errors.append(error("bad_line", line.number, 0, text))
    elif _looks_like_tags(text if unclosed is None else line.text):
        tags, unread = _tags(line.number, text)
        return Content("tags", line.number, text, tags, (*errors, *unread))
    if errors:
        return Content("junk", line.number, text, errors=tuple(errors))
    return Content("plays" if text.strip() else "comment", line.number, text)


def _looks_like_tags(text: str) -> bool:
    seen = visible(text).lstrip()
    return seen.startswith(("[", "［")) or '"' in text  # no line of plays has a quote


def _as_tags(text: str) -> str:
    """Return tags in the notation's own quotes, at the same columns.

    Inside quotes nothing changes."""
    if _TAG.fullmatch(text):  # as nearly every line is
        return text
    text = _MARKS.sub(_blank_marks, _SPELT.sub(_respelt, text))
    return _SPELT.sub(_respelt, text)


def _blank_marks(found: re.Match[str]) -> str:
    """Return a blank for what is invisible outside quotes, so that columns stay."""
    return found[0] if found[0][0] == '"' or visible(found[0]) else " "


def _respelt(found: re.Match[str]) -> str:
    """Return a tag that has other quotes or braces as the notation has it.

    Never at other columns."""
    if found[1] is not None:
        return found[0]
    name, *values, blanks = found.groups()[3:]
    value = next(each for each in values if each is not None)
    bare = value.strip()
    before, behind = value[: len(value) - len(value.lstrip())], value[len(value.rstrip()) :]
    return f'[{name}{before}"{bare}"{behind if bare else ""}{blanks}]'


def _without_comments(text: str) -> tuple[str, int | None]:
    """Return the text with blanks for comments, and where a comment is not closed."""
    if "%" not in text and "{" not in text:
        return text, None
    unclosed = None

    def blank(found: re.Match[str]) -> str:
        nonlocal unclosed
        if found[0][0] == '"':
            return found[0]
        if found[0][0] == "{" and found[0][-1] != "}":
            unclosed = found.start()
        return " " * len(found[0])

    return _COMMENT.sub(blank, text), unclosed


def _tags(line: int, text: str) -> tuple[tuple[Tag, ...], tuple[NotationError, ...]]:
    tags = []
    end = 0
    while found := _NEXT_TAG.match(text, end):
        tags.append(Tag(tag_name(found[1]), _ESCAPED.sub(r"\1", found[2]), line, found.start(2)))
        end = found.end()
    rest = text[end:].strip()
    unread = (error("bad_tag", line, text.find(rest, end), rest),) if rest else ()
    return tuple(tags), unread


@dataclass
class Draft:
    """The lines of one record, in blocks that blank lines separate.

    `number`: the how manieth record of the text."""

    number: int
    blocks: list[list[Content]] = field(default_factory=lambda: [[]])
    room: int = MOST_CHARACTERS
    has_plays: bool = False
    has_moves: bool = False
    is_broken: bool = False
    names: dict[str, int] = field(default_factory=dict)
    """Each tag with the number of blocks there were when it first stood."""

    @property
    def lines(self) -> Iterator[Content]:
        """The lines in order."""
        return (line for block in self.blocks for line in block)

    def rest(self) -> None:
        """End the current block at a blank line."""
        if self.blocks[-1]:
            self.blocks.append([])

    def add(self, line: Content) -> None:
        """Add one more line.

        More lines than any deal can have are left out and give one error."""
        if self.room < 0:
            return
        self.room -= len(line.text)
        if self.room < 0:
            late = error("bad_line", line.line, line.column, line.text)
            line = Content("junk", line.line, "", errors=(late,))
        self.has_plays |= line.kind != "tags"
        self.has_moves |= line.begins_with_seat
        self.is_broken |= bool(line.errors) or self.has_plays
        for tag in line.tags:
            self.names.setdefault(tag.name, len(self.blocks))
        self.blocks[-1].append(line)

    def ends_before(self, line: Content) -> bool:
        """Return whether this line begins another record, as tags after plays do.

        So that a broken record spoils no other, so do tags in a new block after something that
        could not be read, and a new block of something that is neither tags nor plays."""
        is_new_block = not self.blocks[-1]
        if line.kind == "tags":
            is_behind_plays = self.has_plays and (bool(self.names) or self.has_moves)
            return is_behind_plays or (is_new_block and self.is_broken)
        return self.has_plays and is_new_block and not line.begins_with_seat

    def repeats(self, line: Content) -> bool:
        """Return whether a tag of this line was in an earlier block.

        Then the block of this line belongs to the next record, such as where a record has no plays.
        """
        here = len(self.blocks)
        return any(self.names.get(tag.name, here) < here for tag in line.tags)

    def split(self) -> Draft:
        """Move the last block to a new record and return that."""
        following = Draft(self.number + 1)
        for line in self.blocks.pop():
            following.add(line)
        return following


def drafts(source: Source) -> Iterator[Draft]:
    """Yield the records of a text or stream, one after the other."""
    return drafts_of(read_lines(source))


def drafts_of(lines: Iterable[TextLine], before: int = 0) -> Iterator[Draft]:
    """Yield the records of these lines, of which so many came before."""
    draft: Draft | None = None
    for line in map(content, lines):
        if line.kind == "comment" or (line.kind == "blank" and draft is None):
            continue
        if draft is None:
            draft = Draft(before + 1)
        elif line.kind == "blank":
            draft.rest()
        elif draft.ends_before(line):
            yield draft
            draft = Draft(draft.number + 1)
        elif draft.repeats(line):
            following = draft.split()
            yield draft
            draft = following
        if line.kind != "blank":
            draft.add(line)
    if draft is not None:
        yield draft
