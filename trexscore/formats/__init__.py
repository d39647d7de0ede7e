"""How dates are written in each language: the day before the month, a clock of 24 hours."""
