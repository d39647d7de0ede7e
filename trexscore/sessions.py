"""Sessions in the database, asked only for keys that a session can have."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Whatever else a cookie says is no session: PostgreSQL cannot even be asked for a NUL."""

    def __init__(self, session_key: str | None = None) -> None:
        known = session_key and session_key.isascii() and session_key.isalnum()
        super().__init__(session_key if known else None)
