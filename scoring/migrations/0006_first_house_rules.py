"""What a club plays by becomes its first named set."""

from django.db import migrations
from django.utils.translation import gettext, override

# What each preset was called on this day; the catalogs have it in the language of the club.
NAMES = {
    "levant": "Trex with kingdoms",
    "kleshchi": "Kleshchi",
    "barbu": "Barbu",
    "levant-complex": "Trex Complex",
    "levant-partners": "Trex with kingdoms, in pairs",
    "levant-inverted": "Trex with kingdoms, last one pays",
    "kleshchi-fifteens": "Kleshchi, dear diamonds",
    "kleshchi-swapped": "Kleshchi, swapped signs",
    "kleshchi-jordan": "Kleshchi, fixed order",
    "kleshchi-pairs": "Kleshchi, in pairs",
    "barbu-fixed": "Barbu, fixed order",
    "barbu-drawn": "Barbu, drawn by lot",
}


def name_of(preset, language):
    with override(language):
        return gettext(NAMES.get(preset, preset))[:40]


def name_the_rules(apps, schema_editor):
    for club in apps.get_model("scoring", "Club").objects.filter(house_rules=None):
        preset = club.preset or club.system
        club.house_rules = club.rule_sets.create(
            name=name_of(preset, club.language),
            preset=preset,
            system=club.system,
            options=club.options,
        )
        club.save(update_fields=["house_rules"])


def take_the_default(apps, schema_editor):
    """Back: the club keeps its default set, the others are lost."""
    for club in apps.get_model("scoring", "Club").objects.exclude(house_rules=None):
        rules = club.house_rules
        club.preset, club.system, club.options = rules.preset, rules.system, rules.options
        club.house_rules = None
        club.save(update_fields=["preset", "system", "options", "house_rules"])
    apps.get_model("scoring", "HouseRules").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0005_house_rules"),
    ]

    operations = [
        migrations.RunPython(name_the_rules, take_the_default),
    ]
