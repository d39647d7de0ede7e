"""People of one name in a club get a number behind it, in order of joining."""

from django.db import migrations, models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

from scoring.models.namesakes import numbered, numbers


def number(apps, schema_editor):
    players, clubs = (apps.get_model("scoring", name).objects for name in ("Player", "Club"))
    for club in clubs.order_by("id"):
        people = players.filter(club=club, merged_into=None).order_by("created_at", "id")
        known = list(people.values_list("id", "name"))
        found = list(numbers([name for _, name in known]))
        for (id, name), its_number in zip(known, found, strict=True):
            if its_number:
                same = players.filter(models.Q(id=id) | models.Q(counts_for=id))
                same.update(name=numbered(name, its_number), namesake_number=its_number)
        if any(found):
            clubs.filter(pk=club.pk).update(names_version=models.F("names_version") + 1)


def take_off(apps, schema_editor):
    players = apps.get_model("scoring", "Player").objects
    for row in players.exclude(namesake_number=0).iterator():
        row.name = row.name.removesuffix(numbered("", row.namesake_number))
        row.save(update_fields=["name"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0021_shifts"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="player",
            name="player_name_length",
        ),
        migrations.AddField(
            model_name="player",
            name="namesake_number",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="player",
            name="name",
            field=models.CharField(max_length=48),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=LessThanOrEqual(Length("name"), 40)
                | models.Q(namesake_number__gt=0) & LessThanOrEqual(Length("name"), 48),
                name="player_name_length",
            ),
        ),
        migrations.RunPython(number, take_off),
    ]
