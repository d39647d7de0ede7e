"""A new database for a server that runs beside the tests: on PostgreSQL where DATABASE_URL names
one, as under bin/with-postgresql, else on SQLite."""

import os
import sqlite3
import uuid
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg


class Database:
    def __init__(self, url: str) -> None:
        self.url = url
        self.is_postgresql = url.startswith("postgres")

    def rows(self, query: str) -> list[tuple]:
        connect = psycopg.connect if self.is_postgresql else sqlite3.connect
        place = self.url if self.is_postgresql else self.url.removeprefix("sqlite:///")
        with closing(connect(place)) as connection:
            return connection.execute(query).fetchall()


@contextmanager
def new_database(folder: Path):
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield Database(f"sqlite:///{folder / 'trexscore.sqlite3'}")
        return
    name = f"trexscore_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name}")
        try:
            yield Database(urlsplit(server)._replace(path=f"/{name}").geturl())
        finally:
            owner.execute(f"DROP DATABASE {name} WITH (FORCE)")
