"""Sessions in the database, asked only for keys that a session can have."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Whatever else a cookie says is no session: PostgreSQL cannot even be asked for a NUL."""

    def _validate_session_key(self, key: str) -> bool:
        known = super()._validate_session_key(key)  # type: ignore[misc]
        return bool(known) and key.isascii() and key.isalnum()
