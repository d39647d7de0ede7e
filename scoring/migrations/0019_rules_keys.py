"""Keys of rules in which a set of contracts was pinned in another order. Pins stay as they are; the
totals of clubs with such matches are dropped, and `bin/serve` works out what is missing."""

from django.db import migrations

from scoring.rules import rules_key, ruleset

SETS = ["hearts_lead.contracts", "kabbout.contracts"]


def renew_keys(apps, schema_editor):
    seasons, matches, results, totals = (
        apps.get_model("scoring", name).objects
        for name in ("Season", "Match", "MatchResult", "PlayerTotal")
    )
    clubs = set()
    for season in seasons.exclude(rules_key="").iterator():
        key = rules_key(ruleset(season.system, season.options))
        if seasons.filter(pk=season.pk).exclude(rules_key=key).update(rules_key=key):
            clubs.add(season.club_id)
    for match in matches.filter(options__has_any_keys=SETS).iterator():
        key = rules_key(ruleset(match.system, match.options))
        if results.filter(match_id=match.pk).exclude(rules_key__in=["", key]).update(rules_key=key):
            clubs.add(match.club_id)
    totals.filter(club__in=clubs - {None}).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0018_trex_places"),
    ]

    operations = [
        migrations.RunPython(renew_keys, migrations.RunPython.noop),
    ]
