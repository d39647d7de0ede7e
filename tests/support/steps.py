"""How much work something is: steps of the interpreter, which are the same on every machine."""

import sys
from collections.abc import Callable

TOOL = 4
"""A number of `sys.monitoring` that neither debuggers nor coverage take."""


class Text(str):
    """A text that takes a step whenever it is compared or looked up: a list or a tuple that is
    searched for it takes as many as it has places."""

    __slots__ = ()

    def __eq__(self, other):
        return str.__eq__(self, other)

    def __hash__(self):
        return str.__hash__(self)


def steps(work: Callable[[], object]) -> int:
    """Lines, calls and rounds of loops in this thread and all others while the work is done."""
    monitoring, events = sys.monitoring, sys.monitoring.events
    counted = (events.LINE, events.PY_START, events.PY_RESUME, events.JUMP)
    taken = 0

    def step(*_):
        nonlocal taken
        taken += 1

    monitoring.use_tool_id(TOOL, "steps")
    try:
        for event in counted:
            monitoring.register_callback(TOOL, event, step)
        monitoring.set_events(TOOL, sum(counted))
        work()
    finally:
        monitoring.free_tool_id(TOOL)
    return taken
