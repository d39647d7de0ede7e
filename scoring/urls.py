"""Every page, grouped by the thing it is about. Who may open it stands in `selectors.access`."""

from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from scoring.views import (
    adjust,
    clubs,
    deals,
    disagreements,
    home,
    house_rules,
    imports,
    join,
    match_check,
    match_close,
    match_rules,
    match_setup,
    matches,
    pad,
    paper_check,
    players,
    records,
    redeals,
    replay,
    scoresheet,
    start_rules,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("start/", home.start, name="start"),
    path("start/rules/", start_rules.start_rules, name="start_rules"),
    path("check/", paper_check.paper_check, name="paper_check"),
    # Nothing that a foreign site could gain; and it must work from a page of yesterday.
    path("language/", csrf_exempt(set_language), name="language"),
    path("join/<str:token>/", join.invitation, name="invitation"),
    path("matches/<uuid:match_id>/", matches.match, name="match"),
    path("matches/<uuid:match_id>/rules/", match_rules.match_rules, name="match_rules"),
    path("matches/<uuid:match_id>/check/", match_check.match_check, name="match_check"),
    path("matches/<uuid:match_id>/sheet/", scoresheet.sheet, name="sheet"),
    path("matches/<uuid:match_id>/deals/<int:number>/", deals.deal, name="deal"),
    path("matches/<uuid:match_id>/deals/<int:number>/record/", records.record, name="record"),
    path("matches/<uuid:match_id>/deals/<int:number>/record/pad/", pad.pad, name="pad"),
    path("matches/<uuid:match_id>/deals/<int:number>/replay/", replay.replay_page, name="replay"),
    path("matches/<uuid:match_id>/redeal/", redeals.redeal, name="redeal"),
    path("matches/<uuid:match_id>/adjust/", adjust.adjust, name="adjust"),
    path("matches/<uuid:match_id>/close/", match_close.match_close, name="match_close"),
    path("matches/<uuid:match_id>/rematch/", matches.rematch, name="rematch"),
    path("clubs/new/", clubs.club_new, name="club_new"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/settings/", clubs.club_settings, name="club_settings"),
    path(
        "clubs/<slug:slug>/disagreements/",
        disagreements.club_disagreements,
        name="club_disagreements",
    ),
    path("clubs/<slug:slug>/players/", players.club_players, name="club_players"),
    path("clubs/<slug:slug>/invite/", join.club_invite, name="club_invite"),
    path("clubs/<slug:slug>/rules/", house_rules.club_rules, name="club_rules"),
    path("clubs/<slug:slug>/rules/new/", house_rules.house_rules_new, name="house_rules_new"),
    path("clubs/<slug:slug>/rules/<uuid:rules_id>/", house_rules.house_rules, name="house_rules"),
    path("clubs/<slug:slug>/import/", imports.club_import, name="club_import"),
    path("import/", imports.import_guide, name="import_guide"),
    path("clubs/<slug:slug>/matches/new/", match_setup.club_match_new, name="club_match_new"),
]
