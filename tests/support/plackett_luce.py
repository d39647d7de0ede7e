"""Plackett-Luce once more, short and slow, after Weng and Lin (2011, algorithm 4): used only to
disagree with what the product rates by."""

from math import exp, sqrt

BETA_SQUARED = (25 / 6) ** 2
TAU_SQUARED = (25 / 300) ** 2


def rated(teams, places):
    """`teams` of (mu, sigma) and the place of each; the same shape comes back."""
    spread = [[sigma**2 + TAU_SQUARED for _, sigma in team] for team in teams]
    whole = [sum(own) for own in spread]
    c = sqrt(sum(one + BETA_SQUARED for one in whole))
    strength = [exp(sum(mu for mu, _ in team) / c) for team in teams]
    return [
        [
            _one(mu, own, c, sqrt(whole[i]), *_pulls(i, strength, places))
            for (mu, _), own in zip(team, spread[i], strict=True)
        ]
        for i, team in enumerate(teams)
    ]


def _pulls(i, strength, places):
    """How far this side is pulled up or down, and how much was learned about it: for every side
    that finished at least as well, whether it was this one that had to come there."""
    omega = delta = 0.0
    for q, place in enumerate(places):
        if place <= places[i]:
            field = sum(own for own, at in zip(strength, places, strict=True) if at >= place)
            chance, shared = strength[i] / field, places.count(place)
            omega += ((q == i) - chance) / shared
            delta += chance * (1 - chance) / shared
    return omega, delta


def _one(mu, spread, c, team_sigma, omega, delta):
    learned = spread / c**2 * delta * (team_sigma / c)
    return mu + spread / c * omega, sqrt(spread * (1 - learned))
