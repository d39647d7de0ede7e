"""The site under load: save, scoresheet, standings, player page in a small and a large club, beside
what the same template and a bare save cost on the same server.

    bin/bench web [--people 500 --matches 20000] [--data FOLDER] [--seconds 1.5]

Fills both clubs (once for each folder), counts the queries of every page of either, explains those
of the large one, then measures. Ends with 1 where a page asks more of the large club, where a whole
table is read, where a save takes more than three times a bare one, or standings more than twice
their template. DATABASE_URL names a PostgreSQL to do the same on.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

MOST = {"save": 3.0, "standings": 2.0}


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench web", description=__doc__)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--data", type=Path, help="where the clubs are kept for another time")
    parser.add_argument("--seconds", type=float, default=1.5, help="for each page and round")
    asked = parser.parse_args()
    if asked.data:
        return measured(asked, asked.data.resolve())
    with tempfile.TemporaryDirectory() as folder:
        return measured(asked, Path(folder))


def measured(asked: argparse.Namespace, folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {"TREXSCORE_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "tests.bench.site"}
    import django

    django.setup()
    from tests.bench import asking, load, seeded

    clubs = seeded.clubs({"small": (10, 50), "large": (asked.people, asked.matches)})
    wrong = asking.differing(*clubs) + asking.reading_whole_tables(clubs[-1])
    ratios = load.run(clubs, asked.seconds, folder)
    wrong += [
        f"{name} takes {ratio:.2f} times {load.AGAINST[name]}, at most {MOST[name]:g}"
        for name, ratio in ratios
        if ratio > MOST.get(name, ratio)
    ]
    print("\n".join(["", *wrong]) if wrong else "\nall within bounds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
