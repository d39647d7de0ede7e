"""Addresses of card records, the card pad, replays and photos."""

from django.urls import path

from scoring.records.views import archive, mismatches, pad, photos, records, replay

urlpatterns = [
    path("matches/<uuid:match_id>/deals/<int:number>/record/", records.record, name="record"),
    path("matches/<uuid:match_id>/deals/<int:number>/record/pad/", pad.pad, name="pad"),
    path("matches/<uuid:match_id>/deals/<int:number>/replay/", replay.replay_page, name="replay"),
    path("matches/<uuid:match_id>/deals/<int:number>/photos/", photos.photos, name="photos"),
    path("photos/<uuid:photo_id>/", photos.photo, name="photo"),
    path(
        "clubs/<slug:slug>/disagreements/",
        mismatches.club_mismatches,
        name="club_disagreements",
    ),
    path("clubs/<slug:slug>/records/", archive.club_records, name="club_records"),
    path("clubs/<slug:slug>/records/audit/", archive.club_audit, name="club_audit"),
]
